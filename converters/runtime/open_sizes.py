"""Sizes that a model leaves open, said before a run: ais_bench's dymBatch, dymHW, dymDims and dymShape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from maxpoolgrad_onnx.errors import MaxPoolGradError, quoted

from .tensors import TensorInfo, check_names, fits


@dataclass(frozen=True)
class OpenSizes:
    """At most one of: `batch`, the first size; `image`, "height,width"; `dims` or `shape`, "x:1,3;y:2" for
    all inputs. `batchsize` is the first size, too, where one is open."""

    batch: int | None = None
    image: str | None = None
    dims: str | None = None
    shape: str | None = None
    batchsize: int | None = None

    @property
    def mode(self) -> str:
        """What ais_bench calls a run with such sizes."""
        said = {
            "dymbatch": self.batch,
            "dymhw": self.image,
            "dymdims": self.dims,
            "dymshape": self.shape,
        }
        return next((mode for mode, value in said.items() if value is not None), "static")

    def fixed(self, model: str, infos: Sequence[TensorInfo]) -> list[TensorInfo]:
        """The inputs with these sizes put in.

        Raises MaxPoolGradError (E10009 for two ways at once, E10001, E10016, 145000) with flag and value.
        """
        ways: list[tuple[str, object, Callable[[str, Sequence[TensorInfo]], list[TensorInfo]]]] = [
            ("dymBatch", self.batch, self._with_batch),
            ("dymHW", self.image, self._with_image),
            ("dymDims", self.dims, self._with_shapes),
            ("dymShape", self.shape, self._with_shapes),
        ]
        said = [(flag, way) for flag, value, way in ways if value is not None]
        if len(said) > 1:
            flags = " and ".join(flag for flag, _ in said)
            raise MaxPoolGradError(f"{flags} are given; keep one of them", code="E10009")
        found = list(infos) if not said else said[0][1](model, infos)
        if self.batchsize is not None:
            found = [_batched(info, self.batchsize) for info in found]
        return found

    def _with_batch(self, model: str, infos: Sequence[TensorInfo]) -> list[TensorInfo]:
        assert self.batch is not None
        if self.batch < 1:
            raise MaxPoolGradError(f"dymBatch is {self.batch}; it must be 1 or more", code="E10001")
        found = [_batched(info, self.batch) for info in infos]
        return _changed(model, infos, found, "dymBatch", "first size")

    def _with_image(self, model: str, infos: Sequence[TensorInfo]) -> list[TensorInfo]:
        sizes = _sizes("dymHW", self.image or "", "300,500")
        if len(sizes) != 2:
            raise MaxPoolGradError(
                f"dymHW is {quoted(self.image)}; give a height and a width, such as 300,500", code="E10001"
            )
        found = [_with_image(info, sizes) for info in infos]
        return _changed(model, infos, found, "dymHW", "height and width")

    def _with_shapes(self, model: str, infos: Sequence[TensorInfo]) -> list[TensorInfo]:
        flag, text = ("dymDims", self.dims) if self.dims is not None else ("dymShape", self.shape)
        shapes = {}
        for part in (text or "").strip(";").split(";"):
            name, _, sizes = part.rpartition(":")
            shapes[name] = _sizes(flag, sizes, "x:1,3,8,8;y:1,4") if sizes else ()
        check_names(model, [info.name for info in infos], list(shapes))
        for info in infos:
            if not fits(shapes[info.name], info.shape):
                raise MaxPoolGradError(
                    f"{model}: {flag} gives input {quoted(info.name)} the shape {list(shapes[info.name])}; "
                    f"it takes {list(info.shape or ())}",
                    code="145000",
                )
        return [replace(info, shape=shapes[info.name]) for info in infos]


def _batched(info: TensorInfo, batch: int) -> TensorInfo:
    if info.shape and info.shape[0] < 0:
        return replace(info, shape=(batch, *info.shape[1:]))
    return info


def _with_image(info: TensorInfo, sizes: tuple[int, ...]) -> TensorInfo:
    first = 1 if info.format == "NHWC" else 2
    if not info.shape or len(info.shape) != 4 or min(info.shape[first : first + 2]) >= 0:
        return info
    return replace(info, shape=(*info.shape[:first], *sizes, *info.shape[first + 2 :]))


def _changed(
    model: str, before: Sequence[TensorInfo], after: list[TensorInfo], flag: str, what: str
) -> list[TensorInfo]:
    if after == list(before):
        shapes = ", ".join(f"{quoted(info.name)} {list(info.shape or ())}" for info in before)
        raise MaxPoolGradError(
            f"{model}: {flag} is given, but no input leaves its {what} open: {shapes}; leave it out",
            code="145000",
        )
    return after


def _sizes(flag: str, text: str, example: str) -> tuple[int, ...]:
    try:
        return tuple(int(size) for size in text.split(","))
    except ValueError:
        raise MaxPoolGradError(
            f"{flag} has {quoted(text)}; sizes are written as in {example}", code="E10001"
        ) from None
