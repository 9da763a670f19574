// A mask for each row of 128 half values: 16 B of bits a row, so every second row's begin in the middle of a
// block.
#include "launch.h"

namespace bits_of_rows_off_a_block {

template <bool Seeded>
void kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    constexpr uint32_t kRows = 4, kRow = 128, kBits = Seeded ? 16 : 32;
    Room room(4096);
    LocalTensor<half> a = room.take<half>(kRows * kRow), zero = room.take<half>(kRow),
                      out = room.take<half>(kRows * kRow);
    LocalTensor<uint8_t> bits = room.take<uint8_t>(kRows * kBits);
    load(a, global<half>(x), kRows * kRow);
    Duplicate(zero, (half)0, kRow);
    PipeBarrier<PIPE_V>();
    for (uint32_t r = 0; r < kRows; ++r) {
        Compare(bits[r * kBits], a[r * kRow], zero, CMPMODE::GE, kRow);
    }
    PipeBarrier<PIPE_V>();
    for (uint32_t r = 0; r < kRows; ++r) {
        Select(out[r * kRow], bits[r * kBits], a[r * kRow], (half)0, SELMODE::VSEL_TENSOR_SCALAR_MODE, kRow);
    }
    save(global<half>(y), out, kRows * kRow);
}

void change(twin::Launch& launch, bool) {
    launch.tensors = {input("x", 1024), output("y", 1024)};
}

SEEDED_DEFECT(kUbUnaligned, change);

} // namespace bits_of_rows_off_a_block
