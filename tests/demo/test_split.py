"""The published split, and the shifts."""

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

from maxpoolgrad_onnx.converters.demo.data import file_order_split, load_digits, shifted, stratified_split

# Of "index\n" for each held-out digit, ascending. The permutation is published, so this never changes.
PUBLISHED = "ff8475034f7131a12fd3d1abb0f92019c02dc912db4f594971c171d108149a0d"


@pytest.fixture(scope="module")
def labels() -> np.ndarray:
    return load_digits().labels


def test_split_is_the_published_one(labels):
    text = "".join(f"{index}\n" for index in stratified_split(labels).held_out)
    assert hashlib.sha256(text.encode()).hexdigest() == PUBLISHED == stratified_split(labels).fingerprint


def test_published_code_makes_the_split(labels):
    page = (Path(__file__).parents[2] / "docs" / "demo.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    published: dict = {}
    exec(code, published)
    assert published["held_out"] == stratified_split(labels).held_out.tolist()


def test_split_holds_out_a_fifth_of_each_class(labels):
    split = stratified_split(labels)
    counts, held_out = np.bincount(labels), np.bincount(labels[split.held_out])
    assert (len(split.training), len(split.held_out)) == (1438, 359)
    np.testing.assert_array_equal(held_out, np.round(counts / 5))


@pytest.mark.parametrize("name", ["stratified", "file order"])
def test_every_digit_is_either_trained_with_or_held_out(labels, name):
    split = stratified_split(labels) if name == "stratified" else file_order_split(len(labels))
    assert split.name == name
    np.testing.assert_array_equal(np.sort([*split.training, *split.held_out]), np.arange(len(labels)))


def test_file_order_holds_out_the_end_of_the_file(labels):
    assert file_order_split(len(labels)).held_out.tolist() == list(range(1438, 1797))


def test_images_are_digits_between_paper_and_ink():
    digits = load_digits()
    assert digits.images.shape == (1797, 1, 8, 8)
    assert digits.images.dtype == np.float32
    assert (digits.images.min(), digits.images.max()) == (0, 1)


class _Fixed:
    """Stands in for RandomState where a test wants certain shifts."""

    def __init__(self, down: float, right: float) -> None:
        self.shifts = (down, right)

    def uniform(self, low, high, shape):
        assert low <= min(self.shifts)
        assert max(self.shifts) <= high
        return np.reshape(self.shifts, (2, 1, 1, 1, 1)) * np.ones(shape)


def test_shift_is_bilinear_and_brings_in_zeros():
    image = np.arange(9, dtype=np.float32).reshape(1, 1, 3, 3)
    down = shifted(image, _Fixed(0.25, 0.0))[0, 0]
    np.testing.assert_allclose(down, [[0, 0.75, 1.5], [2.25, 3.25, 4.25], [5.25, 6.25, 7.25]])
    left = shifted(image, _Fixed(0.0, -0.5))[0, 0]
    np.testing.assert_allclose(left, [[0.5, 1.5, 1], [3.5, 4.5, 2.5], [6.5, 7.5, 4]])
    np.testing.assert_array_equal(shifted(image, _Fixed(0.0, 0.0)), image)


def test_shift_keeps_ink_away_from_the_edge():
    image = np.zeros((5, 1, 8, 8), np.float32)
    image[:, :, 2:6, 2:6] = np.random.default_rng(0).random((5, 1, 4, 4))
    moved = shifted(image, np.random.RandomState(3))
    assert moved.dtype == np.float32
    assert np.abs(moved - image).max() > 0.05
    np.testing.assert_allclose(moved.sum((1, 2, 3)), image.sum((1, 2, 3)), rtol=1e-5)
