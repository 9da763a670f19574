"""What the instructions compute and move, against NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

Array = np.ndarray[Any, np.dtype[Any]]
Runs = dict[tuple[str, str], dict[str, Any]]
VALUES = sorted(path.stem for path in (Path(__file__).parent / "kernels" / "values").glob("*.cc"))


def values(runs: Runs, name: str, dtype: Any = np.float16) -> tuple[Array, Array]:
    run = runs[name, "values"]
    x, y = (np.frombuffer(bytes.fromhex(run[key]), dtype) for key in "xy")
    return x, y


def same(actual: Array, expected: Array) -> None:
    np.testing.assert_array_equal(actual, expected)


def bits(row: Array) -> Array:
    return np.unpackbits(row, bitorder="little").astype(bool)


@pytest.mark.parametrize("name", VALUES)
def test_right_kernels_have_no_faults(runs: Runs, name: str) -> None:
    assert runs[name, "values"]["faults"] == []


def test_copy_in_tiles_with_tails(runs: Runs) -> None:
    x, y = values(runs, "copy_tiles")
    same(y, x)
    run = runs["copy_tiles", "values"]
    assert run["read"]["bytes"] == run["written"]["bytes"] == 4096
    assert run["read"]["bursts"] == run["read"]["transfers"] == 21
    assert run["vector_repeats"] == 21  # tiles of 100 halves, one repeat each
    assert run["scalar_ops"] == 0


@np.errstate(all="ignore")
def test_arithmetic_rounds_after_each_step(runs: Runs) -> None:
    x, y = values(runs, "arithmetic_half")
    total = (x + x.reshape(16, 128)[::-1].ravel()) * np.float16(3)
    same(y, np.maximum(np.minimum(total, np.float16(20)), np.float16(-20)))
    assert y.dtype == np.float16


@np.errstate(all="ignore")
def test_sums_in_float(runs: Runs) -> None:
    x, _ = values(runs, "sum_float")
    _, y = values(runs, "sum_float", np.float32)
    same(y, x[:1024].astype(np.float32) + x[1024:].astype(np.float32) - np.float32(1))


@pytest.mark.parametrize("name", ["compare_modes", "compare_modes_950"])
def test_comparisons_and_the_tables_of_nan(runs: Runs, name: str) -> None:
    x, _ = values(runs, name)
    _, y = values(runs, name, np.uint8)
    rows = y.reshape(32, 128)
    for second, first_row in ((x[1024:], 0), (np.zeros(1024, np.float16), 8)):
        a, nan = x[:1024], np.isnan(x[:1024]) | np.isnan(second)
        assert nan.any()
        unequal = np.where(nan, name.endswith("950"), a != second)
        expected = [a < second, a > second, a == second, a <= second, a >= second, unequal]
        for mode, row in enumerate(expected):
            same(bits(rows[first_row + mode]), row)


def test_compare_ignores_its_mask_and_packs_its_bits(runs: Runs) -> None:
    x, _ = values(runs, "compare_mask")
    _, y = values(runs, "compare_mask", np.uint8)
    blocks = x.reshape(64, 2, 16)
    same(bits(y[:128]), (blocks[:, 0] > blocks[:, 1]).ravel())
    assert not y[128:].any()


def test_select_modes(runs: Runs) -> None:
    x, y = values(runs, "select_modes")
    a, b = x[:512], x[512:1024]
    same(y[:512], np.where(np.tile(a[:128] > 1, 4), a, b))  # one repeat's bits for all
    same(y[512:1024], np.where(a > 1, a, np.float16(9)))
    same(y[1024:1536], np.where(a > 1, a, b))


def test_masks(runs: Runs) -> None:
    _, y = values(runs, "masks")
    lane = np.arange(128)
    same(y[:256], np.tile(lane % 2 == 0, 2) * np.float16(1))
    same(y[256:512], np.tile(lane < 5, 2) * np.float16(2))
    same(y[512:768], np.tile((lane >= 8) & (lane < 16), 2) * np.float16(3))
    same(y[768:1024], (np.arange(256) < 200) * np.float16(4))
    same(y[1024:1536], np.tile(np.arange(32) < 16, 16) * np.float16(5))  # every other block


def test_transposes(runs: Runs) -> None:
    x, y = values(runs, "transpose_16_bits", np.uint16)
    same(y.reshape(128, 16), x.reshape(16, 128).T)
    x, y = values(runs, "transpose_32_bits", np.uint32)
    same(y.reshape(64, 16), x.reshape(16, 64).T)
    x, y = values(runs, "transpose_8_bits", np.uint8)
    same(y.reshape(128, 32)[:16, :16], x.reshape(128, 32)[:16, 16:].T)
    x, y = values(runs, "transpose_square", np.uint16)
    same(y.reshape(8, 16, 16), x.reshape(8, 16, 16).transpose(0, 2, 1))
    assert runs["transpose_16_bits", "values"]["vector_repeats"] == 16  # eight of 512 B each


def test_rounding_modes(runs: Runs) -> None:
    x, y = values(runs, "cast_rounding")
    with np.errstate(all="ignore"):
        exact = x[:256].astype(np.float32) * np.float32(1.0003)
        nearest = exact.astype(np.float16)
    rows = y[: 7 * 256].reshape(7, 256).copy()
    finite = np.isfinite(exact) & np.isfinite(nearest)
    same(rows[0], nearest)  # no mode: to nearest
    same(rows[1], nearest)
    floor, ceil, away, trunc, odd = (row[finite].astype(np.float64) for row in rows[2:])
    value = exact[finite].astype(np.float64)
    assert (floor <= value).all()
    assert (ceil >= value).all()
    assert (np.abs(trunc) <= np.abs(value)).all()
    inexact = floor != ceil
    assert inexact.any()
    neighbours = np.nextafter(rows[2][finite], np.float16(np.inf)).astype(np.float64)
    same(ceil[inexact], neighbours[inexact])
    same(floor[~inexact], value[~inexact])
    same(np.minimum(np.abs(floor), np.abs(ceil)), np.abs(trunc))
    same(away, np.where(np.abs(floor - value) == np.abs(ceil - value), away, nearest[finite]))
    assert (rows[6][finite].view(np.uint16)[inexact] % 2 == 1).all()
    assert ((odd == floor) | (odd == ceil)).all()


def test_padding_and_gaps(runs: Runs) -> None:
    x, y = values(runs, "pad_copy")
    expected = np.zeros((64, 2, 16), np.float16)
    for row in range(5):
        # Padding goes on to the end of the block of 32 B.
        expected[row, 0] = 9
        expected[row, 0, 1:7] = x[row * 16 : row * 16 + 6]
    same(y, expected.ravel())
    run = runs["pad_copy", "values"]
    assert run["read"]["bursts"] == 5
    assert run["read"]["bytes"] == 60


def test_gathers(runs: Runs) -> None:
    x, y = values(runs, "gather_words")
    same(y[:1024], x[32:1056][::-1])
    same(y[1024:], x[:1024].reshape(64, 16)[::-1].ravel())


def test_gather_masks(runs: Runs) -> None:
    x, y = values(runs, "gather_patterns")
    a, rows = x[:256], y.reshape(8, 256)
    picks = [a[0::2], a[1::2], a[0::4], a[1::4], a[2::4], a[3::4], a]
    for row, pick in zip(rows, picks, strict=False):
        same(row[: pick.size], pick)
        assert not row[pick.size :].any()
    lanes = [i for i in range(70) if 0x9999 >> (i % 16) & 1]
    own = np.concatenate([a[lanes], a[[128 + i for i in lanes]]])
    same(rows[7, : own.size], own)
    assert y[-1] == sum(pick.size for pick in picks) + own.size


def test_atomic_add(runs: Runs) -> None:
    x, y = values(runs, "atomic_add", np.uint32)
    same(y, x * np.uint32(4))


def test_cores_meet_at_sync_all(runs: Runs) -> None:
    x, y = values(runs, "sync_all_ring")
    same(y, np.roll(x, -3 * 256))


def test_logic_and_shifts(runs: Runs) -> None:
    x, y = values(runs, "logic", np.uint16)
    same(y, ~(x & np.uint16(0xF0F0)) | x >> 3)


def test_accumulation_into_one_repeat(runs: Runs) -> None:
    _, y = values(runs, "accumulate", np.float32)
    same(y, np.where(np.arange(1024) < 64, 16, 1).astype(np.float32))


@np.errstate(all="ignore")
def test_axpy_adds_halves_to_floats(runs: Runs) -> None:
    x, low = values(runs, "axpy")
    _, y = values(runs, "axpy", np.float32)
    wide = x.astype(np.float32)
    same(y[:512], wide[:512] + wide[1024:1536])
    same(y[768:], wide[768:1024] + wide[1792:])
    same(low[1024:1536], x[512:1024] - x[:512])


def test_broadcast(runs: Runs) -> None:
    x, y = values(runs, "broadcast")
    same(y[:256], np.repeat(x[:16], 16))


def test_scalar_unit(runs: Runs) -> None:
    x, y = values(runs, "scalar_unit")
    total = x[:7].astype(np.float32).sum(dtype=np.float32).astype(np.float16)
    same(y[[0, -32]], np.array([total, total]))
    same(y[1:-32], x[1:-32])
    run = runs["scalar_unit", "values"]
    assert run["scalar_ops"] == 16
    assert run["read"]["bytes"] == 4096 + 64 + 64  # a line of x, and the line of y that is stored into
    assert run["written"]["bytes"] == 4096 + 64


def test_strided_rows(runs: Runs) -> None:
    x, y = values(runs, "strided_rows")
    same(y.reshape(64, 2, 16), x.reshape(64, 2, 16)[:, ::-1])
    assert runs["strided_rows", "values"]["written"]["bursts"] == 128
