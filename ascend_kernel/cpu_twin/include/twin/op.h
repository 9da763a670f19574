// The instructions that the model knows, by their Ascend C names.
#pragma once

#include <cstdint>

namespace twin {

enum class Op : uint8_t {
    kAdd,
    kSub,
    kMul,
    kMax,
    kMin,
    kAnd,
    kOr,
    kNot,
    kAbs,
    kRelu,
    kAdds,
    kMuls,
    kMaxs,
    kMins,
    kShiftLeft,
    kShiftRight,
    kAxpy,
    kDuplicate,
    kCreateVecIndex,
    kBrcb,
    kCopy,
    kCast,
    kCompare,
    kCompareScalar,
    kSelect,
    kTransDataTo5HD,
    kTranspose,
    kGather,
    kGatherb,
    kGatherMask,
    kGetCmpMask,
    kSetCmpMask,
    kDataCopy,
    kDataCopyPad,
    kGetValue,
    kSetValue,
    kDataCacheCleanAndInvalid,
    kSetFlag,
    kWaitFlag,
    kPipeBarrier,
    kSyncAll,
    kInitBuffer,
    kAllocTensor,
    kEnQue,
    kDeQue,
    kFreeTensor,
    kAllocEventID,
    kGetUserWorkspace,
    kGetTilingData,
    kVectorFunction, // SIMT code's from here on
    kThreadLoad,
    kThreadStore,
    kThreadAtomic,
    kSyncThreads,
    kEnd, // not an instruction: what the model looks at when the kernel returns
    kCount,
};

const char* name_of(Op op);

} // namespace twin
