// The parameter structures of Ascend C's calls. Fields that are narrow on the device remember when a value
// did not fit.
#pragma once

#include "enums.h"

#include <twin/instruction.h>

namespace AscendC {

struct UnaryRepeatParams {
    UnaryRepeatParams() = default;
    UnaryRepeatParams(twin::Field16 dst_block, twin::Field16 src_block, twin::Field8 dst_repeat,
                      twin::Field8 src_repeat)
        : dstBlkStride(dst_block), srcBlkStride(src_block), dstRepStride(dst_repeat),
          srcRepStride(src_repeat) {}
    UnaryRepeatParams(twin::Field16 dst_block, twin::Field16 src_block, twin::Field8 dst_repeat,
                      twin::Field8 src_repeat, bool half_block)
        : dstBlkStride(dst_block), srcBlkStride(src_block), dstRepStride(dst_repeat),
          srcRepStride(src_repeat), halfBlock(half_block) {}

    uint32_t blockNumber = DEFAULT_BLK_NUM;
    twin::Field16 dstBlkStride = DEFAULT_BLK_STRIDE;
    twin::Field16 srcBlkStride = DEFAULT_BLK_STRIDE;
    twin::Field8 dstRepStride = DEFAULT_REPEAT_STRIDE;
    twin::Field8 srcRepStride = DEFAULT_REPEAT_STRIDE;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;
    bool halfBlock = false;
};

struct BinaryRepeatParams {
    BinaryRepeatParams() = default;
    BinaryRepeatParams(twin::Field8 dst_block, twin::Field8 src0_block, twin::Field8 src1_block,
                       twin::Field8 dst_repeat, twin::Field8 src0_repeat, twin::Field8 src1_repeat)
        : dstBlkStride(dst_block), src0BlkStride(src0_block), src1BlkStride(src1_block),
          dstRepStride(dst_repeat), src0RepStride(src0_repeat), src1RepStride(src1_repeat) {}

    uint32_t blockNumber = DEFAULT_BLK_NUM;
    twin::Field8 dstBlkStride = DEFAULT_BLK_STRIDE;
    twin::Field8 src0BlkStride = DEFAULT_BLK_STRIDE;
    twin::Field8 src1BlkStride = DEFAULT_BLK_STRIDE;
    twin::Field8 dstRepStride = DEFAULT_REPEAT_STRIDE;
    twin::Field8 src0RepStride = DEFAULT_REPEAT_STRIDE;
    twin::Field8 src1RepStride = DEFAULT_REPEAT_STRIDE;
    bool repeatStrideMode = false;
    bool strideSizeMode = false;
};

struct CopyRepeatParams {
    CopyRepeatParams() = default;
    CopyRepeatParams(twin::Field16 dst_stride, twin::Field16 src_stride, twin::Field16 dst_repeat,
                     twin::Field16 src_repeat)
        : dstStride(dst_stride), srcStride(src_stride), dstRepeatSize(dst_repeat), srcRepeatSize(src_repeat) {
    }

    twin::Field16 dstStride = DEFAULT_DATA_COPY_STRIDE;
    twin::Field16 srcStride = DEFAULT_DATA_COPY_STRIDE;
    twin::Field16 dstRepeatSize = DEFAULT_REPEAT_STRIDE;
    twin::Field16 srcRepeatSize = DEFAULT_REPEAT_STRIDE;
};

struct BrcbRepeatParams {
    BrcbRepeatParams() = default;
    BrcbRepeatParams(twin::Field16 dst_block, twin::Field16 dst_repeat)
        : dstRepStride(dst_repeat), dstBlkStride(dst_block) {}

    uint32_t blockNumber = DEFAULT_BLK_NUM;
    twin::Field16 dstRepStride = DEFAULT_REPEAT_STRIDE;
    twin::Field16 dstBlkStride = DEFAULT_BLK_STRIDE;
};

struct GatherRepeatParams {
    GatherRepeatParams() = default;
    GatherRepeatParams(twin::Field8 dst_block, twin::Field8 dst_repeat)
        : dstRepStride(dst_repeat), dstBlkStride(dst_block) {}

