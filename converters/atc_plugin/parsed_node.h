// A node as the ONNX parser hands it to a plugin.
#pragma once

#include "onnx_attribute.h"

#include <graph/operator.h>
#include <register/register.h>
#include <string>
#include <vector>

namespace maxpoolgrad::atc {

// The parser sets a field of the node as an attribute of the operator where the node has it.
struct ParsedNode {
    std::string name;
    std::string key; // domain::version::type, under which the plugin is registered
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    std::vector<OnnxAttribute> attributes;
    bool readable = true; // false: the attributes have a form that this plugin does not know

    // The last attribute of that name; null where the node has none.
    const OnnxAttribute* find(const std::string& attribute) const;
};

ParsedNode read_node(const ge::Operator& source);

// What is said, after the subject, of a node that is not readable.
const char* unreadable();

// What is wrong with the inputs of a node that takes so many, all of them connected; empty where nothing is.
std::string check_inputs(const ParsedNode& node, const char* type, size_t count);

// The key of an operator of domain npu.
std::string key_of(const char* op_type);

// What a parse function returns: nothing refused, or a sentence that it reports.
domi::Status answer(const std::string& refusal);

} // namespace maxpoolgrad::atc
