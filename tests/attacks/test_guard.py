"""The guard that hostile files are run under notices what it is there for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support_guarded import MEMORY, SECONDS, Guarded

DEEDS = {
    "crash": ("import os; os.abort()", "ended with SIGABRT"),
    "bad access": ("import ctypes; ctypes.string_at(0)", "ended with SIGSEGV"),
    "exit": ("import os; os._exit(3)", "ended with 3"),
    "hang": ("while True: pass", f"more than {SECONDS} s"),
    "memory": (f"bytes({MEMORY} + 1)[::4096]; b'x' * ({MEMORY} + 1)", "MiB of memory"),
    "bomb": ("[b'x' * 2**28 for _ in range(64)]", "ended with"),
    "write": ("open('evil', 'w')", "outside: open"),
    "folder": ("import os; os.mkdir('../evil')", "outside: os.mkdir"),
    "rename": ("import os; os.rename('weights.bin', '../moved')", "outside: os.rename"),
    "secret": ("open('up/secret.bin', 'rb')", "outside: open"),
    "native log": ("import os; os.write(2, b'I am ORT\\n')", "wrote to stderr 'I am ORT'"),
    "internal": ("import sys; print('error: internal error: E', file=sys.stderr)", "told error: internal"),
    "problem without a code": ("import sys; print('error: a', file=sys.stderr)", "gave 0 with 1 problems"),
    "many lines": ("import sys; print('warning: a\\n' * 99, end='', file=sys.stderr)", "wrote 99 lines"),
}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with Guarded(tmp_path_factory.mktemp("guarded")) as running:
        yield running


@pytest.mark.parametrize("name", DEEDS)
def test_it_notices(name: str, guarded: Guarded) -> None:
    code, words = DEEDS[name]
    assert words in guarded.run(["-c", code]).complaint


def test_it_goes_on_after_the_end_of_a_process(guarded: Guarded) -> None:
    assert guarded.run(["-c", "import os; os.abort()"]).complaint
    assert not guarded.run(["-c", "pass"]).complaint


def test_it_lets_results_pass(guarded: Guarded) -> None:
    assert not guarded.run(["-c", f"open({str(guarded.out / 'x')!r}, 'w').write('x')"]).complaint
