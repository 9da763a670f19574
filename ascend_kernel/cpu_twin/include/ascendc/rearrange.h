// Instructions that move elements to other lanes: transposes, Gather and GatherMask.
#pragma once

#include "vector.h"

namespace AscendC {

template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& params, twin::Site site = twin::Site::here()) {
    twin::UbSpan to[NCHW_CONV_ADDR_LIST_SIZE], from[NCHW_CONV_ADDR_LIST_SIZE];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        to[i] = dstList[i].twin_place();
        from[i] = srcList[i].twin_place();
    }
    twin::trans_data_to_5hd(twin::dtype_of<T>(), to, from, params.repeatTimes, params.dstRepStride,
                            params.srcRepStride, params.dstHighHalf, params.srcHighHalf, site);
}
template <typename T>
void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE], uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                    const TransDataTo5HDParams& params, twin::Site site = twin::Site::here()) {
    twin::UbSpan to[NCHW_CONV_ADDR_LIST_SIZE], from[NCHW_CONV_ADDR_LIST_SIZE];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        to[i] = twin::span_at(dstList[i]);
        from[i] = twin::span_at(srcList[i]);
    }
    twin::trans_data_to_5hd(twin::dtype_of<T>(), to, from, params.repeatTimes, params.dstRepStride,
                            params.srcRepStride, params.dstHighHalf, params.srcHighHalf, site);
}
// The addresses themselves lie in the unified buffer, written by the scalar unit.
template <typename T>
void TransDataTo5HD(const LocalTensor<uint64_t>& dst, const LocalTensor<uint64_t>& src,
                    const TransDataTo5HDParams& params, twin::Site site = twin::Site::here()) {
    uint64_t to[NCHW_CONV_ADDR_LIST_SIZE], from[NCHW_CONV_ADDR_LIST_SIZE];
    for (int i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
        to[i] = dst.GetValue(i, site);
        from[i] = src.GetValue(i, site);
    }
    TransDataTo5HD<T>(to, from, params, site);
}

// 16 x 16 elements of 16 bits.
template <typename T>
void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src, twin::Site site = twin::Site::here()) {
    twin::transpose_16(twin::dtype_of<T>(), dst.twin_place(), src.twin_place(), site);
}

// Offsets count bytes from `base`, which counts bytes from the beginning of src.
template <typename T>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offsets,
            uint32_t base, uint32_t count, twin::Site site = twin::Site::here()) {
    twin::vector_gather(twin_detail::counted<T>(twin::Op::kGather, count, site), {dst.twin_place()},
                        src.twin_place(), offsets.twin_place(), base);
}
template <typename T, typename Mask>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offsets,
            uint32_t base, const Mask& mask, twin::Field8 repeatTime, twin::Field16 dstRepStride,
            twin::Site site = twin::Site::here()) {
    twin::vector_gather(twin_detail::repeated<T, true>(twin::Op::kGather, mask, repeatTime, site),
                        twin_detail::operand(dst.twin_place(), twin::Field16(1), dstRepStride),
                        src.twin_place(), offsets.twin_place(), base);
}
// Whole blocks of 32 B, eight a repeat.
template <typename T>
void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& offsets,
             twin::Field8 repeatTime, const GatherRepeatParams& params,
             twin::Site site = twin::Site::here()) {
    twin::vector_gather_blocks(
        {twin::Op::kGatherb, twin::dtype_of<T>(), {}, repeatTime, site},
        twin_detail::operand(dst.twin_place(), params.dstBlkStride, params.dstRepStride), src.twin_place(),
        offsets.twin_place());
}

namespace twin_detail {

template <typename T>
uint64_t gather_mask(const LocalTensor<T>& dst, const LocalTensor<T>& src, const twin::UbSpan* pattern,
                     uint8_t fixed, bool reduce_mode, uint32_t mask, const GatherMaskParams& params,
                     twin::Site site) {
    twin::VectorCall call{twin::Op::kGatherMask, twin::dtype_of<T>(), twin::Lanes::first(mask), 1, site};
    call.repeats.value = static_cast<uint8_t>(params.repeatTimes.value);
    call.repeats.wrapped = params.repeatTimes.wrapped || params.repeatTimes.value > MAX_REPEAT_TIMES;
    return twin::vector_gather_mask(
        call, dst.twin_place(), operand(src.twin_place(), params.src0BlockStride, params.src0RepeatStride),
        pattern, fixed, params.src1RepeatStride, reduce_mode);
}

} // namespace twin_detail

template <typename T, typename U, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1Pattern,
                const bool reduceMode, const uint32_t mask, const GatherMaskParams& params, uint64_t& rsvdCnt,
                twin::Site site = twin::Site::here()) {
    static_assert(sizeof(T) == sizeof(U), "a pattern has a bit a lane, in words as wide as the elements");
    const twin::UbSpan pattern = src1Pattern.twin_place();
    rsvdCnt = twin_detail::gather_mask(dst, src0, &pattern, 0, reduceMode, mask, params, site);
}
template <typename T, GatherMaskMode mode = defaultGatherMaskMode>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const uint8_t src1Pattern,
                const bool reduceMode, const uint32_t mask, const GatherMaskParams& params, uint64_t& rsvdCnt,
                twin::Site site = twin::Site::here()) {
    rsvdCnt = twin_detail::gather_mask(dst, src0, nullptr, src1Pattern, reduceMode, mask, params, site);
}

} // namespace AscendC
