// The strategies for x86-64 with AVX2 and F16C; CMakeLists.txt gives this file their flags.
#if defined(__AVX2__) && defined(__F16C__)
#define MAXPOOLGRAD_TARGET avx2
#include "fast/strategies.h"
#endif
