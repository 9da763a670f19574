#include <twin/faults.h>
#include <twin/op.h>

#include <array>

namespace twin {

const char* name_of(FaultKind kind) {
    switch (kind) {
    case FaultKind::kUbOutOfBounds: return "ub_out_of_bounds";
    case FaultKind::kUbCapacity: return "ub_capacity";
    case FaultKind::kSelectScratch: return "select_scratch";
    case FaultKind::kUbUnaligned: return "ub_unaligned";
    case FaultKind::kGmOutOfBounds: return "gm_out_of_bounds";
    case FaultKind::kWorkspaceTooShort: return "workspace_too_short";
    case FaultKind::kSystemWorkspace: return "system_workspace";
    case FaultKind::kReadOnly: return "read_only";
    case FaultKind::kUninitialised: return "uninitialised";
    case FaultKind::kOutputNotWritten: return "output_not_written";
    case FaultKind::kMissingFlag: return "missing_flag";
    case FaultKind::kMissingBarrier: return "missing_barrier";
    case FaultKind::kDmaOverlap: return "dma_overlap";
    case FaultKind::kFlagSetTwice: return "flag_set_twice";
    case FaultKind::kFlagNeverSet: return "flag_never_set";
    case FaultKind::kFlagNeverWaited: return "flag_never_waited";
    case FaultKind::kEventId: return "event_id";
    case FaultKind::kQueueMisuse: return "queue_misuse";
    case FaultKind::kUseAfterFree: return "use_after_free";
    case FaultKind::kTensorNotFreed: return "tensor_not_freed";
    case FaultKind::kCoreRace: return "core_race";
    case FaultKind::kSharedCacheLine: return "shared_cache_line";
    case FaultKind::kDirtyCacheLine: return "dirty_cache_line";
    case FaultKind::kStaleCacheLine: return "stale_cache_line";
    case FaultKind::kSyncAllCores: return "sync_all_cores";
    case FaultKind::kSyncAllKernelType: return "sync_all_kernel_type";
    case FaultKind::kSyncAllScheduleMode: return "sync_all_schedule_mode";
    case FaultKind::kSyncAllUneven: return "sync_all_uneven";
    case FaultKind::kAtomicLeftOn: return "atomic_left_on";
    case FaultKind::kAtomicType: return "atomic_type";
    case FaultKind::kRepeatWrapped: return "repeat_wrapped";
    case FaultKind::kStrideWrapped: return "stride_wrapped";
    case FaultKind::kMaskRange: return "mask_range";
    case FaultKind::kMaskMode: return "mask_mode";
    case FaultKind::kCompareLength: return "compare_length";
    case FaultKind::kOperandOverlap: return "operand_overlap";
    case FaultKind::kUnsupportedType: return "unsupported_type";
    case FaultKind::kUnsupportedMode: return "unsupported_mode";
    case FaultKind::kDmaLength: return "dma_length";
    case FaultKind::kDmaLimit: return "dma_limit";
    case FaultKind::kGatherOffset: return "gather_offset";
    case FaultKind::kTilingTooShort: return "tiling_too_short";
    case FaultKind::kThreadRace: return "thread_race";
    case FaultKind::kThreadBarrier: return "thread_barrier";
    case FaultKind::kThreadCount: return "thread_count";
    case FaultKind::kGmUnaligned: return "gm_unaligned";
    case FaultKind::kHostAddress: return "host_address";
    case FaultKind::kDataCacheSize: return "data_cache_size";
    case FaultKind::kAtomicOrder: return "atomic_order";
    }
    return "";
}

const char* name_of(Op op) {
    constexpr std::array<const char*, static_cast<size_t>(Op::kCount) + 1> names{"Add",
                                                                                 "Sub",
                                                                                 "Mul",
                                                                                 "Max",
                                                                                 "Min",
                                                                                 "And",
                                                                                 "Or",
                                                                                 "Not",
                                                                                 "Abs",
                                                                                 "Relu",
                                                                                 "Adds",
                                                                                 "Muls",
                                                                                 "Maxs",
                                                                                 "Mins",
                                                                                 "ShiftLeft",
                                                                                 "ShiftRight",
                                                                                 "Axpy",
                                                                                 "Duplicate",
                                                                                 "CreateVecIndex",
                                                                                 "Brcb",
                                                                                 "Copy",
                                                                                 "Cast",
                                                                                 "Compare",
                                                                                 "CompareScalar",
                                                                                 "Select",
                                                                                 "TransDataTo5HD",
                                                                                 "Transpose",
                                                                                 "Gather",
                                                                                 "Gatherb",
                                                                                 "GatherMask",
                                                                                 "GetCmpMask",
                                                                                 "SetCmpMask",
                                                                                 "DataCopy",
                                                                                 "DataCopyPad",
                                                                                 "GetValue",
                                                                                 "SetValue",
                                                                                 "DataCacheCleanAndInvalid",
                                                                                 "SetFlag",
                                                                                 "WaitFlag",
                                                                                 "PipeBarrier",
                                                                                 "SyncAll",
                                                                                 "InitBuffer",
                                                                                 "AllocTensor",
                                                                                 "EnQue",
                                                                                 "DeQue",
                                                                                 "FreeTensor",
                                                                                 "AllocEventID",
                                                                                 "GetUserWorkspace",
                                                                                 "GetTilingData",
                                                                                 "asc_vf_call",
                                                                                 "load",
                                                                                 "store",
                                                                                 "atomic",
                                                                                 "asc_syncthreads",
                                                                                 "kernel end",
                                                                                 ""};
    return names[static_cast<size_t>(op)];
}

} // namespace twin
