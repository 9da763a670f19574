// Compare, CompareScalar and Select. Compare's result is a bit a lane, one after the other.
#pragma once

#include "vector.h"

namespace AscendC {

namespace twin_detail {

constexpr twin::CompareMode compare_mode(CMPMODE mode) {
    switch (mode) {
    case CMPMODE::LT: return twin::CompareMode::kLess;
    case CMPMODE::GT: return twin::CompareMode::kGreater;
    case CMPMODE::EQ: return twin::CompareMode::kEqual;
    case CMPMODE::LE: return twin::CompareMode::kLessEqual;
    case CMPMODE::GE: return twin::CompareMode::kGreaterEqual;
    default: return twin::CompareMode::kNotEqual;
    }
}

} // namespace twin_detail

template <typename T, typename U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, uint32_t count, twin::Site site = twin::Site::here()) {
    static_assert(sizeof(U) == 1, "Compare writes int8_t or uint8_t");
    twin::vector_compare(twin_detail::counted<T>(twin::Op::kCompare, count, site),
                         twin_detail::compare_mode(cmpMode), dst.twin_place(), {src0.twin_place()},
                         {src1.twin_place()});
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, const Mask& mask, twin::Field8 repeatTime, const BinaryRepeatParams& params,
             twin::Site site = twin::Site::here()) {
    static_assert(sizeof(U) == 1, "Compare writes int8_t or uint8_t");
    using twin_detail::operand;
    twin::vector_compare(twin_detail::repeated<T, isSetMask>(twin::Op::kCompare, mask, repeatTime, site),
                         twin_detail::compare_mode(cmpMode), dst.twin_place(),
                         operand(src0.twin_place(), params.src0BlkStride, params.src0RepStride),
                         operand(src1.twin_place(), params.src1BlkStride, params.src1RepStride));
}
// One repeat, into the compare mask register.
template <typename T, bool isSetMask = true, typename Mask>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, const Mask& mask,
             const BinaryRepeatParams& params, twin::Site site = twin::Site::here()) {
    using twin_detail::operand;
    twin::vector_compare_to_register(twin_detail::repeated<T, isSetMask>(twin::Op::kCompare, mask, 1, site),
                                     twin_detail::compare_mode(cmpMode),
                                     operand(src0.twin_place(), params.src0BlkStride, params.src0RepStride),
                                     operand(src1.twin_place(), params.src1BlkStride, params.src1RepStride));
}
template <typename T>
void GetCmpMask(const LocalTensor<T>& dst, twin::Site site = twin::Site::here()) {
    twin::get_compare_mask(dst.twin_place(), site);
}
template <typename T>
void SetCmpMask(const LocalTensor<T>& src, twin::Site site = twin::Site::here()) {
    twin::set_compare_mask(src.twin_place(), site);
}

template <typename T, typename U>
void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,
                   uint32_t count, twin::Site site = twin::Site::here()) {
    static_assert(sizeof(U) == 1, "CompareScalar writes int8_t or uint8_t");
    twin::vector_compare_scalar(twin_detail::counted<T>(twin::Op::kCompareScalar, count, site),
                                twin_detail::compare_mode(cmpMode), dst.twin_place(), {src0.twin_place()},
                                twin::scalar_bits<T>(src1Scalar));
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,
                   const Mask& mask, twin::Field8 repeatTime, const UnaryRepeatParams& params,
                   twin::Site site = twin::Site::here()) {
    static_assert(sizeof(U) == 1, "CompareScalar writes int8_t or uint8_t");
    using twin_detail::operand;
    twin::vector_compare_scalar(
        twin_detail::repeated<T, isSetMask>(twin::Op::kCompareScalar, mask, repeatTime, site),
        twin_detail::compare_mode(cmpMode), dst.twin_place(),
        operand(src0.twin_place(), params.srcBlkStride, params.srcRepStride),
        twin::scalar_bits<T>(src1Scalar));
}
template <typename T, typename U>
void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,
              uint32_t count, twin::Site site = twin::Site::here()) {
    CompareScalar(dst, src0, src1Scalar, cmpMode, count, site);
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar, CMPMODE cmpMode,
              const Mask& mask, twin::Field8 repeatTime, const UnaryRepeatParams& params,
              twin::Site site = twin::Site::here()) {
    CompareScalar<T, U, isSetMask>(dst, src0, src1Scalar, cmpMode, mask, repeatTime, params, site);
}

// ---- Select: modes 0 and 2 between two tensors, mode 1 between a tensor and a scalar
template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, uint32_t count,
            twin::Site site = twin::Site::here()) {
    const twin::UbSpan mask = selMask.twin_place();
    twin::vector_select(twin_detail::counted<T>(twin::Op::kSelect, count, site), static_cast<int>(selMode),
                        {dst.twin_place()}, &mask, {src0.twin_place()}, {src1.twin_place()}, {});
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, const Mask& mask, twin::Field8 repeatTime,
            const BinaryRepeatParams& params, twin::Site site = twin::Site::here()) {
    using twin_detail::operand;
    const twin::UbSpan bits = selMask.twin_place();
    twin::vector_select(twin_detail::repeated<T, isSetMask>(twin::Op::kSelect, mask, repeatTime, site),
                        static_cast<int>(selMode),
                        operand(dst.twin_place(), params.dstBlkStride, params.dstRepStride), &bits,
                        operand(src0.twin_place(), params.src0BlkStride, params.src0RepStride),
                        operand(src1.twin_place(), params.src1BlkStride, params.src1RepStride), {});
}
template <typename T, typename U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1,
            SELMODE selMode, uint32_t count, twin::Site site = twin::Site::here()) {
    const twin::UbSpan mask = selMask.twin_place();
    twin::vector_select(twin_detail::counted<T>(twin::Op::kSelect, count, site), static_cast<int>(selMode),
                        {dst.twin_place()}, &mask, {src0.twin_place()}, {}, twin::scalar_bits<T>(src1));
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1,
            SELMODE selMode, const Mask& mask, twin::Field8 repeatTime, const BinaryRepeatParams& params,
            twin::Site site = twin::Site::here()) {
    using twin_detail::operand;
    const twin::UbSpan bits = selMask.twin_place();
    twin::vector_select(twin_detail::repeated<T, isSetMask>(twin::Op::kSelect, mask, repeatTime, site),
                        static_cast<int>(selMode),
                        operand(dst.twin_place(), params.dstBlkStride, params.dstRepStride), &bits,
                        operand(src0.twin_place(), params.src0BlkStride, params.src0RepStride), {},
                        twin::scalar_bits<T>(src1));
}
// With the compare mask register and the mask register.
template <typename T, SELMODE selMode>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
            twin::Field8 repeatTime, const BinaryRepeatParams& params, twin::Site site = twin::Site::here()) {
    using twin_detail::operand;
    twin::vector_select({twin::Op::kSelect, twin::dtype_of<T>(), {}, repeatTime, site},
                        static_cast<int>(selMode),
                        operand(dst.twin_place(), params.dstBlkStride, params.dstRepStride), nullptr,
                        operand(src0.twin_place(), params.src0BlkStride, params.src0RepStride),
                        operand(src1.twin_place(), params.src1BlkStride, params.src1RepStride), {});
}

} // namespace AscendC
