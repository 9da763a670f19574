#include "parsed_node.h"

#include <maxpoolgrad/names.h>

#include <op_host/report.h>

namespace maxpoolgrad::atc {

namespace {

std::string text_of(const ge::AscendString& value) {
    const char* text = value.GetString();
    return text == nullptr ? std::string() : std::string(text);
}

std::vector<std::string> strings_of(const ge::Operator& source, const char* attribute) {
    std::vector<ge::AscendString> values;
    std::vector<std::string> strings;
    if (source.GetAttr(attribute, values) == ge::GRAPH_SUCCESS) {
        for (const ge::AscendString& value : values) {
            strings.push_back(text_of(value));
        }
    }
    return strings;
}

} // namespace

const OnnxAttribute* ParsedNode::find(const std::string& attribute) const {
    const OnnxAttribute* found = nullptr;
    for (const OnnxAttribute& candidate : attributes) {
        found = candidate.name == attribute ? &candidate : found;
    }
    return found;
}

ParsedNode read_node(const ge::Operator& source) {
    ParsedNode node;
    ge::AscendString name, key, json;
    source.GetName(name);
    source.GetOpType(key);
    node.name = text_of(name);
    node.key = text_of(key);
    node.inputs = strings_of(source, "input");
    node.outputs = strings_of(source, "output");
    if (source.GetAttr("attribute", json) == ge::GRAPH_SUCCESS) {
        auto attributes = read_attributes(text_of(json));
        node.readable = attributes.has_value();
        node.attributes = node.readable ? std::move(*attributes) : std::vector<OnnxAttribute>();
    }
    return node;
}

const char* unreadable() {
    return ": its attributes come in a form that this plugin does not know; build the plugin for this "
           "release of "
           "CANN";
}

std::string check_inputs(const ParsedNode& node, const char* type, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (i >= node.inputs.size() || node.inputs[i].empty()) {
            return "input " + std::to_string(i) + " is missing; connect it";
        }
    }
    if (node.inputs.size() != count) {
        return "it has " + std::to_string(node.inputs.size()) + " inputs; " + type + " takes " +
               std::to_string(count);
    }
    return "";
}

std::string key_of(const char* op_type) {
    return std::string(kDomain) + "::" + std::to_string(kOpsetVersion) + "::" + op_type;
}

domi::Status answer(const std::string& refusal) {
    if (refusal.empty()) {
        return domi::SUCCESS;
    }
    cann::report(refusal);
    return domi::FAILED;
}

} // namespace maxpoolgrad::atc
