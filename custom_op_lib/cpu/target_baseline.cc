// The strategies for what every processor of the architecture has: SSE2 on x86-64, NEON on aarch64.
#define MAXPOOLGRAD_TARGET baseline
#include "fast/strategies.h"
