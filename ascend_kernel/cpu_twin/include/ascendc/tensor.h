// LocalTensor and GlobalTensor: views of the unified buffer and of global memory. A view knows what it may
// touch; arithmetic on it moves its beginning and keeps its end.
#pragma once

#include "enums.h"
#include "scalar_types.h"

#include <twin/engine.h>

namespace AscendC {

template <typename T>
class LocalTensor {
public:
    using PrimType = T;

    LocalTensor() = default;
    LocalTensor(TPosition position, uint32_t address, uint32_t size)
        : place_{address, address, address + size * static_cast<uint32_t>(sizeof(T))}, size_(size),
          position_(position) {}
    LocalTensor(TPosition position, twin::UbSpan place, int32_t buffer)
        : place_(place), size_((place.end - place.address) / sizeof(T)), buffer_(buffer),
          position_(position) {}

    T GetValue(uint32_t index, twin::Site site = twin::Site::here()) const {
        const uint64_t bits =
            twin::load_scalar(place_, static_cast<uint64_t>(index) * sizeof(T), sizeof(T), site);
        T value;
        std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
        return value;
    }
    template <typename S>
    void SetValue(uint32_t index, S value, twin::Site site = twin::Site::here()) const {
        twin::store_scalar(place_, static_cast<uint64_t>(index) * sizeof(T), sizeof(T),
                           twin::scalar_bits(static_cast<T>(value)).bits, site);
    }
    template <typename U>
    LocalTensor<U> ReinterpretCast() const {
        return LocalTensor<U>(position_, place_, buffer_);
    }
    LocalTensor operator[](uint32_t offset) const {
        LocalTensor moved = *this;
        moved.place_.address += offset * static_cast<uint32_t>(sizeof(T));
        moved.size_ = size_ > offset ? size_ - offset : 0;
        return moved;
    }
    uint64_t GetPhyAddr() const { return twin::physical_address(place_.address); }
    uint64_t GetPhyAddr(uint32_t offset) const {
        return twin::physical_address(place_.address + offset * static_cast<uint32_t>(sizeof(T)));
    }
    uint32_t GetSize() const { return size_; }
    uint32_t GetLength() const { return size_ * sizeof(T); }
    void SetSize(uint32_t size) { size_ = size; }
    int32_t GetPosition() const { return static_cast<int32_t>(position_); }

    twin::UbSpan twin_place() const { return place_; }
    int32_t twin_buffer() const { return buffer_; }

private:
    twin::UbSpan place_;
    uint32_t size_ = 0;
    int32_t buffer_ = -1;
    TPosition position_ = TPosition::VECCALC;
};

template <typename T>
class GlobalTensor {
public:
    using PrimType = T;

    void SetGlobalBuffer(__gm__ T* buffer, uint64_t size) {
        place_ = twin::place_of(buffer);
        size_ = size;
    }
    void SetGlobalBuffer(__gm__ T* buffer) { SetGlobalBuffer(buffer, 0); }
    __gm__ T* GetPhyAddr(uint64_t offset = 0) const {
        return reinterpret_cast<T*>(twin::address_of(twin_place(offset)));
    }
    T GetValue(uint64_t offset, twin::Site site = twin::Site::here()) const {
        const uint64_t bits = twin::load_scalar(twin_place(offset), sizeof(T), site);
        T value;
        std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));
        return value;
    }
    void SetValue(uint64_t offset, T value, twin::Site site = twin::Site::here()) {
        twin::store_scalar(twin_place(offset), sizeof(T), twin::scalar_bits(value).bits, site);
    }
    GlobalTensor operator[](uint64_t offset) const {
        GlobalTensor moved = *this;
        moved.place_ = twin_place(offset);
        moved.size_ = size_ > offset ? size_ - offset : 0;
        return moved;
    }
    template <typename U>
    GlobalTensor<U> ReinterpretCast() const {
        GlobalTensor<U> other;
        other.twin_set(place_, size_ * sizeof(T) / sizeof(U));
        return other;
    }
    uint64_t GetSize() const { return size_; }

    twin::GmSpan twin_place(uint64_t offset = 0) const {
        return {place_.region, place_.offset + static_cast<int64_t>(offset * sizeof(T))};
    }
    void twin_set(twin::GmSpan place, uint64_t size) {
        place_ = place;
        size_ = size;
    }

private:
    twin::GmSpan place_;
    uint64_t size_ = 0;
};

} // namespace AscendC
