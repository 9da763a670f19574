"""Prototypes of GE's operators, a file per family."""
