// What SIMT code of the 950 asks of the model: a function run by the threads of a block, their loads and
// stores of global memory and of the unified buffer, their barriers. Every function acts on the core and the
// thread that call it.
#pragma once

#include "instruction.h"

#include <cstdint>

namespace twin::simt {

struct Dimensions {
    uint32_t x = 1, y = 1, z = 1;

    uint64_t threads() const { return uint64_t{x} * y * z; }
};

// Which way an access of global memory takes: through the core's data cache, or past it to the L2 cache,
// which all cores share.
enum class Path : uint8_t { kCached, kPast };

// Runs `body(argument)` once a thread. `site` is the call's.
void launch(Dimensions threads, void (*body)(void*), void* argument, Site site);
// Argument number `number` of a call is this address.
void check_argument(const void* address, int number, Site site);

void load(void* value, const void* address, uint32_t bytes, Path path, Site site);
void store(void* address, const void* value, uint32_t bytes, Path path, Site site);

// Accesses that the compiler made of plain C++. They happen after the call, or not at all: it does not return
// where they would leave every tensor.
void plain_access(const void* address, uint32_t bytes, bool writes, Path path);

enum class AtomicOp : uint8_t { kAdd, kMax, kMin, kExchange, kCompareExchange };
struct Atomic {
    AtomicOp op;
    DType type;
    ScalarBits operand;
    ScalarBits expected; // kCompareExchange
};
// The value before.
uint64_t atomic(void* address, const Atomic& what, Site site);

void sync_threads(Site site);
void invalidate(const void* address, bool entire, Site site); // of the data cache

} // namespace twin::simt
