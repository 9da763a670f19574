// What an Ascend C call hands to the instruction model: plain data, no templates on element types. The
// functions behind it live in src/, a file a family.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace twin {

constexpr uint32_t kBlockBytes = 32;
constexpr uint32_t kRepeatBytes = 256;

// Where the kernel's source makes a call.
struct Site {
    const char* file = "";
    int line = 0;

    static Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
        return {file, line};
    }
};

enum class Pipe : uint8_t { kS, kV, kMte2, kMte3 };
constexpr int kPipes = 4;

enum class DType : uint8_t {
    kHalf,
    kFloat,
    kBfloat16,
    kInt8,
    kUint8,
    kInt16,
    kUint16,
    kInt32,
    kUint32,
    kInt64,
    kUint64
};

// An instruction's field that is narrower than what callers compute with: keeps what fits, and that it did
// not.
template <class T>
struct Field {
    T value = 0;
    bool wrapped = false;

    constexpr Field() = default;
    template <class Given, class = std::enable_if_t<std::is_arithmetic_v<Given> || std::is_enum_v<Given>>>
    constexpr Field(Given given)
        : value(static_cast<T>(given)),
          wrapped(static_cast<int64_t>(static_cast<T>(given)) != static_cast<int64_t>(given)) {}
    template <class Other>
    constexpr Field(const Field<Other>& other) : Field(other.value) {
        wrapped = wrapped || other.wrapped;
    }
    constexpr operator T() const { return value; }
};

using Field8 = Field<uint8_t>;
using Field16 = Field<uint16_t>;
using Field32 = Field<uint32_t>;

// A local tensor's place in the unified buffer, in bytes: it may use [begin, end), and begins at `address`.
struct UbSpan {
    uint32_t address = 0;
    uint32_t begin = 0;
    uint32_t end = 0;
};

// A global tensor's place: bytes from the beginning of the run's tensor `region`; -1 for an address in none.
struct GmSpan {
    int32_t region = -1;
    int64_t offset = 0;
};

// A vector operand; strides in blocks of 32 B, from block to block of a repeat and from repeat to repeat.
struct VectorOperand {
    UbSpan place;
    Field32 block_stride = 1;
    Field32 repeat_stride = 8;
};

// Which lanes of each repeat take part.
struct Lanes {
    enum class Kind : uint8_t { kCount, kFirst, kBits, kRegister };
    Kind kind = Kind::kRegister;
    uint64_t count = 0;    // kCount: elements in all; kFirst: lanes of each repeat
    uint64_t bits[2] = {}; // kBits
    bool negative = false; // a count below 0, which the device takes for a huge one

    static Lanes counted(int64_t count) {
        return {Kind::kCount, static_cast<uint64_t>(count < 0 ? 0 : count), {}, count < 0};
    }
    static Lanes first(uint64_t lanes) { return {Kind::kFirst, lanes, {}, false}; }
    static Lanes masked(const uint64_t bits[2]) { return {Kind::kBits, 0, {bits[0], bits[1]}, false}; }
};

// A scalar operand: the bits of an element.
struct ScalarBits {
    uint64_t bits = 0;
};

template <class T>
ScalarBits scalar_bits(const T& value) {
    static_assert(sizeof(T) <= sizeof(uint64_t) && std::is_trivially_copyable_v<T>);
    ScalarBits out;
    std::memcpy(&out.bits, &value, sizeof(T));
    return out;
}

} // namespace twin
