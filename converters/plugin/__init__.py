"""The operator's package for a machine with CANN: built there, installed there, and proved there."""

from .build import build
from .install import install
from .selftest import SelfTest, selftest

__all__ = ["SelfTest", "build", "install", "selftest"]
