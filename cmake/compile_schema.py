"""Compile .proto files into a Python module that holds their descriptor set.

Usage: compile_schema.py OUTPUT.py FILE.proto...
"""

import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc


def descriptor_set(protos: list[Path]) -> bytes:
    """The serialized google.protobuf.FileDescriptorSet of the files, which lie in one folder."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "schema.binpb"
        names = [proto.name for proto in protos]
        arguments = [f"--proto_path={protos[0].parent}", f"--descriptor_set_out={output}", *names]
        if protoc.main(["protoc", *arguments]) != 0:
            sys.exit("protoc failed on " + ", ".join(map(str, protos)))
        return output.read_bytes()


def main(output: str, *protos: str) -> None:
    """Write the module."""
    data = descriptor_set([Path(proto) for proto in protos])
    lines = [f"    {data[start : start + 24]!r}\n" for start in range(0, len(data), 24)]
    Path(output).write_text("DESCRIPTOR_SET = (\n" + "".join(lines) + ")\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
