// Vector arithmetic, logic, filling and conversion, in three forms each: the first `count` elements; a mask
// of lanes with repeats and strides; a mask of bits with the same. With isSetMask false, the mask register is
// used.
#pragma once

#include "params.h"
#include "tensor.h"

namespace AscendC {

namespace twin_detail {

template <typename T>
twin::VectorCall counted(twin::Op op, int64_t count, twin::Site site) {
    return {op, twin::dtype_of<T>(), twin::Lanes::counted(count), 1, site};
}

template <typename T, bool isSetMask>
twin::VectorCall repeated(twin::Op op, uint64_t mask, twin::Field8 repeats, twin::Site site) {
    return {op, twin::dtype_of<T>(), isSetMask ? twin::Lanes::first(mask) : twin::Lanes{}, repeats, site};
}

template <typename T, bool isSetMask>
twin::VectorCall repeated(twin::Op op, const uint64_t mask[], twin::Field8 repeats, twin::Site site) {
    return {op, twin::dtype_of<T>(), isSetMask ? twin::Lanes::masked(mask) : twin::Lanes{}, repeats, site};
}

template <class Block, class Repeat>
twin::VectorOperand operand(twin::UbSpan place, twin::Field<Block> block, twin::Field<Repeat> repeat) {
    return {place, block, repeat};
}

} // namespace twin_detail

#define ASCENDC_TWIN_BINARY(Name)                                                                            \
    template <typename T>                                                                                    \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,             \
              const int32_t& count, twin::Site site = twin::Site::here()) {                                  \
        twin::vector_binary(twin_detail::counted<T>(twin::Op::k##Name, count, site), {dst.twin_place()},     \
                            {src0.twin_place()}, {src1.twin_place()});                                       \
    }                                                                                                        \
    template <typename T, bool isSetMask = true, typename Mask>                                              \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,             \
              const Mask& mask, twin::Field8 repeatTime, const BinaryRepeatParams& params,                   \
              twin::Site site = twin::Site::here()) {                                                        \
        using twin_detail::operand;                                                                          \
        twin::vector_binary(twin_detail::repeated<T, isSetMask>(twin::Op::k##Name, mask, repeatTime, site),  \
                            operand(dst.twin_place(), params.dstBlkStride, params.dstRepStride),             \
                            operand(src0.twin_place(), params.src0BlkStride, params.src0RepStride),          \
                            operand(src1.twin_place(), params.src1BlkStride, params.src1RepStride));         \
    }

ASCENDC_TWIN_BINARY(Add)
ASCENDC_TWIN_BINARY(Sub)
ASCENDC_TWIN_BINARY(Mul)
ASCENDC_TWIN_BINARY(Max)
ASCENDC_TWIN_BINARY(Min)
ASCENDC_TWIN_BINARY(And)
ASCENDC_TWIN_BINARY(Or)
#undef ASCENDC_TWIN_BINARY

#define ASCENDC_TWIN_UNARY(Name)                                                                             \
    template <typename T>                                                                                    \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count,                    \
              twin::Site site = twin::Site::here()) {                                                        \
        twin::vector_unary(twin_detail::counted<T>(twin::Op::k##Name, count, site), {dst.twin_place()},      \
                           {src.twin_place()});                                                              \
    }                                                                                                        \
    template <typename T, bool isSetMask = true, typename Mask>                                              \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Mask& mask,                        \
              twin::Field8 repeatTime, const UnaryRepeatParams& params,                                      \
              twin::Site site = twin::Site::here()) {                                                        \
        using twin_detail::operand;                                                                          \
        twin::vector_unary(twin_detail::repeated<T, isSetMask>(twin::Op::k##Name, mask, repeatTime, site),   \
                           operand(dst.twin_place(), params.dstBlkStride, params.dstRepStride),              \
                           operand(src.twin_place(), params.srcBlkStride, params.srcRepStride));             \
    }

ASCENDC_TWIN_UNARY(Not)
ASCENDC_TWIN_UNARY(Abs)
ASCENDC_TWIN_UNARY(Relu)
#undef ASCENDC_TWIN_UNARY

#define ASCENDC_TWIN_SCALAR(Name, Scalar)                                                                    \
    template <typename T, bool isSetMask = true>                                                             \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Scalar& scalar,                    \
              const int32_t& count, twin::Site site = twin::Site::here()) {                                  \
        twin::vector_scalar(twin_detail::counted<T>(twin::Op::k##Name, count, site), {dst.twin_place()},     \
                            {src.twin_place()}, twin::scalar_bits<Scalar>(scalar));                          \
    }                                                                                                        \
    template <typename T, bool isSetMask = true, typename Mask>                                              \
    void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Scalar& scalar, const Mask& mask,  \
              twin::Field8 repeatTime, const UnaryRepeatParams& params,                                      \
              twin::Site site = twin::Site::here()) {                                                        \
        using twin_detail::operand;                                                                          \
        twin::vector_scalar(twin_detail::repeated<T, isSetMask>(twin::Op::k##Name, mask, repeatTime, site),  \
                            operand(dst.twin_place(), params.dstBlkStride, params.dstRepStride),             \
                            operand(src.twin_place(), params.srcBlkStride, params.srcRepStride),             \
                            twin::scalar_bits<Scalar>(scalar));                                              \
    }

ASCENDC_TWIN_SCALAR(Adds, T)
ASCENDC_TWIN_SCALAR(Muls, T)
ASCENDC_TWIN_SCALAR(Maxs, T)
ASCENDC_TWIN_SCALAR(Mins, T)
ASCENDC_TWIN_SCALAR(ShiftLeft, T)
ASCENDC_TWIN_SCALAR(ShiftRight, T)
#undef ASCENDC_TWIN_SCALAR

// dst += src * scalar: half to half or float, float to float.
template <typename T, typename U>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalar, const int32_t& count,
          twin::Site site = twin::Site::here()) {
    twin::vector_axpy(twin_detail::counted<U>(twin::Op::kAxpy, count, site), twin::dtype_of<T>(),
                      {dst.twin_place()}, {src.twin_place(), 1, 8 * sizeof(U) / sizeof(T)},
                      twin::scalar_bits<U>(scalar));
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalar, const Mask& mask,
          twin::Field8 repeatTime, const UnaryRepeatParams& params, twin::Site site = twin::Site::here()) {
    using twin_detail::operand;
    twin::vector_axpy(
        twin_detail::repeated<U, isSetMask>(twin::Op::kAxpy, mask, repeatTime, site), twin::dtype_of<T>(),
        operand(dst.twin_place(), params.dstBlkStride, params.dstRepStride),
        operand(src.twin_place(), params.srcBlkStride, params.srcRepStride), twin::scalar_bits<U>(scalar));
}

