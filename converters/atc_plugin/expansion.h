// A node that becomes a small graph, as CANN's own plugin does with Conv.
#pragma once

#include "parsed_node.h"

#include <cstdint>
#include <graph/graph.h>
#include <string>

namespace maxpoolgrad::atc {

// Gives the parser's node its ports, and the key by which the parser finds the function that expands it.
void become_graph(const ParsedNode& node, uint32_t inputs, uint32_t outputs, ge::Operator& target);

// A new operator; empty where this CANN has none of that type.
ge::Operator create(const std::string& name, const char* type);

// The graph's input of that number.
ge::Operator input(const std::string& name, int64_t index);

// Makes an input or output port an image.
void set_layout(ge::Operator& op, const char* port, bool input);

extern const char* const kLayout;

// The name of an operator.
std::string name_of(const ge::Operator& op);

// What is said where `create` gives an empty operator.
domi::Status no_such_operator(const std::string& subject);

} // namespace maxpoolgrad::atc
