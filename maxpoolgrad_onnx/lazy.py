"""Public names that are imported on first use, so that importing their package costs next to nothing."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any


class LazyPackage(ModuleType):
    """A package that finds its public names in the modules that define them, once they are asked for.

    A submodule that bears the name of a public function does not hide it.
    """

    _homes: Mapping[str, str | None] = {}

    def __getattr__(self, name: str) -> Any:
        if name not in self._homes:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        home = self._homes[name]
        module = importlib.import_module(f".{home or name}", self.__name__)
        value = module if home is None else getattr(module, name)
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: object) -> None:
        if self._homes.get(name) is None or not isinstance(value, ModuleType):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *self._homes})


def import_on_first_use(package: str, homes: Mapping[str, str | None]) -> None:
    """Give a package its public names: each by the submodule that defines it, None where it is one itself."""
    module = sys.modules[package]
    module.__class__ = LazyPackage
    module.__dict__["_homes"] = homes
