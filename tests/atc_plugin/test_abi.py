"""One build of the plugin serves both C++ ABIs: nothing of std::string passes between it and CANN."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from support_cann import HIDDEN, PLUGIN, objects, sources


def of_cann(compiled: Iterable[Path]) -> set[str]:
    """The mangled names of GE's that the objects leave to the process: not the plugin's own."""
    said = subprocess.run(
        ["nm", "-u", *map(str, compiled)], check=True, capture_output=True, text=True
    ).stdout
    return set(re.findall(r"\b_*Z(?!N11maxpoolgrad)\w*?(?:N|NK)(?:2ge|4domi|13error_message)\w+", said))


def test_no_string_of_the_standard_library_crosses(plugin_objects: list[Path]) -> None:
    names = of_cann(plugin_objects)
    assert any("SetAttr" in name for name in names)
    assert any("OriginOpType" in name for name in names)
    # std::string is spelled out in the new ABI and in libc++, and is Ss in the old one.
    assert [name for name in names if re.search(r"basic_string|K?Ss", name)] == []


def test_both_abis_leave_the_same_names_open(plugin_objects: list[Path], tmp_path: Path) -> None:
    old = objects(sources(PLUGIN), tmp_path, HIDDEN, "-D_GLIBCXX_USE_CXX11_ABI=0")
    assert of_cann(old) == of_cann(plugin_objects)
