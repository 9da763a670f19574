"""The entry point: finds the command, and turns whatever it raises into one line and an exit code."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

import click

from maxpoolgrad_onnx import __version__
from maxpoolgrad_onnx.errors import one_line, sentence_of

# In the order of a user's way through them; each is the click command `command` of the module of that name.
COMMANDS = (
    "make",
    "check",
    "grad",
    "rewrite",
    "atc",
    "inspect",
    "run",
    "train",
    "export",
    "kernel-report",
    "bench",
    "plugin",
    "doctor",
    "demo",
)

FAILED = 1
USAGE_ERROR = 2
INTERRUPTED = 130


class _LazyGroup(click.Group):
    """Imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f".{cmd_name.replace('-', '_')}", __package__).command
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=_LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="maxpoolgrad")
@click.pass_context
def maxpoolgrad(context: click.Context) -> None:
    """The gradient of max pooling, from an ONNX model to an Ascend NPU.

    \b
    A forward model becomes a training step, the step an .om, the .om is trained:
      maxpoolgrad grad forward.onnx -o step.onnx
      maxpoolgrad atc --framework=5 --model=step.onnx --output=step --soc_version=Ascend910B1
      maxpoolgrad train step.om --data images.npz --forward forward.onnx -o trained.npz
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(USAGE_ERROR)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (sys.argv's where none is given) and return its exit code.

    0 done; 1 a problem, one line of stderr for each; 2 a usage error; 130 interrupted, 143 told to end.
    """
    _open_closed_streams()
    _never_fail_to_print()
    logging.lastResort = logging.NullHandler()  # libraries log what they raise, too; a problem is one line
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    # ONNX Runtime 1.32 sends telemetry, and warns on stderr where it cannot.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    try:
        with _unwinding_at_signals():
            return _run(arguments)
    except _Ended as ended:
        return 128 + ended.signal


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = maxpoolgrad.main(arguments, prog_name="maxpoolgrad", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        return _fail(_usage_sentence(error, sys.argv[1:] if arguments is None else arguments), USAGE_ERROR)
    except click.ClickException as error:
        return _fail(one_line(error.format_message()), FAILED)
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _discard_stdout()
        return FAILED
    except Exception as error:
        if os.environ.get("MAXPOOLGRAD_TRACEBACK") == "1":
            raise
        return _fail(sentence_of(error), FAILED)
    return code if isinstance(code, int) else 0


def _fail(sentence: str, code: int) -> int:
    click.echo(f"error: {sentence}", err=True)
    return code


def _usage_sentence(error: click.UsageError, arguments: Sequence[str]) -> str:
    if error.ctx:
        command = error.ctx.command_path
    else:  # click does not say whose option lacks its value
        command = " ".join(["maxpoolgrad", *(word for word in arguments[:1] if word in COMMANDS)])
    message = one_line(error.format_message()).rstrip(".")
    return f"{message}; see '{command} --help'"


class _Ended(BaseException):
    """A signal told the process to end."""

    def __init__(self, number: int) -> None:
        self.signal = number


@contextmanager
def _unwinding_at_signals() -> Iterator[None]:
    """Let what asks a process to end unwind it as Ctrl-C does, so that no temporary file stays behind."""

    def end(number: int, frame: FrameType | None) -> None:
        if _is_importing(frame):  # extension modules make a failed import of it, and print a traceback
            os._exit(128 + number)
        raise KeyboardInterrupt if number == signal.SIGINT else _Ended(number)

    in_main_thread = threading.current_thread() is threading.main_thread()  # others may not set handlers
    defaults = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGTERM: signal.SIG_DFL,
        signal.SIGHUP: signal.SIG_DFL,
    }
    handled = {number: own for number, own in defaults.items() if signal.getsignal(number) == own}
    for number in handled if in_main_thread else {}:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, own in handled.items() if in_main_thread else ():
            signal.signal(number, own)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported in this frame or one that called it."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _open_closed_streams() -> None:
    """Open what the shell has closed: the next file would get its number, and all that is printed with it."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, os.fdopen(number, mode, closefd=False))


def _never_fail_to_print() -> None:
    """A name that the terminal cannot show is shown escaped."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _discard_stdout() -> None:
    """Keep the interpreter from failing once more when it flushes stdout at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
