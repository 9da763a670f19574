#include "node_facts.h"

#include <array>
#include <cstddef>

namespace maxpoolgrad::cann {

namespace {

using gert::RuntimeAttrs;

// GE keeps a node's attributes in the order of its prototype, which is that of kAttributes.
size_t place_of(const char* name) {
    size_t place = 0;
    while (place < kAttributes.size() && std::string(kAttributes[place].name) != name) {
        ++place;
    }
    return place;
}

bool read(const RuntimeAttrs& attrs, const char* name, std::vector<int64_t>* value) {
    const auto* found = attrs.GetListInt(place_of(name));
    if (found != nullptr) {
        value->assign(found->GetData(), found->GetData() + found->GetSize());
    }
    return found != nullptr;
}

bool read(const RuntimeAttrs& attrs, const char* name, std::string* value) {
    const char* found = attrs.GetStr(place_of(name));
    if (found != nullptr) {
        *value = found;
    }
    return found != nullptr;
}

bool read(const RuntimeAttrs& attrs, const char* name, int64_t* value) {
    const bool* found = attrs.GetBool(place_of(name));
    if (found != nullptr) {
        *value = *found ? 1 : 0;
    }
    return found != nullptr;
}

struct DtypeName {
    ge::DataType dtype;
    const char* name;
};

constexpr std::array<DtypeName, 15> kDtypeNames = {{
    {ge::DT_FLOAT, "float32"},
    {ge::DT_FLOAT16, "float16"},
    {ge::DT_BF16, "bfloat16"},
    {ge::DT_DOUBLE, "float64"},
    {ge::DT_INT8, "int8"},
    {ge::DT_INT16, "int16"},
    {ge::DT_INT32, "int32"},
    {ge::DT_INT64, "int64"},
    {ge::DT_UINT8, "uint8"},
    {ge::DT_UINT16, "uint16"},
    {ge::DT_UINT32, "uint32"},
    {ge::DT_UINT64, "uint64"},
    {ge::DT_BOOL, "bool"},
    {ge::DT_COMPLEX64, "complex64"},
    {ge::DT_COMPLEX128, "complex128"},
}};

} // namespace

std::string subject_of(const gert::ExtendedKernelContext& context) {
    const char* name = context.GetNodeName();
    return node_subject(name == nullptr ? "" : name);
}

std::string read_attributes(const gert::ExtendedKernelContext& context, Attributes* attributes) {
    const std::string subject = subject_of(context);
    const RuntimeAttrs* attrs = context.GetAttrs();
    const bool has_ksize = attrs != nullptr && read(*attrs, "ksize", &attributes->ksize);
    const bool has_strides = attrs != nullptr && read(*attrs, "strides", &attributes->strides);
    if (!has_ksize || !has_strides) {
        return missing_attribute(subject, kAttributes[place_of(has_ksize ? "strides" : "ksize")]);
    }
    read(*attrs, "padding_mode", &attributes->padding_mode);
    read(*attrs, "pads", &attributes->pads);
    read(*attrs, "data_format", &attributes->data_format);
    read(*attrs, "global_pooling", &attributes->global_pooling);
    read(*attrs, "ceil_mode", &attributes->ceil_mode);
    return check_attributes(subject, *attributes);
}

PartialShape shape_of(const gert::Shape* shape) {
    PartialShape known;
    if (shape == nullptr || (shape->GetDimNum() == 1 && shape->GetDim(0) == ge::UNKNOWN_DIM_NUM)) {
        return known;
    }
    known.known_rank = true;
    for (size_t dim = 0; dim < shape->GetDimNum(); ++dim) {
        known.dims.push_back(shape->GetDim(dim));
    }
    return known;
}

std::string dtype_name(ge::DataType dtype) {
    if (dtype == ge::DT_UNDEFINED) {
        return "";
    }
    for (const DtypeName& known : kDtypeNames) {
        if (known.dtype == dtype) {
            return known.name;
        }
    }
    return "number " + std::to_string(static_cast<int>(dtype)) + " of ge::DataType";
}

} // namespace maxpoolgrad::cann
