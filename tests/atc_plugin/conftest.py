"""The parser plugin for atc, built once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support_cann import EXECUTABLE, HIDDEN, LINK, PLUGIN, ROOT, STUB, Driver, link, objects, sources


@pytest.fixture(scope="session")
def plugin_objects(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The plugin's sources, compiled against the stand-ins for CANN."""
    return objects(sources(PLUGIN), tmp_path_factory.mktemp("plugin"), HIDDEN)


@pytest.fixture(scope="session")
def plugin(plugin_objects: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """A process that has loaded the plugin."""
    folder = tmp_path_factory.mktemp("plugin_driver")
    library = link(folder / "libcust_onnx_parsers.so", plugin_objects, "-shared", *LINK)
    program = ROOT / "tests" / "atc_plugin" / "plugin_driver.cc"
    parts = objects([*sources(STUB), program, PLUGIN / "json.cc"], folder)
    driver = Driver([str(link(folder / "plugin_driver", parts, *EXECUTABLE)), str(library)], greets=True)
    yield driver
    driver.close()
