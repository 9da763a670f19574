"""Profiles: one model for several sizes of its inputs, as atc's --dynamic_... flags make it."""

from .case_graph import case_model
from .cases import ProfiledModel, profiled_model
from .profiles import Kind, Profiles

__all__ = ["Kind", "ProfiledModel", "Profiles", "case_model", "profiled_model"]
