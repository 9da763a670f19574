#include "gm.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace twin {

namespace {

// Every region lies in the middle of a slot of its own.
constexpr uint64_t kSlotBytes = uint64_t{1} << 34;
constexpr uint64_t kBeginInSlot = kSlotBytes / 2;
constexpr uint64_t kPageBytes = 1 << 16;
constexpr uint8_t kPoison = 0xfb;

} // namespace

Gm::Gm(const Launch& launch) {
    reserved_bytes_ = kSlotBytes * (launch.tensors.size() + 2);
    void* memory =
        mmap(nullptr, reserved_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::bad_alloc();
    }
    reserved_ = static_cast<uint8_t*>(memory);
    regions_.reserve(launch.tensors.size() + 2);
    for (const GmTensor& tensor : launch.tensors) {
        add(tensor.name, tensor.access, tensor.data, tensor.bytes, 0);
    }
    add("workspace", Access::kReadWrite, nullptr, launch.workspace_bytes,
        std::min<uint64_t>(launch.soc.system_workspace_bytes, launch.workspace_bytes));
    regions_.back().is_workspace = true;
    add("tiling", Access::kRead, launch.tiling.data(), launch.tiling.size(), 0);
}

Gm::~Gm() {
    munmap(reserved_, reserved_bytes_);
}

void Gm::add(const std::string& name, Access access, const void* data, uint64_t bytes, uint64_t own_begin) {
    uint8_t* base = reserved_ + kSlotBytes * regions_.size() + kBeginInSlot;
    // A page in front and behind stays readable, for kernels that load from their pointers without a tensor.
    const uint64_t mapped = (bytes + kPageBytes - 1) / kPageBytes * kPageBytes + 2 * kPageBytes;
    if (mprotect(base - kPageBytes, mapped, PROT_READ | PROT_WRITE) != 0) {
        throw std::bad_alloc();
    }
    const bool defined = access != Access::kWrite && data != nullptr;
    if (bytes > 0 && defined) {
        std::memcpy(base, data, bytes);
    } else if (access == Access::kWrite) {
        std::memset(base, kPoison, bytes);
    }
    Region region{name, access, base, bytes, own_begin, false, {}};
    if (region.writable()) {
        region.shadow.assign(bytes - own_begin, defined ? 0x00 : 0xff);
    }
    regions_.push_back(std::move(region));
}

GmSpan Gm::place_of(const void* address) const {
    const auto* byte = static_cast<const uint8_t*>(address);
    if (byte < reserved_ || byte >= reserved_ + reserved_bytes_) {
        return {};
    }
    const uint64_t slot = static_cast<uint64_t>(byte - reserved_) / kSlotBytes;
    return {static_cast<int32_t>(slot), byte - regions_[slot].base};
}

uint8_t* Gm::address_of(GmSpan place) const {
    return place.region < 0 ? nullptr : regions_[static_cast<size_t>(place.region)].base + place.offset;
}

void Gm::copy_out(const Launch& launch) const {
    for (size_t i = 0; i < launch.tensors.size(); ++i) {
        if (regions_[i].writable() && regions_[i].bytes > 0) {
            std::memcpy(launch.tensors[i].data, regions_[i].base, regions_[i].bytes);
        }
    }
}

} // namespace twin