    uint32_t blockNumber = DEFAULT_BLK_NUM;
    twin::Field16 dstRepStride = DEFAULT_REPEAT_STRIDE;
    twin::Field8 dstBlkStride = DEFAULT_BLK_STRIDE;
};

enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 = 1 };
constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V2;

struct GatherMaskParams {
    GatherMaskParams() = default;
    GatherMaskParams(twin::Field8 src0_block, twin::Field16 repeats, twin::Field16 src0_repeat,
                     twin::Field8 src1_repeat)
        : src0BlockStride(src0_block), repeatTimes(repeats), src0RepeatStride(src0_repeat),
          src1RepeatStride(src1_repeat) {}

    twin::Field8 src0BlockStride = DEFAULT_BLK_STRIDE;
    twin::Field16 repeatTimes = 0;
    twin::Field16 src0RepeatStride = DEFAULT_REPEAT_STRIDE;
    twin::Field8 src1RepeatStride = DEFAULT_REPEAT_STRIDE;
};

struct TransDataTo5HDParams {
    TransDataTo5HDParams() = default;
    TransDataTo5HDParams(bool dst_high, bool src_high, twin::Field8 repeats, twin::Field16 dst_repeat,
                         twin::Field16 src_repeat)
        : dstHighHalf(dst_high), srcHighHalf(src_high), repeatTimes(repeats), dstRepStride(dst_repeat),
          srcRepStride(src_repeat) {}

    bool dstHighHalf = false;
    bool srcHighHalf = false;
    twin::Field8 repeatTimes = 1;
    twin::Field16 dstRepStride = 0;
    twin::Field16 srcRepStride = 0;
};

// Lengths and gaps in blocks of 32 B.
struct DataCopyParams {
    DataCopyParams() : srcGap(0), dstGap(0) {}
    DataCopyParams(twin::Field16 count, twin::Field16 len, twin::Field16 src_gap, twin::Field16 dst_gap)
        : blockCount(count), blockLen(len), srcGap(src_gap), dstGap(dst_gap) {}

    twin::Field16 blockCount = DEFAULT_DATA_COPY_NBURST;
    twin::Field16 blockLen = 0;
    union {
        twin::Field16 srcGap;
        twin::Field16 srcStride;
    };
    union {
        twin::Field16 dstGap;
        twin::Field16 dstStride;
    };
};

struct DataCopyPadParams {
    DataCopyPadParams() = default;
    DataCopyPadParams(bool pad, twin::Field8 left, twin::Field8 right, uint64_t value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

    bool isPad = false;
    twin::Field8 leftPadding = 0;
    twin::Field8 rightPadding = 0;
    uint64_t paddingValue = 0;
};

template <typename T>
struct DataCopyPadExtParams {
    DataCopyPadExtParams() = default;
    DataCopyPadExtParams(bool pad, twin::Field8 left, twin::Field8 right, T value)
        : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

    bool isPad = false;
    twin::Field8 leftPadding = 0;
    twin::Field8 rightPadding = 0;
    T paddingValue = T(0);
};

inline namespace ASCENDC_TWIN_ARCH {

// The gap in global memory counts bytes, the one in the unified buffer blocks of 32 B.
struct DataCopyExtParams {
#if __NPU_ARCH__ == 3510
    using Stride = twin::Field<int64_t>;
#else
    using Stride = twin::Field32;
#endif
    DataCopyExtParams() = default;
    DataCopyExtParams(twin::Field16 count, twin::Field32 len, Stride src_stride, Stride dst_stride,
                      uint32_t reserved)
        : blockCount(count), blockLen(len), srcStride(src_stride), dstStride(dst_stride), rsv(reserved) {}

    twin::Field16 blockCount = DEFAULT_DATA_COPY_NBURST;
    twin::Field32 blockLen = 0;
    Stride srcStride = DEFAULT_DATA_COPY_STRIDE;
    Stride dstStride = DEFAULT_DATA_COPY_STRIDE;
    uint32_t rsv = 0;
};

} // namespace ASCENDC_TWIN_ARCH

} // namespace AscendC
