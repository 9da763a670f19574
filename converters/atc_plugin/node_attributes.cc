#include "node_attributes.h"

#include <cstdlib>
#include <iterator>

namespace maxpoolgrad::atc {

namespace {

const char* type_name(int type) {
    static constexpr const char* kNames[] = {"UNDEFINED",      "FLOAT",      "INT",        "STRING",
                                             "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
                                             "STRINGS",        "TENSORS",    "GRAPHS",     "SPARSE_TENSOR",
                                             "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};
    return type >= 0 && type < static_cast<int>(std::size(kNames)) ? kNames[type] : "of an unknown kind";
}

std::string list_text(const std::vector<int64_t>& values) {
    std::string out;
    for (const int64_t value : values) {
        out += (out.empty() ? "" : ", ") + std::to_string(value);
    }
    return "[" + out + "]";
}

} // namespace

std::vector<int64_t> NodeAttributes::ints(const char* name, const std::vector<int64_t>& fallback) {
    const OnnxAttribute* attribute = checked(name, AttributeType::kInts);
    const std::vector<int64_t> values = attribute == nullptr ? fallback : attribute->ints;
    if (values.size() != fallback.size()) {
        refuse(std::string(name) + " is " + list_text(values) + "; for a 4-D image it has " +
               std::to_string(fallback.size()) + " values");
        return fallback;
    }
    return values;
}

int64_t NodeAttributes::number(const char* name, int64_t fallback) {
    const OnnxAttribute* attribute = checked(name, AttributeType::kInt);
    return attribute == nullptr ? fallback : attribute->number;
}

float NodeAttributes::real(const char* name, float fallback) {
    const OnnxAttribute* attribute = checked(name, AttributeType::kFloat);
    return attribute == nullptr ? fallback : std::strtof(attribute->text.c_str(), nullptr);
}

void NodeAttributes::refuse(const std::string& reason) {
    if (refusal_.empty()) {
        refusal_ = reason;
    }
}

const OnnxAttribute* NodeAttributes::checked(const char* name, AttributeType wanted) {
    const OnnxAttribute* attribute = node_.find(name);
    if (attribute == nullptr || (attribute->is(wanted) && attribute->reference.empty())) {
        return attribute;
    }
    const std::string found = attribute->reference.empty() ? type_name(attribute->type) : "a reference";
    refuse("the attribute " + std::string(name) + " is " + found + "; it must be " +
           type_name(static_cast<int>(wanted)));
    return nullptr;
}

} // namespace maxpoolgrad::atc
