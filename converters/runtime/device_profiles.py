"""The profiles of a model on a device: the batch sizes, image sizes or dims that it was compiled for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from maxpoolgrad_onnx.errors import MaxPoolGradError

from .acl_calls import Acl
from .tensors import TensorInfo

SELECTOR = "ascend_mbatch_shape_data"
"""The input that atc adds to a model with profiles: it says which one runs."""

_ANY = -1  # pyACL's index where a question is of the whole model


@dataclass(frozen=True)
class DeviceProfiles:
    """What a model was compiled for: `call` is pyACL's to choose one, `choices` what it takes.

    A choice is (batch,), (height, width), or the sizes of all inputs in a row.
    """

    call: str
    choices: Sequence[tuple[int, ...]]

    def chosen(
        self, path: str, infos: Sequence[TensorInfo], shapes: Sequence[tuple[int, ...]]
    ) -> tuple[object, ...]:
        """The arguments that choose the profile of these input shapes.

        Raises MaxPoolGradError (145000) that lists the profiles where there is none.
        """
        every = tuple(size for shape in shapes for size in shape)
        open_sizes = tuple(
            size
            for info, shape in zip(infos, shapes, strict=True)
            for size, fixed in zip(shape, info.shape or (), strict=False)
            if fixed < 0
        )
        wanted = every if self.call == _DIMS else open_sizes[: len(self.choices[0])]
        consistent = self.call == _DIMS or open_sizes == wanted * (len(open_sizes) // max(len(wanted), 1))
        if wanted not in self.choices or not consistent:
            allowed = ", ".join(str(list(choice)) for choice in self.choices)
            given = list(every if self.call == _DIMS else open_sizes)
            raise MaxPoolGradError(
                f"{path}: the inputs' {'' if self.call == _DIMS else 'open '}sizes are {given}; it was "
                f"compiled for {allowed}: give arrays of one of them",
                code="145000",
            )
        if self.call == _DIMS:
            return ({"name": "", "dimCount": len(wanted), "dims": list(wanted)},)
        return wanted


_BATCH = "mdl.set_dynamic_batch_size"
_IMAGE = "mdl.set_dynamic_hw_size"
_DIMS = "mdl.set_input_dynamic_dims"


def device_profiles(acl: Acl, description: int) -> DeviceProfiles | None:
    """The profiles in a model's description, or None where it has none."""
    batches = acl.call("mdl.get_dynamic_batch", description)
    if batches.get("batchCount"):
        return DeviceProfiles(_BATCH, [(int(size),) for size in batches["batch"]])
    images = acl.call("mdl.get_dynamic_hw", description, _ANY)
    if images.get("hwCount"):
        return DeviceProfiles(_IMAGE, [(int(height), int(width)) for height, width in images["hw"]])
    count = acl.call("mdl.get_input_dynamic_gear_count", description, _ANY)
    if count:
        dims = acl.call("mdl.get_input_dynamic_dims", description, _ANY, count)
        return DeviceProfiles(_DIMS, [tuple(map(int, gear["dims"])) for gear in dims])
    return None
