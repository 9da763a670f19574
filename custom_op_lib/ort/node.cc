#include "node.h"

#include "api.h"

#include <cstdio>
#include <iterator>
#include <variant>

namespace maxpoolgrad::ort {
namespace {

// Calls an entry and tells whether it succeeded.
template <class E, class... Arguments>
bool succeeds(const OrtApi* api, Arguments... arguments) {
    OrtStatus* status = entry<E>(api)(arguments...);
    if (status != nullptr) {
        entry<ReleaseStatus>(api)(status);
    }
    return status == nullptr;
}

// Reads a string or list: E gives its size first, then its content.
template <class E, class Values, class... Key>
bool read_sized(const OrtApi* api, const OrtKernelInfo* info, Values& values, Key... key) {
    using Element = typename Values::value_type;
    size_t size = 0;
    if (!succeeds<E>(api, info, key..., static_cast<Element*>(nullptr), &size)) {
        return false;
    }
    values.resize(size);
    return size == 0 || succeeds<E>(api, info, key..., values.data(), &size);
}

void drop_terminating_zero(std::string& text) {
    text.resize(text.empty() ? 0 : text.size() - 1);
}

// ---- Attributes

using Ints = std::vector<int64_t>;
using Floats = std::vector<float>;
struct Missing {};
// An empty Ints also stands for what no getter of ONNX Runtime's shows: lists of strings, tensors, graphs.
using Value = std::variant<Missing, int64_t, float, std::string, Ints, Floats>;

Value attribute_of(const OrtApi* api, const OrtKernelInfo* info, const char* name) {
    int64_t integer = 0;
    if (succeeds<KernelInfoGetInt>(api, info, name, &integer)) {
        return integer;
    }
    float real = 0;
    if (succeeds<KernelInfoGetFloat>(api, info, name, &real)) {
        return real;
    }
    std::string text;
    if (read_sized<KernelInfoGetString>(api, info, text, name)) {
        drop_terminating_zero(text);
        return text;
    }
    // The getters of lists see an attribute of any other type as an empty list.
    Floats reals;
    if (read_sized<KernelInfoGetFloats>(api, info, reals, name) && !reals.empty()) {
        return reals;
    }
    Ints integers;
    if (read_sized<KernelInfoGetInts>(api, info, integers, name)) {
        return integers;
    }
    return Missing{};
}

// With a point where the value is whole, so that it does not look like an int.
std::string number_text(float value) {
    char out[32];
    std::snprintf(out, sizeof out, "%g", static_cast<double>(value));
    const std::string text = out;
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

std::string list_text(const Floats& values) {
    std::string out;
    for (const float value : values) {
        out += (out.empty() ? "" : ", ") + number_text(value);
    }
    return "[" + out + "]";
}

// The value as a sentence shows it.
std::string value_text(const Value& value) {
    struct Text {
        std::string operator()(Missing) const { return "missing"; }
        std::string operator()(int64_t integer) const { return detail::text(integer); }
        std::string operator()(float real) const { return number_text(real); }
        std::string operator()(const std::string& text) const { return detail::text(text); }
        std::string operator()(const Ints& list) const {
            return list.empty() ? "of another type" : detail::text(list);
        }
        std::string operator()(const Floats& list) const { return list_text(list); }
    };
    return std::visit(Text{}, value);
}

// ---- Inputs

// The names of ONNX Runtime's element types in the order of their numbers, as NumPy and ml_dtypes call them.
constexpr const char* kElementTypes[] = {"",
                                         "float32",
                                         "uint8",
                                         "int8",
                                         "uint16",
                                         "int16",
                                         "int32",
                                         "int64",
                                         "string",
                                         "bool",
                                         "float16",
                                         "float64",
                                         "uint32",
                                         "uint64",
                                         "complex64",
                                         "complex128",
                                         "bfloat16",
                                         "float8_e4m3fn",
                                         "float8_e4m3fnuz",
                                         "float8_e5m2",
                                         "float8_e5m2fnuz",
                                         "uint4",
                                         "int4",
                                         "float4_e2m1fn"};

} // namespace

std::string dtype_name(ElementType type) {
    const size_t index = static_cast<size_t>(type);
    const bool known = index < std::size(kElementTypes);
    return known ? kElementTypes[index] : "element type " + detail::text(static_cast<int64_t>(type));
}

std::string subject_of(const OrtApi* api, const OrtKernelInfo* info) {
    std::string name;
    read_sized<KernelInfoGetNodeName>(api, info, name);
    drop_terminating_zero(name);
    return node_subject(name);
}

Attributes attributes_of(const OrtApi* api, const OrtKernelInfo* info, const std::string& subject) {
    const auto fill = [&](const char* name, auto& attribute) {
        const Value value = attribute_of(api, info, name);
        const AttributeSpec& spec = *find_attribute(name);
        if (std::holds_alternative<Missing>(value)) {
            require(spec.required ? missing_attribute(subject, spec) : "");
            return;
        }
        const auto* found = std::get_if<std::decay_t<decltype(attribute)>>(&value);
        require(found == nullptr ? wrong_attribute_type(subject, spec, value_text(value)) : "");
        attribute = *found;
    };
    Attributes attributes;
    fill("ksize", attributes.ksize);
    fill("strides", attributes.strides);
    fill("padding_mode", attributes.padding_mode);
    fill("pads", attributes.pads);
    fill("data_format", attributes.data_format);
    fill("global_pooling", attributes.global_pooling);
    fill("ceil_mode", attributes.ceil_mode);
    return attributes;
}

DeclaredInputs declared_inputs(const OrtApi* api, const OrtKernelInfo* info, const std::string& subject) {
    size_t count = 0;
    call<KernelInfoGetInputCount>(api, info, &count);
    DeclaredInputs inputs;
    require(count != inputs.dtypes.size() ? wrong_input_count(subject, static_cast<int64_t>(count)) : "");
    for (size_t i = 0; i < count; ++i) {
        OrtTypeInfo* type = nullptr;
        call<KernelInfoGetInputTypeInfo>(api, info, i, &type);
        const OwnedTypeInfo owned(type, {api});
        const OrtTensorTypeAndShapeInfo* tensor = nullptr;
        call<CastTypeInfoToTensorInfo>(api, type, &tensor);
        if (tensor != nullptr) {
            inputs.dtypes[i] = dtype_name(element_type_of(api, tensor));
            inputs.shapes[i].dims = dims_of(api, tensor);
            // No dimensions stand for a scalar and for an unknown rank alike; a scalar is refused when it
            // runs.
            inputs.shapes[i].known_rank = !inputs.shapes[i].dims.empty();
        }
    }
    return inputs;
}

} // namespace maxpoolgrad::ort
