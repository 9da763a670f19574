#include "operator_state.h"

#include <cstdio>

namespace ge {

// ---- Strings and tensors

AscendString::AscendString(const char_t* const name) {
    if (name != nullptr) {
        name_ = std::make_shared<std::string>(name);
    }
}
const char_t* AscendString::GetString() const {
    return name_ == nullptr ? "" : name_->c_str();
}
size_t AscendString::GetLength() const {
    return name_ == nullptr ? 0 : name_->size();
}
bool AscendString::operator<(const AscendString& other) const {
    return std::string(GetString()) < other.GetString();
}

Shape::Shape(const std::vector<int64_t>& dims) : dims_(dims) {}
std::vector<int64_t> Shape::GetDims() const {
    return dims_;
}
int64_t Shape::GetShapeSize() const {
    int64_t size = 1;
    for (const int64_t dim : dims_) {
        size *= dim;
    }
    return size;
}

TensorDesc::TensorDesc(Shape shape, Format format, DataType dt)
    : shape_(shape), format_(format), origin_format_(format), dtype_(dt) {}
Shape TensorDesc::GetShape() const {
    return shape_;
}
Format TensorDesc::GetFormat() const {
    return format_;
}
void TensorDesc::SetFormat(Format format) {
    format_ = format;
}
Format TensorDesc::GetOriginFormat() const {
    return origin_format_;
}
void TensorDesc::SetOriginFormat(Format format) {
    origin_format_ = format;
}
DataType TensorDesc::GetDataType() const {
    return dtype_;
}
void TensorDesc::SetDataType(DataType dt) {
    dtype_ = dt;
}
void TensorDesc::SetOriginShape(const Shape&) {}
void TensorDesc::SetPlacement(Placement) {}
void TensorDesc::SetRealDimCnt(const int64_t) {}

Tensor::Tensor(const TensorDesc& desc, const uint8_t* data, size_t size)
    : desc_(desc), data_(data, data + size) {}
TensorDesc Tensor::GetTensorDesc() const {
    return desc_;
}
const uint8_t* Tensor::GetData() const {
    return data_.data();
}
size_t Tensor::GetSize() const {
    return data_.size();
}

// ---- JSON, for what the tests print

std::string stub_json(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        char escaped[8];
        const bool plain = static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
        std::snprintf(escaped, sizeof escaped, plain ? "%c" : "\\u%04x",
                      plain ? c : static_cast<unsigned char>(c));
        out += escaped;
    }
    return out + "\"";
}

namespace {

std::string item_json(int64_t value) {
    return std::to_string(value);
}
std::string item_json(bool value) {
    return value ? "true" : "false";
}
std::string item_json(float value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", static_cast<double>(value));
    return digits;
}
std::string item_json(const std::string& value) {
    return stub_json(value);
}
template <class T>
std::string item_json(const std::vector<T>& values) {
    std::string out;
    for (const auto& value : values) {
        out += (out.empty() ? "" : ", ") + item_json(static_cast<const T&>(value));
    }
    return "[" + out + "]";
}

} // namespace

std::string stub_json(const StubValue& value) {
    return std::visit([](const auto& item) { return item_json(item); }, value);
}

} // namespace ge
