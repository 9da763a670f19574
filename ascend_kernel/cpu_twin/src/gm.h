// Global memory of a run: every tensor, the workspace and the tiling data, far apart in an address range of
// their own, so that an address that leaves its tensor cannot land in another one.
#pragma once

#include <twin/engine.h>
#include <twin/run.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace twin {

struct Region {
    std::string name;
    Access access;
    uint8_t* base;
    uint64_t bytes;
    uint64_t own_begin =
        0; // the kernel may use [own_begin, bytes): the workspace begins with the system's part
    bool is_workspace = false;
    std::vector<uint8_t>
        shadow; // of [own_begin, bytes), where the kernel may write; a bit a bit, 1: undefined

    bool writable() const { return access != Access::kRead; }
    bool holds(int64_t offset, int64_t size) const {
        return offset >= static_cast<int64_t>(own_begin) && offset + size <= static_cast<int64_t>(bytes);
    }
    uint8_t* shadow_at(int64_t offset) { return shadow.data() + (offset - static_cast<int64_t>(own_begin)); }
};

class Gm {
public:
    explicit Gm(const Launch& launch);
    ~Gm();
    Gm(const Gm&) = delete;
    Gm& operator=(const Gm&) = delete;

    GmSpan place_of(const void* address) const;
    uint8_t* address_of(GmSpan place) const;
    // The address range of all regions and of what lies between them.
    const uint8_t* reserved() const { return reserved_; }
    uint64_t reserved_bytes() const { return reserved_bytes_; }
    std::vector<Region>& regions() { return regions_; }
    Region* region(int index) {
        return index >= 0 && index < static_cast<int>(regions_.size()) ? &regions_[static_cast<size_t>(index)]
                                                                       : nullptr;
    }
    int workspace() const { return static_cast<int>(regions_.size()) - 2; }
    int tiling() const { return static_cast<int>(regions_.size()) - 1; }

    // Writes what the kernel may write back to where the caller has it.
    void copy_out(const Launch& launch) const;

    std::mutex atomic; // one core at a time reads, adds and writes

private:
    void add(const std::string& name, Access access, const void* data, uint64_t bytes, uint64_t own_begin);

    uint8_t* reserved_ = nullptr;
    uint64_t reserved_bytes_ = 0;
    std::vector<Region> regions_;
};

} // namespace twin
