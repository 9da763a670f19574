"""The .om container: header, partition table, partitions."""
