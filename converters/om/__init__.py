"""The .om: its container (header, container), its partitions (weights, inout_info), its model (model)."""

from .container import OmFile, Partition, PartitionType
from .header import Header
from .launches import launches_of
from .metadata import Metadata, for_host, metadata_of
from .model import from_om, to_om

__all__ = [
    "Header",
    "Metadata",
    "OmFile",
    "Partition",
    "PartitionType",
    "for_host",
    "from_om",
    "launches_of",
    "metadata_of",
    "to_om",
]
