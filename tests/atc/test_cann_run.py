"""Runs of an installed atc, which these tests write: flags, environment, output, failures, signals."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.converters.atc.failures import CODES, Message, explanations, message_in
from maxpoolgrad_onnx.converters.atc.front_end import run
from maxpoolgrad_onnx.converters.atc.vendors import KEY
from maxpoolgrad_onnx.opsets import FUNCTION_DOMAIN
from support_step import forward_model

WORDS = ("--framework=5", "--model=m.onnx", "--output=out", "--soc_version=Ascend910B1")
KEPT = "--precision_mode=must_keep_origin_dtype"
NEW = "[PID: 77] 2026-11-30-12:00:00.000.001 Not_Supported_Operator({code}): {text}"
OLD = "{code}: [PID: 77] 2026-11-30-12:00:00.000.001 {text}"
OLDEST = "{code}  {text}"


@dataclass(frozen=True)
class Installed:
    """A CANN whose atc does what a test says."""

    home: Path

    def atc_does(self, body: str) -> Path:
        path = self.home / "bin" / "atc"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = f"#!{sys.executable}\nimport json, os, signal, subprocess, sys, time\n"
        path.write_text(head + textwrap.dedent(body))
        path.chmod(0o755)
        return path

    def plugin_in(self, vendor: Path) -> None:
        library = vendor / "framework" / "libcust_onnx_parsers.so"
        library.parent.mkdir(parents=True)
        library.write_bytes(b"\x7fELF\0" + KEY.encode() + b"\0")


@pytest.fixture
def cann(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installed:
    home = tmp_path / "cann"
    for folder in ("lib64", "python/site-packages", "opp/vendors", "bin"):
        (home / folder).mkdir(parents=True)
    (home / "version.cfg").write_text("toolkit_running_version=[7.6.0.1.220:8.1.0]\n")
    monkeypatch.setenv("ASCEND_HOME_PATH", str(home))
    return Installed(home)


def atc(*words: str) -> tuple[int, str, str]:
    stdout, stderr = io.StringIO(), io.StringIO()
    return run(words, stdout, stderr), stdout.getvalue(), stderr.getvalue()


def seen_by(cann: Installed, tmp_path: Path, *words: str) -> tuple[list[str], Mapping[str, str]]:
    """The arguments and the environment that atc gets."""
    record = tmp_path / "seen.json"
    cann.atc_does(f"json.dump([sys.argv[1:], dict(os.environ)], open({str(record)!r}, 'w'))")
    assert atc(*words)[0] == 0
    arguments, environment = json.loads(record.read_text())
    return arguments, environment


def test_atc_gets_a_training_step_without_functions(cann: Installed, tmp_path: Path) -> None:
    onnx.save(training_step(), tmp_path / "step.onnx")
    copy = tmp_path / "seen.onnx"
    cann.atc_does(f"""
        import shutil
        (model,) = [word.partition("=")[2] for word in sys.argv if word.startswith("--model")]
        shutil.copy(model, {str(copy)!r})
    """)
    words = [f"--model={tmp_path / 'step.onnx'}" if "--model" in word else word for word in WORDS]
    code, _, told = atc(*words)
    assert code == 0
    assert "which is step.onnx with the functions of the step unfolded" in told
    seen = onnx.load(copy)
    assert FUNCTION_DOMAIN not in {function.domain for function in seen.functions}
    assert FUNCTION_DOMAIN not in {entry.domain for entry in seen.opset_import}
    assert FUNCTION_DOMAIN not in {node.domain for node in seen.graph.node}
    onnx.checker.check_model(seen)
    assert not list(tmp_path.glob("*unfolded*"))


def test_atc_gets_any_other_model_as_it_is(cann: Installed, tmp_path: Path) -> None:
    onnx.save(training_step(unfold=True), tmp_path / "step.onnx")
    words = [f"--model={tmp_path / 'step.onnx'}" if "--model" in word else word for word in WORDS]
    assert seen_by(cann, tmp_path, *words)[0] == [*words, KEPT]


def training_step(**options: bool) -> onnx.ModelProto:
    return mpg.add_training_step(
        forward_model("logits = MatMul (x, w)", {"w": np.ones((3, 4), np.float32)}, inputs="float[2,3] x"),
        **options,
    )


@pytest.mark.parametrize("backend", [(), ("--backend=cann",), ("--backend", "auto")])
def test_atc_gets_our_flags_and_every_other(
    cann: Installed, tmp_path: Path, backend: tuple[str, ...]
) -> None:
    others = ("--op_debug_level=3", "-made-up", "value", "--insert_op_conf", "a.cfg", "--precision_mode=fp9")
    arguments, _ = seen_by(cann, tmp_path, *WORDS, *others, *backend)
    assert arguments == [*WORDS, *others]


def test_types_are_kept_unless_said_otherwise(cann: Installed, tmp_path: Path) -> None:
    assert seen_by(cann, tmp_path, *WORDS)[0] == [*WORDS, KEPT]
    asked = "--precision_mode_v2=fp16"
    assert seen_by(cann, tmp_path, *WORDS, asked)[0] == [*WORDS, asked]
    assert seen_by(cann, tmp_path, "--mode=6", "--om=a.om", "--backend=cann")[0] == ["--mode=6", "--om=a.om"]


def test_it_says_which_backend_it_took_and_that_types_are_kept(cann: Installed) -> None:
    path = cann.atc_does("print('hello')")
    code, out, err = atc(*WORDS)
    assert (code, out) == (0, "hello\n")
    first, second = err.splitlines()
    assert f"the backend is cann: {path}, CANN 8.1.0; --backend=embedded" in first
    assert "force_fp16" in second
    assert "force_fp16" not in atc(*WORDS, "--precision_mode=force_fp16")[2]


def test_the_environment_is_that_of_set_env(
    cann: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/mine:{cann.home / 'lib64'}")
    monkeypatch.setenv("TOOLCHAIN_HOME", "/other")
    _, seen = seen_by(cann, tmp_path, *WORDS)
    assert seen["LD_LIBRARY_PATH"] == f"{cann.home / 'lib64'}:/mine"
    assert seen["PYTHONPATH"].split(":")[0] == str(cann.home / "python/site-packages")
    assert seen["PATH"].split(":")[0] == str(cann.home / "bin")
    assert seen["ASCEND_OPP_PATH"] == str(cann.home / "opp")
    assert seen["ASCEND_AICPU_PATH"] == seen["ASCEND_TOOLKIT_HOME"] == str(cann.home)
    assert seen["TOOLCHAIN_HOME"] == "/other", "what is set already stays"
    assert "ASCEND_CUSTOM_OPP_PATH" not in seen


@pytest.mark.parametrize("place", ["cann/opp/vendors/ours", "home/opp/vendors/ours"])
def test_a_plugin_that_cann_would_not_find_is_shown_to_it(
    cann: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", "/theirs")
    cann.plugin_in(tmp_path / place)
    assert seen_by(cann, tmp_path, *WORDS)[1]["ASCEND_CUSTOM_OPP_PATH"] == f"{tmp_path / place}:/theirs"


def test_a_plugin_that_cann_finds_stays_where_it_is(
    cann: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendor = tmp_path / "custom"
    cann.plugin_in(vendor)
    monkeypatch.setenv("ASCEND_CUSTOM_OPP_PATH", f"/theirs:{vendor}")
    assert seen_by(cann, tmp_path, *WORDS)[1]["ASCEND_CUSTOM_OPP_PATH"] == f"/theirs:{vendor}"
    monkeypatch.delenv("ASCEND_CUSTOM_OPP_PATH")
    vendors = cann.home / "opp" / "vendors"
    (vendors / "config.ini").write_text("load_priority=ours\n")
    cann.plugin_in(vendors / "ours")
    assert "ASCEND_CUSTOM_OPP_PATH" not in seen_by(cann, tmp_path, *WORDS)[1]


class _Marking(io.StringIO):
    """Makes a file when the first text comes."""

    def __init__(self, mark: Path) -> None:
        super().__init__()
        self.mark = mark

    def write(self, text: str) -> int:
        self.mark.touch()
        return super().write(text)


def test_output_is_shown_as_it_comes(cann: Installed, tmp_path: Path) -> None:
    """This atc goes on only when its first words have been shown, and without that for a minute."""
    mark = tmp_path / "shown"
    cann.atc_does(
        f"""
        print("...", end="", flush=True)
        end = time.monotonic() + 60
        while not os.path.exists({str(mark)!r}) and time.monotonic() < end:
            time.sleep(0.01)
        print("late" if time.monotonic() < end else "never", file=sys.stderr, flush=True)
        """
    )
    stdout = _Marking(mark)
    assert run(WORDS, stdout, io.StringIO()) == 0
    assert stdout.getvalue() == "...late\n"


def test_output_that_is_no_utf_8(cann: Installed) -> None:
    cann.atc_does(
        r"""
        sys.stdout.buffer.write(b"\xc3")
        sys.stdout.flush()
        time.sleep(0.1)
        sys.stdout.buffer.write(b"\xa9 \xff\n" + "\u4e2d".encode("gbk"))
        """
    )
    assert atc(*WORDS)[1] == "é \\xff\n\\xd6\\xd0"


@pytest.mark.parametrize("form", [NEW, OLD, OLDEST])
@pytest.mark.parametrize(
    ("code", "text", "told"),
    [
        ("E16002", f"No parser is registered for Op [p], optype [{KEY}].", "our plugin is not installed"),
        ("E19010", f"No parser is registered for Op [p], optype [{KEY}].", "`maxpoolgrad plugin build`"),
        ("E16002", "optype [ai.onnx::20::Relu]", "ai.onnx 8 to 18"),
        ("E16002", "optype [maxpoolgrad::1::SGD]", "`maxpoolgrad grad --unfold`"),
        ("E10501", "IR for Op [p, optype [MaxPoolV3Grad]], is not registered", "prototype is not registered"),
        ("E19999", "the opset import of domain npu is missing", "`maxpoolgrad check MODEL`"),
        ("EZ3003", "No supported Ops kernel and engine are found for [p]", "float16 and float32"),
        ("EZ3002", "Optype [MaxPoolV3Grad] of Ops kernel is unsupported", "float16 and float32"),
        ("E16005", "The model has 2 [--domain_version] fields", "one opset import only"),
    ],
)
def test_each_failure_is_explained(cann: Installed, form: str, code: str, text: str, told: str) -> None:
    cann.atc_does(f"print({form.format(code=code, text=text)!r}); sys.exit(255)")
    exit_code, out, err = atc(*WORDS, KEPT)
    assert exit_code == 255
    assert out.splitlines() == [form.format(code=code, text=text)]
    sentence = err.splitlines()[-1].partition("Notice: ")[2]
    assert sentence.startswith(f"{code}: ")
    assert told in sentence


def test_a_plugin_that_did_not_help_is_another_failure(cann: Installed, tmp_path: Path) -> None:
    vendor = cann.home / "opp" / "vendors" / "ours"
    cann.plugin_in(vendor)
    cann.atc_does(f"print({NEW.format(code='E16002', text=KEY)!r}); sys.exit(1)")
    err = atc(*WORDS)[2]
    assert f"the plugin in {vendor} did not help" in err
    assert "dlopen failed" in err


def test_a_failure_is_explained_once_and_only_if_atc_failed(cann: Installed) -> None:
    line = NEW.format(code="E16002", text=KEY)
    cann.atc_does(f"print({line!r}); print({line!r}, end=''); sys.exit(1)")
    assert atc(*WORDS)[2].count("E16002: ") == 1
    cann.atc_does(f"print({line!r})")
    assert "E16002: " not in atc(*WORDS)[2]


def test_every_code_with_an_explanation_has_one_in_a_sentence() -> None:
    for code in CODES:
        for plugin in (None, Path("/vendor")):
            (sentence,) = explanations([Message(code, KEY)], plugin)
            assert sentence.startswith(f"{code}: ")
            assert "\n" not in sentence
    assert explanations([Message("E10001", "x")], None) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[PID: 3] 2026-01-01-00:00:00.000.001 Inner_Error(E19999): x", Message("E19999", "x")),
        ("E19999: Inner Error!", Message("E19999", "Inner Error!")),
        ("  EZ3003: [PID: 3] 2026-01-01-00:00:00.000.001 x", Message("EZ3003", "x")),
        ("EE1001  x", Message("EE1001", "x")),
        ("ATC start working now, please wait for a moment.", None),
        ("the file E10001: x", None),
        ("E12", None),
        ("ERROR 10001: x", None),
    ],
)
def test_messages_are_found(line: str, message: Message | None) -> None:
    assert message_in(line) == message


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL])
def test_a_crash_by_a_signal(cann: Installed, number: signal.Signals) -> None:
    cann.atc_does(f"print('working', flush=True); os.kill(os.getpid(), {int(number)})")
    code, out, err = atc(*WORDS)
    assert (code, out) == (128 + number, "working\n")
    assert f"atc was ended by the signal {int(number)} ({number.name})" in err


def test_an_atc_that_cannot_be_started(cann: Installed) -> None:
    cann.atc_does("").write_text("no program")
    code, out, err = atc(*WORDS)
    assert code == 1
    assert "ATC run failed" in out
    assert "it cannot be started: exec format error" in err


def test_a_child_that_holds_the_output_open_is_not_waited_for(cann: Installed) -> None:
    cann.atc_does("subprocess.Popen(['sleep', '60']); print('done')")
    before = time.monotonic()
    assert atc(*WORDS)[:2] == (0, "done\n")
    assert time.monotonic() - before < 20


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_ends_atc_and_what_atc_started(
    cann: Installed, tmp_path: Path, number: signal.Signals
) -> None:
    pids = tmp_path / "pids"
    cann.atc_does(
        f"""
        child = subprocess.Popen(["sleep", "60"])
        open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
        print("ready", flush=True)
        time.sleep(60)
        """
    )
    command = [sys.executable, "-m", "maxpoolgrad_onnx.converters.cli", "atc", *WORDS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.wait(20) == 128 + number
    assert not any(_is_running(int(pid)) for pid in pids.read_text().split())


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_without_an_atc(tmp_path: Path) -> None:
    code, _, err = atc(*WORDS, "--backend=cann")
    assert code == 1
    assert "(E10055): --backend is 'cann', but no atc was found" in err
    assert "--backend=embedded" in err


def test_a_backend_that_there_is_not() -> None:
    assert "(E10001): --backend is 'gpu'; allowed are auto, embedded, cann" in atc(*WORDS, "--backend=gpu")[2]


def test_auto_is_embedded_where_there_is_no_cann_and_for_what_only_shows(
    cann: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cann.atc_does("print('the real atc')")
    assert "the real atc" not in atc("--mode=6", "--om=none.om")[1]
    assert "the real atc" not in atc(*WORDS, "--backend=embedded")[1]
    assert "the real atc" in atc(*WORDS, "--mode=3")[1]
    monkeypatch.delenv("ASCEND_HOME_PATH")
    assert "the real atc" not in atc(*WORDS)[1]
    assert os.environ.get("ASCEND_HOME_PATH") is None
