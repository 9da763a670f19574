// The specification in code: every other strategy must equal it to the bit.
#pragma once

#include "plane.h"

#include <maxpoolgrad/geometry.h>

#include <cstdint>

namespace maxpoolgrad::scalar {

// Writes the rows `rows` of one plane of out_grad. T is float or Half.
template <class T>
void grad_rows(const Pooling& pooling, Plane<const T> input, Plane<const T> output, Plane<const T> grad,
               Plane<T> out_grad, Range rows);

// Writes the rows `rows` of one plane of the forward operator's output.
template <class T>
void forward_rows(const Pooling& pooling, Plane<const T> input, Plane<T> output, Range rows);

} // namespace maxpoolgrad::scalar
