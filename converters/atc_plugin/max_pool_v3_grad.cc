// npu::MaxPoolV3Grad, in both spellings -> GE's operator of that name: inputs by position, all seven
// attributes written. Refused in the contract's words.
#include "parsed_node.h"

#include <maxpoolgrad/contract.h>

namespace maxpoolgrad::atc {

namespace {

bool fits(const OnnxAttribute& attribute, AttributeKind kind) {
    switch (kind) {
    // An empty list has no elements of a wrong type.
    case AttributeKind::kInts: return attribute.is(AttributeType::kInts) || attribute.shown() == "[]";
    case AttributeKind::kString: return attribute.is(AttributeType::kString);
    case AttributeKind::kBool: return attribute.is(AttributeType::kInt);
    }
    return false;
}

// Of an attribute that fits its kind.
void set(Attributes* attributes, const OnnxAttribute& attribute) {
    if (attribute.name == "ksize") {
        attributes->ksize = attribute.ints;
    } else if (attribute.name == "strides") {
        attributes->strides = attribute.ints;
    } else if (attribute.name == "pads") {
        attributes->pads = attribute.ints;
    } else if (attribute.name == "padding_mode") {
        attributes->padding_mode = attribute.text;
    } else if (attribute.name == "data_format") {
        attributes->data_format = attribute.text;
    } else {
        (attribute.name == "ceil_mode" ? attributes->ceil_mode : attributes->global_pooling) =
            attribute.number;
    }
}

std::string check_ports(const std::string& subject, const ParsedNode& node) {
    if (node.inputs.size() != kInputNames.size()) {
        return wrong_input_count(subject, static_cast<int64_t>(node.inputs.size()));
    }
    for (size_t i = 0; i < kInputNames.size(); ++i) {
        if (node.inputs[i].empty()) {
            return missing_input(subject, kInputNames[i]);
        }
    }
    if (node.outputs.size() != 1 || node.outputs[0].empty()) {
        return wrong_output_count(subject, static_cast<int64_t>(node.outputs.size()));
    }
    return "";
}

std::string check_form(const std::string& subject, const ParsedNode& node) {
    if (!node.readable) {
        return subject + unreadable();
    }
    for (const OnnxAttribute& attribute : node.attributes) {
        const AttributeSpec* spec = find_attribute(attribute.name);
        if (spec == nullptr) {
            return unknown_attribute(subject, attribute.name);
        }
        if (!attribute.reference.empty()) {
            return wrong_attribute_type(subject, *spec, attribute.shown());
        }
    }
    return "";
}

std::string read(const std::string& subject, const ParsedNode& node, Attributes* attributes) {
    for (const AttributeSpec& spec : kAttributes) {
        const OnnxAttribute* attribute = node.find(spec.name);
        if (attribute == nullptr && spec.required) {
            return missing_attribute(subject, spec);
        }
        if (attribute != nullptr && !fits(*attribute, spec.kind)) {
            return wrong_attribute_type(subject, spec, attribute->shown());
        }
        if (attribute != nullptr) {
            set(attributes, *attribute);
        }
    }
    return check_attributes(subject, *attributes);
}

void write(const Attributes& attributes, ge::Operator& target) {
    target.SetAttr("ksize", attributes.ksize);
    target.SetAttr("strides", attributes.strides);
    target.SetAttr("padding_mode", attributes.padding_mode.c_str());
    target.SetAttr("pads", attributes.pads);
    target.SetAttr("data_format", attributes.data_format.c_str());
    target.SetAttr("global_pooling", attributes.global_pooling != 0);
    target.SetAttr("ceil_mode", attributes.ceil_mode != 0);
}

domi::Status parse_max_pool_v3_grad(const ge::Operator& source, ge::Operator& target) {
    const ParsedNode node = read_node(source);
    const std::string subject = node_subject(node.name);
    Attributes attributes;
    const std::string refusal = detail::first_of({check_ports(subject, node), check_form(subject, node)});
    if (!refusal.empty()) {
        return answer(refusal);
    }
    const std::string wrong = read(subject, node, &attributes);
    if (wrong.empty()) {
        write(attributes, target);
    }
    return answer(wrong);
}

} // namespace

std::vector<ge::AscendString> max_pool_v3_grad_keys() {
    return {key_of(kOpType).c_str(), key_of(kOpTypeAlias).c_str()};
}

} // namespace maxpoolgrad::atc

namespace domi {

REGISTER_CUSTOM_OP(maxpoolgrad::kOpType)
    .FrameworkType(ONNX)
    .OriginOpType(maxpoolgrad::atc::max_pool_v3_grad_keys())
    .ParseParamsByOperatorFn(maxpoolgrad::atc::parse_max_pool_v3_grad)
    .ImplyType(ImplyType::TVM);

} // namespace domi
