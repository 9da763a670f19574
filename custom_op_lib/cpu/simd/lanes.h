// The vectors of the target that is being compiled; MAXPOOLGRAD_TARGET is its namespace.
#pragma once

#if defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include "lanes_avx512.h"
#else
#include "lanes_vector.h"
#endif
