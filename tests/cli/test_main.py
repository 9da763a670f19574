"""The command line as a whole: help, exit codes, streams, what a user sees of any failure."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx import MaxPoolGradError, __version__
from maxpoolgrad_onnx.converters.cli import main as main_module
from maxpoolgrad_onnx.converters.cli.main import COMMANDS, main
from maxpoolgrad_onnx.model_files import load_model

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_the_help_lists_every_command(flag: str, capfd: Capture) -> None:
    assert main([flag]) == 0
    captured = capfd.readouterr()
    assert all(f"\n  {name} " in captured.out for name in COMMANDS)
    assert "..." not in captured.out.partition("Commands:")[2], "cut short"
    assert captured.err == ""


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "atc"])
def test_every_command_has_a_help(name: str, capfd: Capture) -> None:
    assert main([name, "--help"]) == 0
    assert capfd.readouterr().out.startswith(f"Usage: maxpoolgrad {name} ")


def test_the_version(capfd: Capture) -> None:
    assert main(["--version"]) == 0
    assert __version__ in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nonsense"], "No such command 'nonsense'"),
        (["--nonsense"], "No such option"),
        (["inspect"], "Missing argument 'FILE'; see 'maxpoolgrad inspect --help'"),
        (["inspect", "--nonsense", "x"], "No such option"),
        (["make", "x.onnx", "--shape", "1,2,a b", "--ksize", "2"], "is not a list such as 1,3,8,8"),
        (["make", "x.onnx", "--shape", "1,2,3,4", "--ksize", "2,2,2"], "allowed are 1 or 2 or 4"),
        (["run"], "Missing argument 'MODEL'"),
        (["check", "x", "--target"], "'--target' requires an argument; see 'maxpoolgrad check --help'"),
        (["run", "a.om", "--model", "b.om"], "MODEL is a.om, --model is b.om; give one of them"),
    ],
)
def test_a_usage_error_is_one_line_and_exit_2(words: list[str], told: str, capfd: Capture) -> None:
    assert main(words) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("error: ")
    assert told in captured.err


def test_without_a_command_the_help_goes_to_stderr(capfd: Capture) -> None:
    assert main([]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "Commands:" in captured.err


def _raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    @click.command()
    def command() -> None:
        raise error

    monkeypatch.setattr(main_module.maxpoolgrad, "get_command", lambda ctx, name: command)


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (MaxPoolGradError("node 'a': 1;\nallowed is 2"), 1, "error: node 'a': 1; allowed is 2\n"),
        (FileNotFoundError(2, "No such file or directory", "x"), 1, "error: x: no such file or directory\n"),
        (OSError(28, "No space left on device"), 1, "error: no space left on device\n"),
        (click.ClickException("no"), 1, "error: no\n"),
        (
            ZeroDivisionError("by zero"),
            1,
            "error: internal error: ZeroDivisionError: by zero; please report",
        ),
        (MemoryError(), 1, "error: out of memory"),
    ],
)
def test_a_failure_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: Capture, error: Exception, code: int, line: str
) -> None:
    _raising(monkeypatch, error)
    assert main(["x"]) == code
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(line)
    assert captured.err.count("\n") == 1


def test_an_interrupt(monkeypatch: pytest.MonkeyPatch, capfd: Capture) -> None:
    _raising(monkeypatch, KeyboardInterrupt())
    assert main(["x"]) == 130
    assert capfd.readouterr().err.strip() == ""


def test_the_traceback_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    _raising(monkeypatch, ZeroDivisionError())
    monkeypatch.setenv("MAXPOOLGRAD_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main(["x"])


def _command(*words: str, **arguments: object) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("maxpoolgrad")
    return subprocess.run([program, *words], text=True, capture_output=True, check=False, **arguments)  # type: ignore[call-overload,no-any-return]


def test_the_installed_command(tmp_path: Path) -> None:
    done = _command("inspect", "missing.om", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == "error: missing.om: cannot be read: no such file or directory\n"


def test_a_reader_that_goes_away_is_no_error() -> None:
    program = Path(sys.executable).with_name("maxpoolgrad")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([program, "doctor"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["train", "--help"], ["atc", "--help"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys; from maxpoolgrad_onnx.converters.cli.main import main; main(sys.argv[1:]); "
        "heavy = {'onnx', 'onnxruntime', 'onnx_ir', 'numpy', 'torch', 'matplotlib'} & set(sys.modules); "
        "print(sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], text=True, capture_output=True, check=True)
    assert done.stderr == "[]\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed(closed: str, tmp_path: Path) -> None:
    """Files that are opened would get their numbers, and what is printed with them."""
    program = Path(sys.executable).with_name("maxpoolgrad")
    made = "make m.onnx --shape 1,1,4,4 --ksize 2"
    for words, code in ((made, 0), ("inspect m.onnx", 0), ("atc --help", 0), ("inspect missing.om", 1)):
        done = subprocess.run(
            f"{program} {words} {closed}",
            shell=True,
            cwd=tmp_path,
            text=True,
            capture_output=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert "internal error" not in done.stderr
    assert mpg.check(load_model(tmp_path / "m.onnx")) == []


def test_a_file_that_may_not_be_read_is_no_usage_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    """click looks at permissions, too, which for root are none."""
    file = tmp_path / "m.onnx"
    file.write_bytes(b"x")
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    assert main(["inspect", str(file)]) == 1
    assert "is not readable" not in capfd.readouterr().err


def test_onnxruntime_is_not_let_print_of_telemetry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    assert main(["--version"]) == 0
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    assert main(["--version"]) == 0
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "0"
