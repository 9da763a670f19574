// What the twin catches. A fault is data: the run goes on after it where that is possible.
#pragma once

#include <cstdint>
#include <string>

namespace twin {

enum class FaultKind : uint8_t {
    // Places
    kUbOutOfBounds, // an access past a local tensor, its buffer, or the unified buffer
    kUbCapacity,    // buffers that do not fit the unified buffer, or a second TPipe that begins anew in it
    kSelectScratch, // buffers in the 8 KB that Select modes 1 and 2 write (arch 2201)
    kUbUnaligned,   // an operand that does not begin on 32 B
    kGmOutOfBounds, // an access past a tensor in global memory
    kWorkspaceTooShort, // an access past the workspace that tiling asked for
    kSystemWorkspace,   // an access to the part of the workspace that is not the kernel's
    kReadOnly,          // a write to an input
    // Values
    kUninitialised,    // undefined bits reach global memory, a scalar or an address
    kOutputNotWritten, // a byte of an output that no core has written
    // Order within a core
    kMissingFlag,     // two pipes on one place, no flag between them
    kMissingBarrier,  // two vector instructions on one place, no PipeBarrier between them
    kDmaOverlap,      // two transfers of one pipe into one place, no PipeBarrier between them
    kFlagSetTwice,    // SetFlag on a flag that is still set
    kFlagNeverSet,    // WaitFlag on a flag that nobody has set: the pipe hangs
    kFlagNeverWaited, // a flag that is set when the kernel ends
    kEventId,         // an event id out of range, reserved, or none left
    // Queues
    kQueueMisuse,    // Alloc, EnQue, DeQue, Free in an order the queue does not allow
    kUseAfterFree,   // an access to a tensor that its queue holds
    kTensorNotFreed, // a tensor that is still out when the kernel ends
    // Between cores
    kCoreRace,            // two cores on one address without SyncAll between them
    kSharedCacheLine,     // two cores that write one 64 B line by scalar stores
    kDirtyCacheLine,      // a scalar store that was not cleaned to global memory when it had to be
    kStaleCacheLine,      // a scalar load from a line that global memory has moved on from
    kSyncAllCores,        // SyncAll with more blocks than cores
    kSyncAllKernelType,   // SyncAll in a kernel whose type is not a mixed one
    kSyncAllScheduleMode, // SyncAll without SetScheduleMode(1) in tiling
    kSyncAllUneven,       // SyncAll that some cores never reach
    kAtomicLeftOn,        // an atomic mode that is on when the kernel ends
    kAtomicType,          // a transfer whose type is not the atomic mode's
    // Operands
    kRepeatWrapped,  // a repeat count that does not fit its 8 bits, or is 0
    kStrideWrapped,  // a stride that does not fit its field, or stops the destination
    kMaskRange,      // a mask of no lane, or of more lanes than a repeat has; a negative count
    kMaskMode,       // the mask register counts elements where it must not: a mask is set, or the kernel ends
    kCompareLength,  // Compare of a length that is no multiple of 256 B
    kOperandOverlap, // source and destination that overlap in part, or across repeats
    kUnsupportedType, // a type that the instruction does not have on this arch
    kUnsupportedMode, // a mode that the instruction does not have
    kDmaLength,       // a DataCopy whose length is no multiple of 32 B
    kDmaLimit,        // blockCount, blockLen, stride or padding out of range
    kGatherOffset,    // a Gather offset that is not aligned or leaves its source
    kTilingTooShort,  // tiling data that is shorter than its struct
    // SIMT
    kThreadRace, // two threads of a block on one place, one of them writes, no asc_syncthreads between them
    kThreadBarrier, // asc_syncthreads that some threads of the block do not reach
    kThreadCount,   // a block of no thread or of more than 2048
    kGmUnaligned,   // a thread's access that is not aligned to its size
    kHostAddress,   // a thread's access to what is neither global memory nor the unified buffer
    kDataCacheSize, // buffers that leave less than 32 KB for the threads' data cache
    kAtomicOrder,   // a sum of floats whose order depends on timing
};

// The kind's name, as in "ub_out_of_bounds".
const char* name_of(FaultKind kind);

struct Fault {
    FaultKind kind;
    int core;             // block index; -1 where it concerns no single core
    std::string sentence; // core, pipe, instruction, tensor, offset, and what is allowed
    std::string file;     // the kernel's source line that issued the instruction; empty where there is none
    int line = 0;
    uint64_t count = 1; // how often this kind happened at this line on this core
};

} // namespace twin
