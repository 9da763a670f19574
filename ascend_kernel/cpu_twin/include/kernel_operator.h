// Stands for CANN's kernel_operator.h where a kernel is compiled for the twin: the same names and signatures,
// of a kernel for vector cores. The Site that ends each signature is the caller's source line, for reports.
#pragma once

#include "ascendc/compare_select.h"
#include "ascendc/data_copy.h"
#include "ascendc/pipe.h"
#include "ascendc/rearrange.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"
#include "ascendc/tensor.h"
#include "ascendc/vector.h"
