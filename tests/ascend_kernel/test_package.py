"""The package: built with CANN's CMake functions (stand-ins here), installed, made known, removed."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support_cann import ROOT, STUB

VENDOR = "ours"
Result = subprocess.CompletedProcess[str]


def run(command: list[str], **environment: str) -> Result:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("ASCEND_")}
    return subprocess.run(command, check=False, capture_output=True, text=True, env=clean | environment)


def pack(tree: Path, package: Path) -> Path:
    made = run([str(ROOT / "ascend_kernel" / "cmake" / "make_run.sh"), str(tree), str(package)])
    assert made.returncode == 0, made.stderr
    assert made.stdout.strip() == str(package)
    return package


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small one, of a vendor's folder made by hand."""
    folder = tmp_path_factory.mktemp("package")
    tree = folder / VENDOR
    (tree / "framework" / "onnx").mkdir(parents=True)
    (tree / "framework" / "onnx" / "libcust_onnx_parsers.so").write_bytes(bytes(range(256)) * 40)
    (tree / "op_api" / "lib").mkdir(parents=True)
    (tree / "op_api" / "lib" / "libcust_opapi.so").write_bytes(b"#### payload ####\n")
    return pack(tree, folder / "custom_opp_linux_x.run")


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


CONTENT = {"framework/onnx/libcust_onnx_parsers.so", "op_api/lib/libcust_opapi.so", "bin/set_env.bash"}


@pytest.mark.parametrize("form", ["--install-path={}", "--install-path {}"])
def test_it_installs_where_it_is_told(package: Path, tmp_path: Path, form: str) -> None:
    done = run([str(package), *form.format(tmp_path / "new").split(" ")])
    assert (done.returncode, done.stderr) == (0, "")
    vendor = tmp_path / "new" / "vendors" / VENDOR
    assert files(vendor) == CONTENT
    assert (vendor / "framework/onnx/libcust_onnx_parsers.so").read_bytes() == bytes(range(256)) * 40
    assert f"source {vendor}/bin/set_env.bash" in done.stdout
    assert files(tmp_path / "new" / "vendors") == {
        f"{VENDOR}/{name}" for name in CONTENT
    }  # no config.ini, no rest


def test_its_environment_comes_first(package: Path, tmp_path: Path) -> None:
    run([str(package), f"--install-path={tmp_path}"])
    vendor = tmp_path / "vendors" / VENDOR
    script = f"source {vendor}/bin/set_env.bash; echo $ASCEND_CUSTOM_OPP_PATH; echo $LD_LIBRARY_PATH"
    alone = run(["bash", "-uc", script], LD_LIBRARY_PATH="")
    assert alone.stdout.splitlines() == [str(vendor), f"{vendor}/op_api/lib"]
    beside = run(["bash", "-uc", script], ASCEND_CUSTOM_OPP_PATH="/other", LD_LIBRARY_PATH="/lib")
    assert beside.stdout.splitlines() == [f"{vendor}:/other", f"{vendor}/op_api/lib:/lib"]


def test_the_vendor_s_folder_can_be_moved(package: Path, tmp_path: Path) -> None:
    run([str(package), f"--install-path={tmp_path / 'a'}"])
    (tmp_path / "a").rename(tmp_path / "b")
    moved = tmp_path / "b" / "vendors" / VENDOR
    done = run(["bash", "-c", f"source {moved}/bin/set_env.bash; echo $ASCEND_CUSTOM_OPP_PATH"])
    assert done.stdout.strip() == str(moved)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, f"load_priority={VENDOR}\n"),
        ("load_priority=other\n", f"load_priority={VENDOR},other\n"),
        (f"load_priority=other,{VENDOR},third\nkept=1\n", f"load_priority={VENDOR},other,third\nkept=1\n"),
    ],
)
def test_installed_into_cann_it_is_asked_first(
    package: Path, tmp_path: Path, before: str | None, after: str
) -> None:
    config = tmp_path / "vendors" / "config.ini"
    if before is not None:
        config.parent.mkdir()
        config.write_text(before)
    for _ in range(2):  # twice is once
        done = run([str(package)], ASCEND_OPP_PATH=str(tmp_path))
        assert (done.returncode, done.stderr) == (0, "")
        assert config.read_text() == after


def test_an_older_version_goes_as_a_whole(package: Path, tmp_path: Path) -> None:
    stale = tmp_path / "vendors" / VENDOR / "op_impl" / "old.o"
    stale.parent.mkdir(parents=True)
    stale.write_text("old")
    run([str(package), f"--install-path={tmp_path}"])
    assert files(tmp_path / "vendors" / VENDOR) == CONTENT


def test_it_uninstalls_and_leaves_others(package: Path, tmp_path: Path) -> None:
    other = tmp_path / "vendors" / "other" / "file"
    other.parent.mkdir(parents=True)
    other.write_text("")
    config = tmp_path / "vendors" / "config.ini"
    config.write_text("load_priority=other\n")
    run([str(package)], ASCEND_OPP_PATH=str(tmp_path))
    done = run([str(package), "--uninstall"], ASCEND_OPP_PATH=str(tmp_path))
    assert done.returncode == 0
    assert files(tmp_path / "vendors") == {"other/file", "config.ini"}
    assert config.read_text() == "load_priority=other\n"