// ---- Filling
template <typename T>
void Duplicate(const LocalTensor<T>& dst, const T& value, const int32_t& count,
               twin::Site site = twin::Site::here()) {
    twin::vector_fill(twin_detail::counted<T>(twin::Op::kDuplicate, count, site), {dst.twin_place()},
                      twin::scalar_bits<T>(value));
}
template <typename T, bool isSetMask = true, typename Mask>
void Duplicate(const LocalTensor<T>& dst, const T& value, const Mask& mask, twin::Field8 repeatTime,
               twin::Field16 dstBlockStride, twin::Field8 dstRepeatStride,
               twin::Site site = twin::Site::here()) {
    twin::vector_fill(twin_detail::repeated<T, isSetMask>(twin::Op::kDuplicate, mask, repeatTime, site),
                      twin_detail::operand(dst.twin_place(), dstBlockStride, dstRepeatStride),
                      twin::scalar_bits<T>(value));
}

template <typename T>
void CreateVecIndex(LocalTensor<T> dst, const T& first, uint32_t count,
                    twin::Site site = twin::Site::here()) {
    twin::vector_index(twin_detail::counted<T>(twin::Op::kCreateVecIndex, count, site), {dst.twin_place()},
                       twin::scalar_bits<T>(first));
}
template <typename T, typename Mask>
void CreateVecIndex(LocalTensor<T>& dst, const T& first, const Mask& mask, twin::Field8 repeatTime,
                    twin::Field16 dstBlkStride, twin::Field8 dstRepStride,
                    twin::Site site = twin::Site::here()) {
    twin::vector_index(twin_detail::repeated<T, true>(twin::Op::kCreateVecIndex, mask, repeatTime, site),
                       twin_detail::operand(dst.twin_place(), dstBlkStride, dstRepStride),
                       twin::scalar_bits<T>(first));
}

template <typename T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src, twin::Field8 repeatTime,
          const BrcbRepeatParams& params, twin::Site site = twin::Site::here()) {
    twin::vector_broadcast({twin::Op::kBrcb, twin::dtype_of<T>(), {}, repeatTime, site},
                           twin_detail::operand(dst.twin_place(), params.dstBlkStride, params.dstRepStride),
                           src.twin_place());
}

template <typename T, bool isSetMask = true, typename Mask>
void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const Mask& mask, twin::Field8 repeatTime,
          const CopyRepeatParams& params, twin::Site site = twin::Site::here()) {
    using twin_detail::operand;
    twin::vector_copy(twin_detail::repeated<T, isSetMask>(twin::Op::kCopy, mask, repeatTime, site),
                      operand(dst.twin_place(), params.dstStride, params.dstRepeatSize),
                      operand(src.twin_place(), params.srcStride, params.srcRepeatSize));
}

// ---- Conversion
template <typename T, typename U>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, uint32_t count,
          twin::Site site = twin::Site::here()) {
    constexpr uint32_t wide = sizeof(T) > sizeof(U) ? sizeof(T) : sizeof(U);
    twin::vector_cast(twin_detail::counted<U>(twin::Op::kCast, count, site), twin::dtype_of<T>(),
                      static_cast<int>(roundMode), {dst.twin_place(), 1, 8 * sizeof(T) / wide},
                      {src.twin_place(), 1, 8 * sizeof(U) / wide});
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, const RoundMode& roundMode, const Mask& mask,
          twin::Field8 repeatTime, const UnaryRepeatParams& params, twin::Site site = twin::Site::here()) {
    using twin_detail::operand;
    twin::vector_cast(twin_detail::repeated<U, isSetMask>(twin::Op::kCast, mask, repeatTime, site),
                      twin::dtype_of<T>(), static_cast<int>(roundMode),
                      operand(dst.twin_place(), params.dstBlkStride, params.dstRepStride),
                      operand(src.twin_place(), params.srcBlkStride, params.srcRepStride));
}

// ---- The mask register
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(uint64_t maskHigh, uint64_t maskLow) {
    twin::set_vector_mask(mode == MaskMode::COUNTER, maskHigh, maskLow);
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(int32_t len) {
    if (mode == MaskMode::COUNTER) {
        twin::set_vector_mask(true, 0, static_cast<uint64_t>(len));
        return;
    }
    const auto ones = [](int32_t n) { return n <= 0 ? 0 : n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; };
    twin::set_vector_mask(false, ones(len - 64), ones(len));
}
inline void SetMaskCount() {
    twin::set_mask_mode(true);
}
inline void SetMaskNorm() {
    twin::set_mask_mode(false);
}
inline void ResetMask() {
    twin::reset_vector_mask();
}

} // namespace AscendC
