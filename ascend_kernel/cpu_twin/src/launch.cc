// What a block asks about its launch, and SyncAll.
#include "core.h"
#include "meeting.h"

#include <algorithm>
#include <cstring>

namespace twin {

namespace {

constexpr int kMixAiv10 = 2; // KERNEL_TYPE_MIX_AIV_1_0

} // namespace

int64_t block_index() {
    return this_core().index;
}

int64_t block_count() {
    return this_core().launch.block_dim;
}

uint64_t tiling_key() {
    return this_core().launch.tiling_key;
}

int arch() {
    return this_core().launch.soc.arch;
}

void set_kernel_type(int type) {
    this_core().kernel_type = type;
}

uint8_t* user_workspace(uint8_t* workspace, Site site) {
    Core& core = this_core();
    const Launch& launch = core.launch;
    if (launch.workspace_bytes < launch.soc.system_workspace_bytes) {
        core.fault(FaultKind::kWorkspaceTooShort, Op::kGetUserWorkspace, site,
                   "tiling asked for " + std::to_string(launch.workspace_bytes) +
                       " B of workspace; the system takes " +
                       std::to_string(launch.soc.system_workspace_bytes) +
                       " B of it before the kernel's part");
    }
    return workspace + launch.soc.system_workspace_bytes;
}

void read_tiling(void* out, size_t bytes, const uint8_t* tiling, Site site) {
    Core& core = this_core();
    const GmSpan place = core.gm.place_of(tiling);
    const Region* region = core.gm.region(place.region);
    const int64_t there = region == nullptr ? 0 : static_cast<int64_t>(region->bytes) - place.offset;
    if (there < static_cast<int64_t>(bytes)) {
        core.fault(FaultKind::kTilingTooShort, Op::kGetTilingData, site,
                   "the tiling structure has " + std::to_string(bytes) + " B; the launch has " +
                       std::to_string(std::max<int64_t>(there, 0)) + " B of tiling data");
    }
    const size_t copied = static_cast<size_t>(std::clamp<int64_t>(there, 0, static_cast<int64_t>(bytes)));
    std::memset(out, 0, bytes);
    if (copied > 0) {
        std::memcpy(out, tiling, copied);
    }
}

void sync_all(Site site) {
    Core& core = this_core();
    const Launch& launch = core.launch;
    core.issue(Op::kSyncAll, Pipe::kS, site);
    ++core.counters.sync_alls;
    if (core.kernel_type != kMixAiv10) {
        core.fault(FaultKind::kSyncAllKernelType, Op::kSyncAll, site,
                   "the kernel type is not a mixed one, so the cores do not wait; "
                   "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0) must come first");
    }
    if (!launch.batch_mode) {
        core.fault(FaultKind::kSyncAllScheduleMode, Op::kSyncAll, site,
                   "kernels of several streams can starve each other of cores here; tiling must call "
                   "SetScheduleMode(1)");
    }
    core.order.barrier_all();
    if (launch.block_dim > launch.soc.cores) {
        core.fault(FaultKind::kSyncAllCores, Op::kSyncAll, site,
                   std::to_string(launch.block_dim) + " blocks on " + std::to_string(launch.soc.cores) +
                       " cores: those that run wait for those that cannot begin; block dim must not exceed "
                       "the cores");
        return; // on the device they would wait for ever
    }
    if (!core.meeting.arrive()) {
        core.fault(
            FaultKind::kSyncAllUneven, Op::kSyncAll, site,
            "some cores have ended without it, so the others hang; every block must call it equally often");
    }
    core.gm_log.next_epoch();
}

} // namespace twin
