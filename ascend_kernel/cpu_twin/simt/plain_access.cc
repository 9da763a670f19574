// Plain C++ in SIMT code: where a kernel is compiled with -fsanitize=thread, the compiler puts a call before
// each load and store of memory. The sanitizer's own library is not linked; these functions take its place,
// so that a kernel's pointers are checked like its calls of asc_ldca and asc_stcg.
#include "memory.h"

namespace twin::simt {

namespace {

// What the compiler moves at once may be wider than what a thread's instruction moves.
constexpr uint32_t kWidestAccess = 16;
constexpr uintptr_t kNullPage = 1 << 16;

} // namespace

void plain_access(const void* address, uint32_t bytes, bool writes, Path path) {
    const Present& present = g_present;
    const auto number = reinterpret_cast<uintptr_t>(address);
    if (present.memory == nullptr ||
        (number >= kNullPage && !present.global(number) && !present.buffer(number))) {
        return; // the scalar unit, or a local variable
    }
    Memory& all = *present.memory;
    Block& block = *all.block();
    // The compiler does not say where in the function it is; the call that started the threads has to do.
    const Access access{address,          bytes, writes ? Use::kWrite : Use::kRead, path, Op::kVectorFunction,
                        block.call().site};
    const Memory::Place place = all.admit(access);
    if (place.kind == Memory::Place::Kind::kHost) {
        all.fault(FaultKind::kHostAddress, access, [] { return "uses a null address"; });
    }
    if (place.kind == Memory::Place::Kind::kHost || place.kind == Memory::Place::Kind::kNone) {
        block.give_up();
    }
    if (writes) {
        all.note_plain_store(access, place);
    } else {
        all.note_plain_load(access, place);
    }
}

namespace {

void read(const void* address, uint32_t bytes) {
    plain_access(address, bytes, false, Path::kCached);
}

void write(const void* address, uint32_t bytes) {
    plain_access(address, bytes, true, Path::kCached);
}

void range(const void* address, size_t bytes, bool writes) {
    const auto* from = static_cast<const char*>(address);
    while (bytes > 0) {
        uint32_t piece = kWidestAccess;
        while (piece > bytes || reinterpret_cast<uintptr_t>(from) % piece != 0) {
            piece /= 2;
        }
        plain_access(from, piece, writes, Path::kCached);
        from += piece;
        bytes -= piece;
    }
}

} // namespace

} // namespace twin::simt

#define TWIN_ACCESS(bytes)                                                                                   \
    void __tsan_read##bytes(void* address) {                                                                 \
        twin::simt::read(address, bytes);                                                                    \
    }                                                                                                        \
    void __tsan_write##bytes(void* address) {                                                                \
        twin::simt::write(address, bytes);                                                                   \
    }                                                                                                        \
    void __tsan_unaligned_read##bytes(void* address) {                                                       \
        twin::simt::read(address, bytes);                                                                    \
    }                                                                                                        \
    void __tsan_unaligned_write##bytes(void* address) {                                                      \
        twin::simt::write(address, bytes);                                                                   \
    }                                                                                                        \
    void __tsan_volatile_read##bytes(void* address) {                                                        \
        twin::simt::plain_access(address, bytes, false, twin::simt::Path::kPast);                            \
    }                                                                                                        \
    void __tsan_volatile_write##bytes(void* address) {                                                       \
        twin::simt::plain_access(address, bytes, true, twin::simt::Path::kPast);                             \
    }                                                                                                        \
    void __tsan_unaligned_volatile_read##bytes(void* address) {                                              \
        __tsan_volatile_read##bytes(address);                                                                \
    }                                                                                                        \
    void __tsan_unaligned_volatile_write##bytes(void* address) {                                             \
        __tsan_volatile_write##bytes(address);                                                               \
    }                                                                                                        \
    void __tsan_read_write##bytes(void* address) {                                                           \
        __tsan_read##bytes(address);                                                                         \
        __tsan_write##bytes(address);                                                                        \
    }

extern "C" {

TWIN_ACCESS(1)
TWIN_ACCESS(2)
TWIN_ACCESS(4)
TWIN_ACCESS(8)
TWIN_ACCESS(16)

void __tsan_read_range(void* address, size_t bytes) {
    twin::simt::range(address, bytes, false);
}
void __tsan_write_range(void* address, size_t bytes) {
    twin::simt::range(address, bytes, true);
}
void* __tsan_memcpy(void* to, const void* from, size_t bytes) {
    twin::simt::range(from, bytes, false);
    twin::simt::range(to, bytes, true);
    return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, size_t bytes) {
    twin::simt::range(from, bytes, false);
    twin::simt::range(to, bytes, true);
    return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, size_t bytes) {
    twin::simt::range(to, bytes, true);
    return std::memset(to, value, bytes);
}
// Of the guard of a variable that is static in a function.
unsigned char __tsan_atomic8_load(const volatile unsigned char* address, int) {
    return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}

} // extern "C"

#undef TWIN_ACCESS
