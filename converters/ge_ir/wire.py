"""The messages of the wire schema, as protobuf classes.

The .proto files are compiled to a descriptor set when the package is built, and the classes are made from it
here, in a pool of their own: a descriptor set does not depend on the protobuf release that reads it, and
CANN's Python packages define messages of the same names in protobuf's default pool.
"""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from ._schema import DESCRIPTOR_SET

_POOL = descriptor_pool.DescriptorPool()
for _file in descriptor_pb2.FileDescriptorSet.FromString(DESCRIPTOR_SET).file:
    _POOL.AddSerializedFile(_file.SerializeToString())


def _message(name: str) -> Any:
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName(name))


ModelDef = _message("ge.proto.ModelDef")
ModelTaskDef = _message("domi.ModelTaskDef")
