#include "ub.h"

#include "core.h"

#include <algorithm>
#include <mutex>

namespace twin {

namespace {

constexpr uint8_t kPoison = 0xfb; // as half and float a large negative number, as an offset far outside

} // namespace

struct Ub::Shelf {
    std::mutex mutex;
    std::vector<std::unique_ptr<Storage>> free;
};

Ub::Shelf& Ub::shelf() {
    static Shelf all;
    return all;
}

Ub::Ub(uint32_t bytes) : size_(bytes) {
    {
        Shelf& all = shelf();
        const std::lock_guard<std::mutex> lock(all.mutex);
        const auto fits = std::find_if(all.free.begin(), all.free.end(),
                                       [&](const auto& storage) { return storage->data.size() == bytes; });
        if (fits != all.free.end()) {
            storage_ = std::move(*fits);
            all.free.erase(fits);
        }
    }
    if (storage_ == nullptr) {
        storage_ = std::make_unique<Storage>();
        storage_->data.resize(bytes);
        storage_->shadow.resize(bytes);
    }
    storage_->blocks.assign(bytes / kBlockBytes, Block{});
    poison(0, size_);
}

Ub::~Ub() {
    release();
}

void Ub::release() {
    if (storage_ == nullptr) {
        return;
    }
    Shelf& all = shelf();
    const std::lock_guard<std::mutex> lock(all.mutex);
    if (all.free.size() < 64) {
        all.free.push_back(std::move(storage_));
    }
}

void Ub::poison(uint32_t address, uint32_t end) {
    std::memset(data() + address, kPoison, end - address);
    std::memset(shadow() + address, 0xff, end - address);
}

void Ub::set_owner(uint32_t address, uint32_t end, int index) {
    for (uint32_t block = address / kBlockBytes; block < std::min(end, size_) / kBlockBytes; ++block) {
        storage_->blocks[block].owner = static_cast<int16_t>(index);
    }
}

bool Ub::aligned(Core& core, const Instruction& instruction, const UbSpan& place, const char* what) {
    if (place.address % kBlockBytes == 0) {
        return true;
    }
    core.fault(FaultKind::kUbUnaligned, instruction,
               std::string(what) + " begins at " + hex(place.address) +
                   " of the unified buffer; it must begin on 32 B");
    return false;
}

bool Ub::admit(Core& core, const Instruction& instruction, const UbSpan& place, int64_t low, int64_t high,
               const char* what) {
    if (low >= high || (low >= place.begin && high <= place.end && high <= size_)) {
        return true;
    }
    const bool inside = low >= 0 && high <= size_;
    core.fault(FaultKind::kUbOutOfBounds, instruction,
               std::string(what) + " touches bytes " + range(low, high) +
                   " of the unified buffer; its tensor has " + range(place.begin, place.end) +
                   (inside ? "" : ", the unified buffer " + range(0, size_)));
    return inside;
}

void Ub::held(Core& core, const Instruction& instruction, const Block& block, uint32_t address) {
    if (core.again(FaultKind::kUseAfterFree, instruction)) {
        return;
    }
    const bool free = core.buffers.state(block.owner) == BufferState::kFree;
    core.fault(
        FaultKind::kUseAfterFree, instruction,
        "touches byte " + hex(address) + " of the unified buffer, " +
            (free ? "whose queue holds it as free; a tensor may be used from AllocTensor to EnQue and from "
                    "DeQue to FreeTensor"
                  : "which waits in its queue; a tensor may be used again after DeQue"));
}

void Ub::hazard(Core& core, const Instruction& instruction, bool writes, Pipe earlier, uint32_t id,
                bool earlier_writes, uint32_t address) {
    const FaultKind kind = earlier != instruction.pipe ? FaultKind::kMissingFlag
                           : earlier == Pipe::kV       ? FaultKind::kMissingBarrier
                                                       : FaultKind::kDmaOverlap;
    if (core.again(kind, instruction)) {
        return;
    }
    const Order::Issued before = core.order.issued(id);
    std::string which = std::string(name_of(earlier));
    if (before.line > 0) {
        which += std::string(" (") + name_of(before.op) + ", line " + std::to_string(before.line) + ")";
    }
    const std::string cure =
        kind == FaultKind::kMissingFlag
            ? std::string("needs SetFlag and WaitFlag<") + name_of(earlier) + "_" +
                  name_of(instruction.pipe) + "> or a queue between them"
            : std::string("needs PipeBarrier<PIPE_") + name_of(earlier) + "> between them";
    core.fault(kind, instruction,
               std::string(writes ? "writes" : "reads") + " the block at " + hex(address) +
                   " of the unified buffer, which " + which + (earlier_writes ? " writes" : " reads") +
                   " and may not be done with; it " + cure);
}

void Ub::read_range(Core& core, const Instruction& instruction, uint32_t low, uint32_t high) {
    for (uint32_t address = low / kBlockBytes * kBlockBytes; address < high; address += kBlockBytes) {
        read(core, instruction, address);
    }
}

void Ub::write_range(Core& core, const Instruction& instruction, uint32_t low, uint32_t high) {
    for (uint32_t address = low / kBlockBytes * kBlockBytes; address < high; address += kBlockBytes) {
        write(core, instruction, address);
    }
}

bool any_undefined(const uint8_t* shadow, size_t bytes) {
    size_t i = 0;
    uint64_t any = 0;
    for (; i + 8 <= bytes; i += 8) {
        uint64_t word;
        std::memcpy(&word, shadow + i, 8);
        any |= word;
    }
    for (; i < bytes; ++i) {
        any |= shadow[i];
    }
    return any != 0;
}

} // namespace twin
