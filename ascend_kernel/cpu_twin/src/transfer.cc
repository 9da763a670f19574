#include "transfer.h"

#include "numbers.h"

#include <algorithm>

namespace twin {

bool admit_transfer(Core& core, const Instruction& instruction, const Transfer& transfer) {
    const auto limit = [&](const std::string& sentence) {
        core.fault(FaultKind::kDmaLimit, instruction, sentence);
    };
    if (transfer.blocks.wrapped || transfer.block_bytes.wrapped || transfer.wrapped) {
        limit("a block count, block length or stride does not fit its field of the parameters");
    }
    if (transfer.blocks.value > kMaxBlocks) {
        limit("blockCount is " + std::to_string(transfer.blocks.value) + "; it must lie in [0, " +
              std::to_string(kMaxBlocks) + "]");
    }
    if (transfer.op == Op::kDataCopyPad && transfer.block_bytes.value > kMaxBlockBytes) {
        limit("blockLen is " + std::to_string(transfer.block_bytes.value) + " B; it must lie in [0, " +
              std::to_string(kMaxBlockBytes) + "]");
    }
    if (transfer.op == Op::kDataCopy && transfer.block_bytes.value % kBlockBytes != 0) {
        core.fault(FaultKind::kDmaLength, instruction,
                   "moves " + std::to_string(transfer.block_bytes.value) +
                       " B; DataCopy moves multiples of 32 B, DataCopyPad any number of bytes");
    }
    if (transfer.op == Op::kDataCopyPad && transfer.block_bytes.value % bytes_of(transfer.type) != 0) {
        core.fault(FaultKind::kDmaLength, instruction,
                   "blockLen is " + std::to_string(transfer.block_bytes.value) +
                       " B; it must be a multiple of the " + std::to_string(bytes_of(transfer.type)) +
                       " B of " + name_of(transfer.type));
    }
    return transfer.blocks.value > 0 && transfer.block_bytes.value > 0;
}

bool admit_gm(Core& core, const Instruction& instruction, const Pieces& pieces, bool writes) {
    const Region* region = core.gm.region(pieces.region);
    if (region == nullptr) {
        core.fault(
            FaultKind::kGmOutOfBounds, instruction,
            "the global tensor's address lies in no tensor of the launch; SetGlobalBuffer takes an address "
            "that the kernel was called with");
        return false;
    }
    if (writes && !region->writable()) {
        core.fault(FaultKind::kReadOnly, instruction,
                   "writes bytes " + range(pieces.begin, pieces.end()) + " of '" + region->name +
                       "', which is an input; only outputs and the workspace may be written");
        return false;
    }
    const int64_t bytes = static_cast<int64_t>(region->bytes);
    if (pieces.begin < 0 || pieces.end() > bytes) {
        const FaultKind kind =
            region->is_workspace ? FaultKind::kWorkspaceTooShort : FaultKind::kGmOutOfBounds;
        core.fault(kind, instruction,
                   std::string(writes ? "writes" : "reads") + " bytes " + range(pieces.begin, pieces.end()) +
                       " of '" + region->name + "', which has " + range(0, bytes) +
                       (region->is_workspace ? "; tiling must ask for all that the kernel uses" : ""));
        return false;
    }
    if (pieces.begin < static_cast<int64_t>(region->own_begin)) {
        core.fault(FaultKind::kSystemWorkspace, instruction,
                   std::string(writes ? "writes" : "reads") + " bytes " + range(pieces.begin, pieces.end()) +
                       " of the workspace, whose first " + std::to_string(region->own_begin) +
                       " B are the system's; the kernel's part begins where GetUserWorkspace says");
        return false;
    }
    return true;
}

namespace {

template <class T>
T combined(int mode, T a, T b) {
    return mode == 1 ? static_cast<T>(a + b) : mode == 2 ? std::max(a, b) : std::min(a, b);
}

} // namespace

void combine(Core& core, const Transfer& transfer, uint8_t* destination, const uint8_t* source,
             int64_t bytes) {
    const std::lock_guard<std::mutex> one_at_a_time(core.gm.atomic);
    const uint32_t size = bytes_of(transfer.type);
    for (int64_t at = 0; at + size <= bytes; at += size) {
        const Number sum = combined(core.transfer.atomic, load_number(transfer.type, destination + at),
                                    load_number(transfer.type, source + at));
        store_number(transfer.type, sum, destination + at);
    }
}

} // namespace twin
