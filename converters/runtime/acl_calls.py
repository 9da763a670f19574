"""pyACL's module `acl`, its return codes turned into sentences.

Signatures are those of CANN's public pyACL reference. Nothing here has run on an NPU: the calls are tested
against a recorded stand-in.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import sys
from operator import attrgetter
from types import ModuleType
from typing import Any

from maxpoolgrad_onnx.errors import MaxPoolGradError

from .acl_codes import ALREADY_INITIALIZED, error_code, explanation, shortened


def is_installed() -> bool:
    """Whether Python finds pyACL: CANN's set_env.sh puts it on the path."""
    try:
        return importlib.util.find_spec("acl") is not None
    except ValueError:  # imported, but by no loader
        return sys.modules["acl"] is not None


def acl_module(path: str) -> ModuleType:
    """pyACL. Raises MaxPoolGradError that names the model in `path` where it is missing or does not load."""
    cure = "source CANN's set_env.sh, then run `maxpoolgrad doctor`"
    if not is_installed():
        raise MaxPoolGradError(
            f"{path}: a device is reached through pyACL, and Python finds no module acl; {cure}"
        )
    try:
        module = importlib.import_module("acl")
    except ImportError as error:
        raise MaxPoolGradError(f"{path}: pyACL does not load: {error}; {cure}") from error
    if not hasattr(module, "mdl"):
        found = getattr(module, "__file__", None)
        raise MaxPoolGradError(f"{path}: the module acl that Python finds, {found}, is not pyACL; {cure}")
    return module


class Acl:
    """Calls into pyACL for one model, which errors name. AscendCL is initialized with the first of them."""

    def __init__(self, module: ModuleType, path: str, config: str | None = None) -> None:
        """`config` is the path of an acl.json, which AscendCL reads once in a process."""
        self._module = module
        self._path = path
        _initialize(module, path, config)

    def call(self, name: str, *arguments: object) -> Any:
        """acl.<name>(...), which returns a code or (value, code): gives the value.

        Raises MaxPoolGradError where the code is not 0.
        """
        value, code = _result(self._module, name, arguments)
        if code:
            raise failure(self._module, self._path, name, code)
        return value

    def code(self, name: str, *arguments: object) -> int:
        """acl.<name>(...), of which only the code counts, and nothing is raised."""
        return _result(self._module, name, arguments)[1]

    def get(self, name: str, *arguments: object) -> Any:
        """acl.<name>(...), which returns a value only."""
        return attrgetter(name)(self._module)(*arguments)

    def make(self, name: str, *arguments: object) -> int:
        """acl.<name>(...), which returns a handle only. Raises MaxPoolGradError where it is 0."""
        handle: int = self.get(name, *arguments)
        if not handle:
            raise MaxPoolGradError(
                f"{self._path}: acl.{name} gave nothing; end other processes on the device, and run again"
            )
        return handle

    def failure(self, name: str, code: int) -> MaxPoolGradError:
        """The error for a code that `code` gave."""
        return failure(self._module, self._path, name, code)


def failure(module: ModuleType, path: str, name: str, code: int) -> MaxPoolGradError:
    """The error for a call's return code: the call, the code, what it means, CANN's words, what to do."""
    said = getattr(module, "get_recent_err_msg", str)() or ""
    meaning, cure = explanation(code, said)
    words = f" ({shortened(said)})" if said else ""
    sentence = f"{path}: acl.{name} returned {code}: {meaning}{words}; {cure}"
    return MaxPoolGradError(sentence, code=error_code(code, said))


def _result(module: ModuleType, name: str, arguments: tuple[object, ...]) -> tuple[Any, int]:
    result = attrgetter(name)(module)(*arguments)
    return result if isinstance(result, tuple) else (None, result)


_CONFIGURED: dict[ModuleType, str | None] = {}


def _initialize(module: ModuleType, path: str, config: str | None) -> None:
    """Initialize AscendCL, which works once in a process; it is released at the process's end.

    Where another library has initialized it, that one releases it.
    """
    if module in _CONFIGURED:
        if config not in (None, _CONFIGURED[module]):
            raise MaxPoolGradError(
                f"{path}: AscendCL has read its acl.json, which it does once in a process; give {config} to "
                "the first session"
            )
        return
    code = module.init(config) if config is not None else module.init()
    if code not in (0, ALREADY_INITIALIZED):
        raise failure(module, path, "init", code)
    _CONFIGURED[module] = config
    if not code:
        atexit.register(module.finalize)
