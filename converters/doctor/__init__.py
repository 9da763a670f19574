"""What this machine has of all that the package can use, and what each lack costs."""

from .examine import examine
from .finding import Finding, findings_as_json

__all__ = ["Finding", "examine", "findings_as_json"]
