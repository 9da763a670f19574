"""Where a file runs: on a device or on the host, and what is said where it cannot."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import converters
from maxpoolgrad_onnx.converters.om import Partition, PartitionType, to_om
from support_device import PLAIN, X, fake, session

pytestmark = pytest.mark.usefixtures("finalized")


def test_files_of_the_embedded_compiler_stay_on_the_host(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compiled = converters.compile(PLAIN, tmp_path / "m", soc_version="Ascend910B1")
    acl = fake()
    opened = session(monkeypatch, acl, compiled.om)
    assert opened.backend == "host"
    assert acl.calls == []
    with pytest.raises(mpg.MaxPoolGradError) as caught:
        converters.InferSession(0, compiled.om, backend="device")
    assert "holds no device binaries" in str(caught.value)
    assert "with --backend cann, or `atc --framework=1`" in str(caught.value)
    assert caught.value.code == "EE1001"
    with pytest.raises(mpg.MaxPoolGradError, match=r"a device runs an \.om that a real atc made"):
        converters.InferSession(0, tmp_path / "m.air", backend="device")
    assert acl.calls == []


def test_device_files_are_refused_by_the_host(monkeypatch: pytest.MonkeyPatch, om: Path) -> None:
    monkeypatch.setitem(sys.modules, "acl", None)
    for options in ({}, {"backend": "host"}):
        with pytest.raises(mpg.MaxPoolGradError, match="built for 'Ascend910B2'; the host runs") as caught:
            converters.InferSession(0, om, **options)
        assert caught.value.code == "EE1001"
    with pytest.raises(mpg.MaxPoolGradError, match=r"Python finds no module acl; source CANN's set_env\.sh"):
        converters.InferSession(0, om, backend="device")


def test_an_old_file_that_names_no_device(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its kernels tell that it is for one."""
    packed = to_om(converters.onnx_to_ge(PLAIN))
    kernels = Partition(PartitionType.TBE_KERNELS, [bytes(12)])
    replace(packed, models=[[*packed.partitions, kernels]]).save(tmp_path / "old.om")
    monkeypatch.setitem(sys.modules, "acl", None)
    with pytest.raises(mpg.MaxPoolGradError, match="it holds kernels for a device; the host runs") as caught:
        converters.InferSession(0, tmp_path / "old.om")
    assert caught.value.code == "EE1001"
    with session(monkeypatch, fake(), tmp_path / "old.om") as opened:
        assert opened.backend == "device"


def test_another_module_of_that_name(monkeypatch: pytest.MonkeyPatch, om: Path, tmp_path: Path) -> None:
    (tmp_path / "acl.py").write_text("def access_list(): ...")
    monkeypatch.delitem(sys.modules, "acl", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(
        mpg.MaxPoolGradError, match=r"the module acl that Python finds, .*acl\.py, is not pyACL"
    ):
        converters.InferSession(0, om, backend="device")
    (tmp_path / "acl.py").write_text("raise ImportError('libascendcl.so: cannot open')")
    monkeypatch.delitem(sys.modules, "acl", raising=False)
    with pytest.raises(mpg.MaxPoolGradError, match=r"pyACL does not load: libascendcl\.so: cannot open"):
        converters.InferSession(0, om, backend="device")


def test_the_twin_is_on_the_host(om: Path) -> None:
    with pytest.raises(mpg.MaxPoolGradError, match="the twin runs on the host: leave one of them out"):
        converters.InferSession(0, om, kernel="twin", backend="device")


def test_a_whole_run_of_a_process(om: Path, tmp_path: Path) -> None:
    """The command, with a module acl on the path, up to finalize at the end."""
    (tmp_path / "path").mkdir()
    (tmp_path / "path" / "acl.py").write_text(
        textwrap.dedent(
            f"""
            import atexit, json, sys
            sys.path.insert(0, {str(Path(__file__).parents[1])!r})
            from support_acl import FakeAcl, Port
            _fake = FakeAcl([Port("x", [2, 3], 24)], [Port("y", [2, 3], 24)])
            globals().update({{k: v for k, v in vars(_fake.module()).items() if not k.startswith("__")}})
            def _tell():
                report = [_fake.names(), list(_fake.live.values())]
                open({str(tmp_path / "told.json")!r}, "w").write(json.dumps(report))
            atexit.register(_tell)
            """
        )
    )
    np.save(tmp_path / "x.npy", X)
    words = ["run", str(om), "--input", str(tmp_path / "x.npy"), "--loop", "3", "--device", "2"]
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'path')!r});"
        f"from maxpoolgrad_onnx.converters.cli.main import main; sys.exit(main({words!r}"
        f" + ['--output', {str(tmp_path)!r}, '--output_dirname', 'r', '--outfmt', 'NPY']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert np.array_equal(np.load(tmp_path / "r" / "x_0.npy"), 2 * X)
    summary = json.loads((tmp_path / "r_summary.json").read_text())
    assert summary["backend"] == "device"
    assert summary["H2D_latency"]["count"] == summary["D2H_latency"]["count"] == 3
    names, live = json.loads((tmp_path / "told.json").read_text())
    assert names.count("mdl.execute") == 4, "one to warm up"
    assert names[-1] == "finalize"
    assert live == []
