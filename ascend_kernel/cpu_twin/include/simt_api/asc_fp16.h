// half in SIMT code.
#pragma once

#include "device_functions.h"

inline float __half2float(half value) {
    return value;
}
inline half __float2half(float value) { // to nearest even; what overflows becomes infinite
    return half(value);
}
inline half __float2half_rn(float value) {
    return half(value);
}
