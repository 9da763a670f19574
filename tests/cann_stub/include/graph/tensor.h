#pragma once

#include "ascend_string.h"
#include "types.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ge {

class Shape {
public:
    Shape() = default;
    explicit Shape(const std::vector<int64_t>& dims);
    std::vector<int64_t> GetDims() const;
    int64_t GetShapeSize() const;

private:
    std::vector<int64_t> dims_;
};

class TensorDesc {
public:
    TensorDesc() = default;
    explicit TensorDesc(Shape shape, Format format = FORMAT_ND, DataType dt = DT_FLOAT);
    Shape GetShape() const;
    Format GetFormat() const;
    void SetFormat(Format format);
    Format GetOriginFormat() const;
    void SetOriginFormat(Format format);
    DataType GetDataType() const;
    void SetDataType(DataType dt);
    void SetOriginShape(const Shape& shape);
    void SetPlacement(Placement placement);
    void SetRealDimCnt(const int64_t count);

private:
    Shape shape_;
    Format format_ = FORMAT_ND;
    Format origin_format_ = FORMAT_ND;
    DataType dtype_ = DT_FLOAT;
};

class Tensor {
public:
    Tensor() = default;
    Tensor(const TensorDesc& desc, const uint8_t* data, size_t size);
    TensorDesc GetTensorDesc() const;
    const uint8_t* GetData() const;
    size_t GetSize() const;

private:
    TensorDesc desc_;
    std::vector<uint8_t> data_;
};

} // namespace ge
