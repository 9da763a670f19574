// Everything that SIMT code may call, save half.
#pragma once

#include "common_functions.h"
#include "device_functions.h"
