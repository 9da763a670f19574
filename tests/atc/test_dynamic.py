"""The flags that ask for profiles: what they say, and what is refused with which code."""

from __future__ import annotations

import pytest

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.converters.atc.dynamic import read_profiles
from maxpoolgrad_onnx.converters.atc.input_shape import parse_input_shapes
from maxpoolgrad_onnx.converters.profiles import Kind, Profiles

_BATCH, _IMAGE = "x:-1,3,8,8;r:2", "x:1,3,-1,-1"


def _read(shapes: str, **flags: str) -> Profiles:
    profiles = read_profiles(flags, parse_input_shapes(shapes))
    assert profiles is not None
    return profiles


def test_no_flag_no_profiles() -> None:
    assert read_profiles({"dynamic_dims": ""}, parse_input_shapes(_BATCH)) is None


def test_batch_sizes() -> None:
    profiles = _read(_BATCH, dynamic_batch_size="1, 2,4,")
    assert (profiles.kind, list(profiles.sizes), str(profiles)) == (Kind.BATCH, [(1,), (2,), (4,)], "1,2,4")
    assert profiles.shapes_of(1) == {"x": (2, 3, 8, 8), "r": (2,)}


def test_image_sizes() -> None:
    profiles = _read(_IMAGE, dynamic_image_size="224,224;448,300;")
    assert (profiles.kind, str(profiles)) == (Kind.IMAGE, "224,224;448,300")
    assert profiles.shapes_of(1) == {"x": (1, 3, 448, 300)}


def test_dims_go_to_the_inputs_in_their_order() -> None:
    profiles = _read("x:-1,3,-1;y:4,-1", dynamic_dims="1,2,3;4,5,6")
    assert profiles.kind is Kind.DIMS
    assert profiles.shapes_of(0) == {"x": (1, 3, 2), "y": (4, 3)}
    assert profiles.shapes_of(1) == {"x": (4, 3, 5), "y": (4, 6)}


def test_every_input_takes_the_whole_batch() -> None:
    profiles = _read("x:-1,3;y:-1", dynamic_batch_size="2,7")
    assert profiles.shapes_of(1) == {"x": (7, 3), "y": (7,)}


def test_shapes_lead_to_a_profile() -> None:
    profiles = _read(_BATCH, dynamic_batch_size="1,4")
    assert profiles.number_of({"x": (4, 3, 8, 8), "r": (2,), "other": (9,)}) == 1
    assert profiles.number_of({"x": (3, 3, 8, 8), "r": (2,)}) is None
    assert profiles.number_of({"x": (4, 3, 8, 8), "r": (3,)}) is None


@pytest.mark.parametrize(
    ("shapes", "flags", "code"),
    [
        (_BATCH, {"dynamic_batch_size": "1,2", "dynamic_image_size": "1,1;2,2"}, "E10009"),
        ("", {"dynamic_batch_size": "1,2"}, "E10004"),
        ("x:1~8,3", {"dynamic_batch_size": "1,2"}, "E10040"),
        ("x:1,3", {"dynamic_batch_size": "1,2"}, "E10031"),
        ("x:1,3,8,8", {"dynamic_image_size": "1,1;2,2"}, "E10019"),
        ("x:1,3", {"dynamic_dims": "1;2"}, "E10001"),
        ("x:-1,-1", {"dynamic_batch_size": "1,2"}, "E10018"),
        ("x:-1,3,-1,-1", {"dynamic_image_size": "1,1;2,2"}, "E10019"),
        ("x:3,-1,-1", {"dynamic_image_size": "1,1;2,2"}, "E10019"),
        (_BATCH, {"dynamic_batch_size": "1,two"}, "E10003"),
        (_BATCH, {"dynamic_batch_size": "1,-2"}, "E10003"),
        (_IMAGE, {"dynamic_image_size": "1,1;2"}, "E10020"),
        (_BATCH, {"dynamic_batch_size": "0,1"}, "E10038"),
        (_BATCH, {"dynamic_batch_size": "3"}, "E10035"),
        (_BATCH, {"dynamic_batch_size": ",".join(map(str, range(1, 102)))}, "E10036"),
        ("x:-1,-1", {"dynamic_dims": "1,2;3"}, "E10037"),
        (_BATCH, {"dynamic_batch_size": "1,2,1"}, "E10039"),
        ("x:-1,-1;y:-1", {"dynamic_dims": "1,2;3,4"}, "E10045"),
        ("x:-1,-1", {"dynamic_dims": "1;3"}, "E10045"),
    ],
)
def test_refusals(shapes: str, flags: dict[str, str], code: str) -> None:
    with pytest.raises(MaxPoolGradError) as caught:
        read_profiles(flags, parse_input_shapes(shapes))
    assert caught.value.code == code
    assert ";" in str(caught.value) or ":" in str(caught.value), "what to do instead"


def test_one_profile_is_one() -> None:
    with pytest.raises(MaxPoolGradError, match="has 1 profile; it takes 2 to 100"):
        read_profiles({"dynamic_batch_size": "3"}, parse_input_shapes("x:-1,3"))
