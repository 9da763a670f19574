// The strategies for x86-64 with AVX-512 F, BW, DQ and VL; CMakeLists.txt gives this file their flags.
#if defined(__AVX512F__)
#if defined(__GNUC__) &&                                                                                     \
    !defined(__clang__) // which takes the undefined operands of its own header for a mistake
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#define MAXPOOLGRAD_TARGET avx512
#include "fast/strategies.h"
#endif
