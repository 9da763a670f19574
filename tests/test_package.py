"""The package as a whole: what importing it costs, and which way its imports run."""

from __future__ import annotations

import ast
import statistics
import subprocess
import sys
from pathlib import Path

import maxpoolgrad_onnx as mpg

ROOT = Path(__file__).parents[1]

# Each part of converters/, and the parts that it may import: ONNX -> GE IR -> .om -> run.
ALLOWED = {
    "file_format": set(),
    "tables": set(),
    "progress": {"tables"},
    "pictures": set(),
    "ge_ir": set(),
    "ge_ops": {"ge_ir"},
    "onnx_to_ge": {"ge_ir", "ge_ops"},
    "ge_to_onnx": {"ge_ir", "ge_ops"},
    "precision": {"ge_ir", "ge_ops"},
    "profiles": {"ge_ir"},
    "adaptation": {"ge_ir", "precision", "profiles"},
    "bind": {"ge_ir", "profiles"},
    "om": {"ge_ir", "profiles"},
    "loading": {"file_format", "ge_ir", "onnx_to_ge", "om"},
    "inspect": {"file_format", "ge_ir", "om", "pictures", "profiles", "tables"},
    "targets": {"file_format", "ge_ir", "ge_ops", "loading", "onnx_to_ge"},
    "compile": {
        *("adaptation", "bind", "file_format", "ge_ir", "loading", "om", "onnx_to_ge", "profiles"),
        "progress",
    },
    "twin": {"ge_ir", "bind"},
    "kernel_report": {"bind", "progress", "tables", "twin"},
    "runtime": {
        *("bind", "file_format", "ge_ir", "ge_to_onnx", "loading", "om", "profiles", "progress", "twin"),
    },
    "training": {"progress", "runtime"},
    "atc": {
        *("adaptation", "compile", "file_format", "ge_ir", "inspect", "om", "onnx_to_ge", "precision"),
        *("profiles", "progress", "tables"),
    },
    "bench": {"progress", "tables"},
    "doctor": {"atc"},
    "plugin": {"atc", "compile", "doctor", "runtime"},
    "demo": {"ge_to_onnx", "om", "loading", "compile", "runtime", "pictures", "progress", "training"},
    "cli": {
        "bench",
        "kernel_report",
        "atc",
        "demo",
        "doctor",
        "inspect",
        "plugin",
        "progress",
        "runtime",
        "tables",
        "targets",
        "training",
    },
}
LAZY = ["onnxruntime", "onnx_ir", "torch", "matplotlib", "sklearn", "rich", "click", "google.protobuf"]


def run_python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_import_costs_less_than_a_third_of_a_second_beyond_onnx() -> None:
    code = (
        "import time, onnx; t = time.perf_counter(); import maxpoolgrad_onnx; print(time.perf_counter() - t)"
    )
    assert statistics.median(float(run_python(code)) for _ in range(3)) < 0.3


def test_import_loads_no_optional_or_heavy_library() -> None:
    code = f"import sys, maxpoolgrad_onnx; print([m for m in {LAZY} if m in sys.modules])"
    assert run_python(code).strip() == "[]"


def test_import_registers_no_schema() -> None:
    code = "import onnx, maxpoolgrad_onnx as m; print(onnx.defs.has(m.OP_TYPE, m.DOMAIN))"
    assert run_python(code).strip() == "False"


def test_public_names_are_all_there() -> None:
    for name in mpg.__all__:
        assert getattr(mpg, name) is not None, name
    assert callable(mpg.check)
    assert set(mpg.__all__) <= set(dir(mpg))


def test_a_submodule_does_not_hide_the_function_of_its_name() -> None:
    code = (
        "import maxpoolgrad_onnx.converters.onnx_to_ge.convert, maxpoolgrad_onnx.converters as c; "
        "print(callable(c.onnx_to_ge), callable(c.ge_to_onnx), callable(c.compile), sorted(c.__all__))"
    )
    names = "['GeModel', 'InferSession', 'check_target', 'compile', 'ge_to_onnx', 'load', 'onnx_to_ge']"
    assert run_python(code).strip() == f"True True True {names}"


def imported_modules(path: Path, package: str) -> set[str]:
    """Absolute names of everything that a module of `package` imports, at its top or anywhere inside."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names.update(f"{module}.{alias.name}" for alias in node.names)
    return names


def test_onnx_side_imports_nothing_of_converters() -> None:
    for path in (ROOT / "maxpoolgrad_onnx").rglob("*.py"):
        package = ".".join(path.parent.relative_to(ROOT).parts)
        wrong = [n for n in imported_modules(path, package) if n.startswith("maxpoolgrad_onnx.converters")]
        assert not wrong, f"{path.relative_to(ROOT)} imports {wrong}"


def test_converters_import_upstream_only() -> None:
    prefix = "maxpoolgrad_onnx.converters."
    for path in (ROOT / "converters").rglob("*.py"):
        inside = path.relative_to(ROOT / "converters")
        part = inside.parts[0].removesuffix(".py")
        if part == "__init__":
            continue
        package = ".".join(["maxpoolgrad_onnx", "converters", *inside.parent.parts])
        imported = {
            n.removeprefix(prefix).split(".")[0]
            for n in imported_modules(path, package)
            if n.startswith(prefix)
        }
        wrong = (imported & set(ALLOWED)) - ALLOWED[part] - {part}
        assert not wrong, f"converters/{inside} imports {sorted(wrong)}"