def test_the_last_vendor_takes_the_list_with_it(package: Path, tmp_path: Path) -> None:
    run([str(package)], ASCEND_OPP_PATH=str(tmp_path))
    run([str(package), "--uninstall"], ASCEND_OPP_PATH=str(tmp_path))
    assert files(tmp_path) == set()


def test_it_only_unpacks_or_lists_when_asked(package: Path, tmp_path: Path) -> None:
    listed = run([str(package), "--list"]).stdout.splitlines()
    assert f"{VENDOR}/bin/set_env.bash" in listed
    run([str(package), f"--extract={tmp_path}", "--quiet"])
    assert files(tmp_path / VENDOR) == CONTENT


def refused(result: Result) -> str:
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    return line


def test_refusals_are_one_line(package: Path, tmp_path: Path) -> None:
    assert "source its set_env.sh, or give --install-path=DIR" in refused(run([str(package)]))
    assert "which is no folder" in refused(run([str(package)], ASCEND_OPP_PATH=str(tmp_path / "none")))
    assert "unknown argument '--force'" in refused(run([str(package), "--force"]))
    assert "--install-path has no value" in refused(run([str(package), "--install-path="]))
    gone = run([str(package), "--uninstall", f"--install-path={tmp_path}"])
    assert f"there is no {tmp_path}/vendors/{VENDOR}" in refused(gone)


def test_a_damaged_package_changes_nothing(package: Path, tmp_path: Path) -> None:
    data = bytearray(package.read_bytes())
    data[-20] ^= 1
    damaged = tmp_path / "damaged.run"
    damaged.write_bytes(data)
    damaged.chmod(0o755)
    assert "the package is damaged; copy it again" in refused(
        run([str(damaged), f"--install-path={tmp_path / 'x'}"])
    )
    assert not (tmp_path / "x").exists()


def test_the_same_tree_gives_the_same_bytes(tmp_path: Path) -> None:
    packed = []
    for turn in ("a", "b"):
        tree = tmp_path / turn / VENDOR
        (tree / "framework").mkdir(parents=True)
        (tree / "framework" / "x").write_text("x")
        os.utime(tree / "framework" / "x", (0, len(packed) * 1000))
        packed.append(pack(tree, tmp_path / f"{turn}.run").read_bytes())
    assert packed[0] == packed[1]


# ---- The whole way, with CMake


@pytest.fixture(scope="module")
def cann(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cann")
    shutil.copytree(STUB / "cmake", folder / "compiler" / "tikcpp" / "ascendc_kernel_cmake")
    shutil.copytree(STUB / "include", folder / "include")
    return folder


def build(cann: Path, folder: Path, *arguments: str) -> Path:
    """Build from a copy of the sources; the vendor's folder as it is installed."""
    for part in ("ascend_kernel", "custom_op_lib", "converters/atc_plugin"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("build_out"))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    script = str(folder / "ascend_kernel" / "build.sh")
    done = run([script, f"--vendor={VENDOR}", "--jobs=2", *arguments], ASCEND_HOME_PATH=str(cann), PATH=path)
    assert done.returncode == 0, done.stdout + done.stderr
    package = Path(done.stdout.splitlines()[-1])
    assert package.name.startswith("custom_opp_")
    assert package.name.endswith(f"_{platform.machine()}.run")
    installed = run([str(package), f"--install-path={folder}"])
    assert installed.returncode == 0, installed.stderr
    return folder / "vendors" / VENDOR


@pytest.fixture(scope="module")
def whole(cann: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(cann, tmp_path_factory.mktemp("whole"))


def test_a_package_has_every_part(whole: Path) -> None:
    system = f"linux/{platform.machine()}"
    names = files(whole)
    assert {
        "framework/onnx/libcust_onnx_parsers.so",
        f"op_proto/lib/{system}/libcust_opsproto_rt2.0.so",
        "op_proto/inc/max_pool_v3_grad_proto.h",
        f"op_impl/ai_core/tbe/op_tiling/lib/{system}/libcust_opmaster_rt2.0.so",
        f"op_impl/ai_core/tbe/{VENDOR}_impl/dynamic/max_pool_v3_grad.cpp",
        "op_impl/ai_core/tbe/kernel/ascend910b/max_pool_v3_grad.cpp",
        "op_impl/ai_core/tbe/kernel/ascend910_93/max_pool_v3_grad.cpp",
        "op_api/lib/libcust_opapi.so",
        "op_api/include/aclnn_max_pool_v3_grad.h",
        "bin/set_env.bash",
    } <= names
    assert not any("ascend950" in name for name in names)  # whose own kernel stays
    assert "op_proto/inc/op_proto.h" not in names  # one prototype, the wide one


def test_for_a_950_whose_kernel_stays_there_is_the_plugin_alone(cann: Path, tmp_path: Path) -> None:
    assert files(build(cann, tmp_path, "--soc=ascend950")) == {
        "framework/onnx/libcust_onnx_parsers.so",
        "bin/set_env.bash",
    }
