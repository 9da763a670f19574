"""op_host in its three builds, each in a process that answers requests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support_cann import EXECUTABLE, OP_GRAPH, OP_HOST, PLUGIN, ROOT, STUB, Driver, link, objects, sources

INFERENCE = OP_HOST / "max_pool_v3_grad_infer.cc"
OF_PRODUCTS = [OP_HOST / f"max_pool_v3_grad_{part}.cc" for part in ("def", "tiling")]


@pytest.fixture(scope="session")
def common(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What all builds share."""
    program = ROOT / "tests" / "op_host" / "op_host_driver.cc"
    own = [path for path in sources(OP_HOST) if path not in (INFERENCE, *OF_PRODUCTS)]
    stub = [path for path in sources(STUB) if path.stem != "registration"]
    paths = [program, *own, *sources(OP_GRAPH), *stub, PLUGIN / "json.cc"]
    return objects(paths, tmp_path_factory.mktemp("op_host"))


@pytest.fixture(scope="session")
def inference(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return objects([INFERENCE], tmp_path_factory.mktemp("inference"))


@pytest.fixture(scope="session")
def products(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Definition and tiling for A2 and A3."""
    return objects(OF_PRODUCTS, tmp_path_factory.mktemp("products"))


@pytest.fixture(scope="session")
def op_host(
    common: list[Path], inference: list[Path], products: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driver]:
    """A package for A2 and A3 alone."""
    yield from running([*common, *inference, *products], tmp_path_factory.mktemp("a2_a3"))


@pytest.fixture(scope="session")
def overriding(
    common: list[Path], inference: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driver]:
    """A package whose kernels take the place of CANN's own on the 950."""
    folder = tmp_path_factory.mktemp("overriding")
    parts = objects(OF_PRODUCTS, folder / "products", "-DMAXPOOLGRAD_OVERRIDE_BUILTIN=1")
    yield from running([*common, *inference, *parts], folder)


@pytest.fixture(scope="session")
def neighbour(
    common: list[Path], products: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Driver]:
    """A package that leaves CANN's own kernel on the 950 alone."""
    folder = tmp_path_factory.mktemp("neighbour")
    parts = objects([INFERENCE], folder / "inference", "-DMAXPOOLGRAD_BUILTIN_STAYS=1")
    yield from running([*common, *parts, *products], folder)


def running(parts: list[Path], folder: Path) -> Iterator[Driver]:
    driver = Driver([str(link(folder / "op_host_driver", parts, *EXECUTABLE))])
    yield driver
    driver.close()
