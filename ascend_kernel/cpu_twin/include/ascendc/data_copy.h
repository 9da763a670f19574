// DataCopy and DataCopyPad: between global memory and the unified buffer (MTE2, MTE3), and within it (V).
#pragma once

#include "params.h"
#include "tensor.h"

namespace AscendC {

namespace twin_detail {

// DataCopyParams counts lengths and gaps in blocks of 32 B.
inline twin::Transfer blocks_transfer(twin::DType type, const DataCopyParams& params) {
    twin::Transfer transfer{twin::Op::kDataCopy, type};
    transfer.blocks = params.blockCount;
    transfer.block_bytes = params.blockLen.value * twin::kBlockBytes;
    transfer.wrapped = params.blockLen.wrapped || params.srcGap.wrapped || params.dstGap.wrapped;
    return transfer;
}

template <class Stride>
twin::Transfer bytes_transfer(twin::DType type, twin::Field16 blocks, twin::Field32 bytes, Stride gm_gap,
                              Stride ub_gap) {
    twin::Transfer transfer{twin::Op::kDataCopyPad, type};
    transfer.blocks = blocks;
    transfer.block_bytes = bytes;
    transfer.gm_gap = static_cast<int64_t>(gm_gap.value);
    transfer.ub_gap = static_cast<int64_t>(ub_gap.value);
    transfer.wrapped = gm_gap.wrapped || ub_gap.wrapped;
    return transfer;
}

} // namespace twin_detail

// ---- Whole blocks
template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params,
              twin::Site site = twin::Site::here()) {
    twin::Transfer transfer = twin_detail::blocks_transfer(twin::dtype_of<T>(), params);
    transfer.gm_gap = static_cast<int64_t>(params.srcGap.value) * twin::kBlockBytes;
    transfer.ub_gap = params.dstGap.value;
    twin::copy_in(dst.twin_place(), src.twin_place(), transfer, {}, site);
}

template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params,
              twin::Site site = twin::Site::here()) {
    twin::Transfer transfer = twin_detail::blocks_transfer(twin::dtype_of<T>(), params);
    transfer.gm_gap = static_cast<int64_t>(params.dstGap.value) * twin::kBlockBytes;
    transfer.ub_gap = params.srcGap.value;
    twin::copy_out(dst.twin_place(), src.twin_place(), transfer, false, site);
}

template <typename T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params,
              twin::Site site = twin::Site::here()) {
    twin::Transfer transfer = twin_detail::blocks_transfer(twin::dtype_of<T>(), params);
    transfer.ub_gap = params.dstGap.value;
    twin::copy_local(dst.twin_place(), src.twin_place(), transfer, params.srcGap.value, site);
}

template <typename T>
void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src, uint32_t count,
              twin::Site site = twin::Site::here()) {
    twin::Transfer transfer{twin::Op::kDataCopy, twin::dtype_of<T>()};
    transfer.block_bytes = static_cast<uint64_t>(count) * sizeof(T);
    twin::copy_in(dst.twin_place(), src.twin_place(), transfer, {}, site);
}

template <typename T>
void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count,
              twin::Site site = twin::Site::here()) {
    twin::Transfer transfer{twin::Op::kDataCopy, twin::dtype_of<T>()};
    transfer.block_bytes = static_cast<uint64_t>(count) * sizeof(T);
    twin::copy_out(dst.twin_place(), src.twin_place(), transfer, false, site);
}

template <typename T>
void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint32_t count,
              twin::Site site = twin::Site::here()) {
    twin::Transfer transfer{twin::Op::kDataCopy, twin::dtype_of<T>()};
    transfer.block_bytes = static_cast<uint64_t>(count) * sizeof(T);
    twin::copy_local(dst.twin_place(), src.twin_place(), transfer, 0, site);
}

// ---- Any number of bytes
#if __NPU_ARCH__ == 3510
template <typename T, PaddingMode mode = PaddingMode::Normal>
#else
template <typename T>
#endif
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyExtParams& params,
                 const DataCopyPadExtParams<T>& pad, twin::Site site = twin::Site::here()) {
    twin::Padding padding{pad.isPad, pad.leftPadding, pad.rightPadding, twin::scalar_bits(pad.paddingValue)};
#if __NPU_ARCH__ == 3510
    padding.compact = mode == PaddingMode::Compact;
#endif
    twin::copy_in(dst.twin_place(), src.twin_place(),
                  twin_detail::bytes_transfer(twin::dtype_of<T>(), params.blockCount, params.blockLen,
                                              params.srcStride, params.dstStride),
                  padding, site);
}

#if __NPU_ARCH__ == 3510
template <typename T, PaddingMode mode = PaddingMode::Normal>
#else
template <typename T>
#endif
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyExtParams& params,
                 twin::Site site = twin::Site::here()) {
    bool compact = false;
#if __NPU_ARCH__ == 3510
    compact = mode == PaddingMode::Compact;
#endif
    twin::copy_out(dst.twin_place(), src.twin_place(),
                   twin_detail::bytes_transfer(twin::dtype_of<T>(), params.blockCount, params.blockLen,
                                               params.dstStride, params.srcStride),
                   compact, site);
}

// The older form, in 16 bits.
template <typename T>
void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src, const DataCopyParams& params,
                 const DataCopyPadParams& pad, twin::Site site = twin::Site::here()) {
    const twin::Padding padding{pad.isPad, pad.leftPadding, pad.rightPadding, {pad.paddingValue}};
    twin::copy_in(dst.twin_place(), src.twin_place(),
                  twin_detail::bytes_transfer(twin::dtype_of<T>(), params.blockCount, params.blockLen,
                                              params.srcGap, params.dstGap),
                  padding, site);
}

template <typename T>
void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src, const DataCopyParams& params,
                 twin::Site site = twin::Site::here()) {
    twin::copy_out(dst.twin_place(), src.twin_place(),
                   twin_detail::bytes_transfer(twin::dtype_of<T>(), params.blockCount, params.blockLen,
                                               params.dstGap, params.srcGap),
                   false, site);
}

template <typename T, TPosition position = TPosition::MAX>
void SetPadValue(T value) {
    twin::set_pad_value(twin::dtype_of<T>(), twin::scalar_bits(value));
}

// ---- Atomics of transfers to global memory
template <typename T>
void SetAtomicAdd(twin::Site site = twin::Site::here()) {
    twin::set_atomic(1, twin::dtype_of<T>(), site);
}
template <typename T>
void SetAtomicMax(twin::Site site = twin::Site::here()) {
    twin::set_atomic(2, twin::dtype_of<T>(), site);
}
template <typename T>
void SetAtomicMin(twin::Site site = twin::Site::here()) {
    twin::set_atomic(3, twin::dtype_of<T>(), site);
}
inline void SetAtomicNone(twin::Site site = twin::Site::here()) {
    twin::set_atomic(0, twin::DType::kFloat, site);
}
inline void DisableDmaAtomic() {
    SetAtomicNone();
}

} // namespace AscendC
