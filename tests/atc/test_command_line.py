"""atc's command line: what is read as what, and what is refused in which words."""

from __future__ import annotations

import pytest

from maxpoolgrad_onnx import MaxPoolGradError
from maxpoolgrad_onnx.converters.atc.command_line import FlagError, parse
from maxpoolgrad_onnx.converters.atc.flags import BY_NAME, FLAGS
from maxpoolgrad_onnx.converters.atc.usage import usage


@pytest.mark.parametrize(
    "words",
    [
        ["--soc_version=Ascend910B1"],
        ["--soc_version", "Ascend910B1"],
        ["-soc_version=Ascend910B1"],
        ["-soc_version", "Ascend910B1"],
        ["--soc-version=Ascend910B1"],
        ["-soc-version", "Ascend910B1"],
    ],
)
def test_a_flag_can_be_written_in_six_ways(words: list[str]) -> None:
    assert parse(words) == {"soc_version": "Ascend910B1"}


def test_dashes_in_a_value_stay() -> None:
    assert parse(["--output=a-b", "--model", "--c-d"]) == {"output": "a-b", "model": "--c-d"}


def test_a_value_may_hold_an_equals_sign() -> None:
    assert parse(["--input_shape=a=b:1,2"]) == {"input_shape": "a=b:1,2"}


def test_ints_are_read_as_ints_and_the_last_value_counts() -> None:
    assert parse(["--framework=1", "--framework=5", "--mode", "0"]) == {"framework": 5, "mode": 0}


@pytest.mark.parametrize("text", ["", "=1", "=t", "=true", "=y", "=YES"])
def test_a_bool_that_is_true(text: str) -> None:
    assert parse([f"--help{text}"]) == {"help": True}


@pytest.mark.parametrize("text", ["0", "f", "False", "n", "no"])
def test_a_bool_that_is_false(text: str) -> None:
    assert parse([f"--help={text}"]) == {"help": False}


@pytest.mark.parametrize(("words", "name"), [(["--x=1"], "x"), (["-batch-size", "1"], "batch_size")])
def test_an_unknown_flag_is_named_in_atcs_words(words: list[str], name: str) -> None:
    with pytest.raises(FlagError) as caught:
        parse(words)
    assert str(caught.value) == f"unknown command line flag '{name}'"


@pytest.mark.parametrize("words", [["model.onnx"], ["--mode=0", "x"], ["--", "--mode=0"], ["-"], ["-5"]])
def test_words_that_belong_to_no_flag_are_refused(words: list[str]) -> None:
    with pytest.raises(FlagError, match="Non-option parameter"):
        parse(words)


def test_a_missing_value_is_refused() -> None:
    with pytest.raises(FlagError, match=r"flag '--model' is missing its argument"):
        parse(["--mode=0", "--model"])


@pytest.mark.parametrize(
    ("word", "code", "allowed"),
    [
        ("--mode=9", "E10001", "allowed are 0, 1, 3, 5, 6"),
        ("--framework=2", "E10001", "allowed are 1, 5"),
        ("--precision_mode=fp8", "E10001", "must_keep_origin_dtype"),
        ("--log=loud", "E10001", "debug, info, warning, error, null"),
        ("--backend=gpu", "E10001", "auto, embedded, cann"),
        ("--help=maybe", "E10003", "true or false"),
    ],
)
def test_a_value_outside_its_range_is_refused(word: str, code: str, allowed: str) -> None:
    with pytest.raises(MaxPoolGradError) as caught:
        parse([word])
    name, value = word.split("=")
    assert caught.value.code == code
    assert str(caught.value).startswith(f"{name} is {value!r}; ")
    assert allowed in str(caught.value)


def test_the_usage_shows_every_flag() -> None:
    text = usage()
    assert all(f"--{flag.name} " in text for flag in FLAGS)
    assert max(map(len, text.splitlines())) <= 110


def test_the_table_of_flags_is_sound() -> None:
    assert len(BY_NAME) == len(FLAGS)
    for flag in FLAGS:
        if flag.choices and flag.default not in ("", -1):
            assert str(flag.default) in flag.choices, flag
        assert set(flag.embedded or ()) <= set(flag.choices), flag
