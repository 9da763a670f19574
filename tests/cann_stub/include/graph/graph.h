#pragma once

#include "operator.h"

#include <utility>

namespace ge {

class GraphState;

class Graph {
public:
    Graph() = default;
    explicit Graph(const std::string& name);
    explicit Graph(const char_t* name);
    Graph& SetInputs(const std::vector<Operator>& inputs);
    Graph& SetOutputs(const std::vector<Operator>& outputs);
    Graph& SetOutputs(const std::vector<std::pair<Operator, std::vector<size_t>>>& outputs);
    graphStatus SaveToFile(const std::string& file_name) const;
    graphStatus SaveToFile(const char_t* file_name) const;

    const GraphState& state() const { return *state_; } // of the stand-in alone

private:
    std::shared_ptr<GraphState> state_;
};

} // namespace ge
