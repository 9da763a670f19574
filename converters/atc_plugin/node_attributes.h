// A node's attributes with ONNX's defaults, read until one is refused in the converter's words.
#pragma once

#include "parsed_node.h"

#include <cstdint>
#include <string>
#include <vector>

namespace maxpoolgrad::atc {

class NodeAttributes {
public:
    explicit NodeAttributes(const ParsedNode& node) : node_(node) {}

    // A list of as many values as the fallback has.
    std::vector<int64_t> ints(const char* name, const std::vector<int64_t>& fallback);
    int64_t number(const char* name, int64_t fallback);
    float real(const char* name, float fallback);

    // What is wrong with the first that was refused; empty where none was.
    const std::string& refusal() const { return refusal_; }

private:
    void refuse(const std::string& reason);
    const OnnxAttribute* checked(const char* name, AttributeType wanted);

    const ParsedNode& node_;
    std::string refusal_;
};

} // namespace maxpoolgrad::atc
