"""The demo's network in ONNX and in NumPy, and what its comparison of gradients would notice."""

from dataclasses import replace

import numpy as np
import onnx
import pytest

import maxpoolgrad_onnx as mpg
from maxpoolgrad_onnx.contract import PoolAttributes
from maxpoolgrad_onnx.converters.demo import numpy_network
from maxpoolgrad_onnx.converters.demo.gradients import ParameterGradient, PoolGradient, _ties
from maxpoolgrad_onnx.converters.demo.network import SHAPES, evaluation_model, first_parameters, forward_model


@pytest.fixture(scope="module")
def example() -> tuple[dict, np.ndarray, np.ndarray]:
    """Parameters without zeros in the biases, which would lie on the kink of Relu; images; labels."""
    rng = np.random.default_rng(5)
    parameters = {
        name: values + rng.normal(0, 0.1, values.shape) for name, values in first_parameters(7).items()
    }
    return parameters, rng.random((6, 1, 8, 8)), rng.integers(0, 10, 6)


@pytest.mark.parametrize("name", SHAPES)
def test_gradient_by_hand_is_that_of_central_differences(example, name):
    parameters, x, labels = example
    value, gradients = numpy_network.loss_and_gradients(parameters, x, labels)
    assert value == numpy_network.loss(parameters, x, labels)
    rng = np.random.default_rng(1)
    for index in rng.choice(gradients[name].size, min(6, gradients[name].size), replace=False):
        offset = np.zeros(gradients[name].size)
        offset[index] = 1e-6
        above, below = (
            numpy_network.loss(
                {**parameters, name: parameters[name] + sign * offset.reshape(SHAPES[name])}, x, labels
            )
            for sign in (1, -1)
        )
        assert gradients[name].flat[index] == pytest.approx((above - below) / 2e-6, abs=1e-8)


def test_onnx_network_computes_what_the_numpy_one_does(example):
    parameters, x, labels = example
    single = {name: values.astype(np.float32) for name, values in parameters.items()}
    feeds = {"x": x.astype(np.float32)}
    (logits,) = mpg.inference_session(forward_model(6, single)).run(None, feeds)
    (same,) = mpg.inference_session(evaluation_model(6)).run(None, {**feeds, **single})
    np.testing.assert_allclose(logits, same, rtol=1e-4, atol=1e-5)
    log_p = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    loss = -log_p[np.arange(6), labels].mean()
    assert loss == pytest.approx(numpy_network.loss(single, feeds["x"], labels), rel=1e-5)


def test_network_has_an_overlapping_pool_whose_last_window_passes_the_edge():
    model = forward_model(2, first_parameters(0))
    onnx.checker.check_model(model, full_check=True)
    inferred = mpg.infer_shapes(model)
    shapes = {
        value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        for value in (*inferred.graph.value_info, *inferred.graph.output)
    }
    assert [shapes[name] for name in ("pool1.y", "pool2.y", "logits")] == [
        [2, 16, 4, 4],
        [2, 32, 2, 2],
        [2, 10],
    ]
    # Without ceil_mode, pool1 would give 3x3.
    floor = mpg.output_shape((2, 16, 8, 8), ksize=[1, 1, 3, 3], strides=[1, 1, 2, 2])
    assert floor == (2, 16, 3, 3)


def test_first_parameters_depend_on_the_seed_alone():
    for name, values in first_parameters(3).items():
        np.testing.assert_array_equal(values, first_parameters(3)[name])
        assert values.shape == SHAPES[name]
        assert name.endswith(".bias") or (values != first_parameters(4)[name]).any()
    assert first_parameters(0)["conv3.weight"].std() == pytest.approx(np.sqrt(2 / 144), rel=0.05)


def _pool() -> PoolGradient:
    attributes = PoolAttributes.make(
        "test", {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 2], "ceil_mode": True}
    )
    x = np.maximum(np.random.default_rng(0).integers(-2, 3, (2, 3, 8, 8)), 0).astype(np.float32)
    y = mpg.max_pool_v3(x, **attributes.as_dict())
    grad = np.random.default_rng(1).standard_normal(y.shape).astype(np.float32)
    result = mpg.reference.max_pool_v3_grad(x, y, grad, **attributes.as_dict())
    return PoolGradient("node", attributes, x, y, grad, result, result, result, _ties(x, y, attributes))


def test_ties_are_counted_in_windows_that_pass_the_edge_too():
    pool = _pool()
    expected = 0
    for n, c, h, w in np.ndindex(pool.orig_output.shape):
        window = pool.orig_input[n, c, 2 * h : 2 * h + 3, 2 * w : 2 * w + 3]
        expected += (window == window.max()).sum() > 1
    assert 0 < pool.ties == expected


@pytest.mark.parametrize("changed", ["out_grad", "native"])
def test_one_differing_bit_of_a_pool_is_noticed(changed):
    pool = _pool()
    assert pool.equal
    other = pool.oracle.copy()
    other.flat[5] = np.nextafter(other.flat[5], np.float32(np.inf))
    assert not replace(pool, **{changed: other}).equal


def test_error_of_a_parameter_is_relative_to_its_largest_element():
    numpy = np.array([0.0, -2.0, 1.0])
    parameter = ParameterGradient("p", np.array([0.0, -2.0, 1.01]), numpy, slope=1.0, difference=1.1)
    assert parameter.error == pytest.approx(0.005)
    assert parameter.slope_error == pytest.approx(0.1 / np.sqrt(5))
