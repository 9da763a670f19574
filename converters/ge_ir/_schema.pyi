# Made from proto/*.proto when the package is built.
DESCRIPTOR_SET: bytes
