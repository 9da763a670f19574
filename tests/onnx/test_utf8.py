"""Texts in a model that are not UTF-8: protobuf reads them, nobody after it can."""

from __future__ import annotations

import pytest

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.model import make_model
from maxpoolgrad_onnx.model_files import parse_model


@pytest.mark.parametrize("text", [b"some_node", b"orig_input", b"padding_mode", b"npu"])
def test_a_text_that_is_not_utf8_is_refused(text: bytes) -> None:
    data = make_model(
        [1, 1, 4, 4], name="some_node", ksize=[1, 1, 2, 2], strides=[1, 1, 2, 2]
    ).SerializeToString()
    parse_model(data, "m.onnx")
    with pytest.raises(MaxPoolGradError, match=r"^m\.onnx: a name or text in it is not UTF-8"):
        parse_model(data.replace(text, b"\xff" + text[1:], 1), "m.onnx")
