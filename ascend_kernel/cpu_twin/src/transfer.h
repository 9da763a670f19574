// What the transfer instructions share: their limits, and bounds in global memory.
#pragma once

#include "core.h"

namespace twin {

constexpr uint32_t kMaxBlocks = 4095;
constexpr uint32_t kMaxBlockBytes = 2097151;

// False where nothing is to be moved, or nothing can be.
bool admit_transfer(Core& core, const Instruction& instruction, const Transfer& transfer);
// Bounds and access rights of a transfer's pieces of global memory; false where it must not happen.
bool admit_gm(Core& core, const Instruction& instruction, const Pieces& pieces, bool writes);

// Adds, or takes the larger or smaller, into global memory; one core at a time.
void combine(Core& core, const Transfer& transfer, uint8_t* destination, const uint8_t* source,
             int64_t bytes);

} // namespace twin
