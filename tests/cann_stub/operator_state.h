// What the stand-ins keep of operators and graphs.
#pragma once

#include <cstdint>
#include <graph/graph.h>
#include <graph/operator.h>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ge {

using StubValue = std::variant<int64_t, bool, float, std::string, std::vector<int64_t>, std::vector<bool>,
                               std::vector<std::string>>;

class OperatorState {
public:
    struct Attribute {
        std::string name, type;
        bool required;
        StubValue value; // the default of an optional one
    };

    std::string name, type;
    std::vector<std::string> inputs, outputs; // ports, in order
    std::map<std::string, std::string> port_types;
    std::vector<Attribute> prototype;
    std::map<std::string, StubValue> attrs;
    std::map<std::string, std::pair<Operator, uint32_t>> sources;
    std::map<std::string, TensorDesc> descs;
};

class GraphState {
public:
    std::string name;
    std::vector<Operator> inputs;
    std::vector<std::pair<Operator, std::vector<size_t>>> outputs;
};

std::string stub_json(const StubValue& value);
std::string stub_json(const std::string& text);

} // namespace ge
