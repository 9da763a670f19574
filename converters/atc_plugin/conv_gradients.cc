// Conv's two gradients -> GE's own training operators of those names.
//
// A node becomes a small graph, as CANN's own plugin does with Conv: the operator, and in front of it the
// cast to int32 that GE wants of the size. ONNX writes strides and dilations [h, w] and pads [top, left,
// bottom, right]; GE [1, 1, h, w] and [top, bottom, left, right]. Rules and sentences are the converter's, in
// onnx_to_ge/rules/conv_gradients.py. Types are not known here and need not be: the filter's gradient is
// float32 in ONNX as in GE, and a model of float16 has its Cast behind it.
#include "expansion.h"
#include "node_attributes.h"

#include <array>
#include <utility>

namespace maxpoolgrad::atc {

namespace {

constexpr const char* kConvInputGrad = "Conv2DBackpropInput";
constexpr const char* kConvFilterGrad = "Conv2DBackpropFilter";
constexpr size_t kInputs = 3;

struct ConvGradient {
    const char* type; // in ONNX and in GE
    std::array<const char*, kInputs> ports;
    size_t size_port; // the others and the output are images
};

constexpr ConvGradient kInputGradient = {kConvInputGrad, {"input_size", "filter", "out_backprop"}, 0};
constexpr ConvGradient kFilterGradient = {kConvFilterGrad, {"x", "filter_size", "out_backprop"}, 1};

// As GE has them.
struct Geometry {
    std::vector<int64_t> strides, pads, dilations;
    int64_t groups = 1;
};

// What the parser's node keeps between parsing and expansion: its own attributes under these names.
constexpr const char* kStrides = "strides";
constexpr const char* kPads = "pads";
constexpr const char* kDilations = "dilations";
constexpr const char* kGroups = "groups";

// ---- Reading

std::vector<int64_t> on_height_and_width(const std::vector<int64_t>& sizes) {
    return {1, 1, sizes[0], sizes[1]};
}

// What is wrong with the node; `geometry` is set where nothing is.
std::string read(const ParsedNode& node, const char* type, Geometry* geometry) {
    const std::string wrong_inputs = check_inputs(node, type, kInputs);
    if (!wrong_inputs.empty()) {
        return wrong_inputs;
    }
    NodeAttributes attributes(node);
    const auto pads = attributes.ints("pads", {0, 0, 0, 0});
    const auto strides = attributes.ints("strides", {1, 1});
    const auto dilations = attributes.ints("dilations", {1, 1});
    geometry->groups = attributes.number("group", 1);
    geometry->pads = {pads[0], pads[2], pads[1], pads[3]};
    geometry->strides = on_height_and_width(strides);
    geometry->dilations = on_height_and_width(dilations);
    return attributes.refusal();
}

domi::Status parse(const ConvGradient& gradient, const ge::Operator& source, ge::Operator& target) {
    const ParsedNode node = read_node(source);
    const std::string subject = std::string(gradient.type) + " node '" + node.name + "'";
    if (!node.readable) {
        return answer(subject + unreadable());
    }
    Geometry geometry;
    const std::string reason = read(node, gradient.type, &geometry);
    if (!reason.empty()) {
        return answer(subject + ": " + reason);
    }
    become_graph(node, kInputs, 1, target);
    target.SetAttr(kStrides, geometry.strides);
    target.SetAttr(kPads, geometry.pads);
    target.SetAttr(kDilations, geometry.dilations);
    target.SetAttr(kGroups, geometry.groups);
    return domi::SUCCESS;
}

// ---- The graph

bool copy_attributes(const ge::Operator& source, ge::Operator& target) {
    bool whole = true;
    for (const char* name : {kStrides, kPads, kDilations}) {
        std::vector<int64_t> values;
        whole = whole && source.GetAttr(name, values) == ge::GRAPH_SUCCESS;
        target.SetAttr(name, values);
    }
    int64_t groups = 1;
    whole = whole && source.GetAttr(kGroups, groups) == ge::GRAPH_SUCCESS;
    target.SetAttr(kGroups, groups);
    target.SetAttr("data_format", kLayout);
    return whole;
}

domi::Status expand(const ConvGradient& gradient, const ge::Operator& source, ge::Graph& graph) {
    const std::string name = name_of(source);
    ge::Operator conv = create(name, gradient.type);
    ge::Operator cast = create(name + "_size", "Cast");
    if (conv.IsEmpty() || cast.IsEmpty() || !copy_attributes(source, conv)) {
        return no_such_operator(std::string(gradient.type) + " node '" + name + "'");
    }
    std::vector<ge::Operator> inputs;
    for (size_t i = 0; i < kInputs; ++i) {
        const char* port = gradient.ports[i];
        const ge::Operator data = input(name + "_" + port, static_cast<int64_t>(i));
        inputs.push_back(data);
        if (i == gradient.size_port) {
            cast.SetInput("x", data);
            cast.SetAttr("dst_type", static_cast<int64_t>(ge::DT_INT32));
            conv.SetInput(port, cast);
        } else {
            conv.SetInput(port, data);
            set_layout(conv, port, true);
        }
    }
    set_layout(conv, "y", false);
    graph.SetInputs(inputs).SetOutputs(
        std::vector<std::pair<ge::Operator, std::vector<size_t>>>{{conv, {0}}});
    return domi::SUCCESS;
}

domi::Status parse_input_gradient(const ge::Operator& source, ge::Operator& target) {
    return parse(kInputGradient, source, target);
}
domi::Status expand_input_gradient(const ge::Operator& source, ge::Graph& graph) {
    return expand(kInputGradient, source, graph);
}
domi::Status parse_filter_gradient(const ge::Operator& source, ge::Operator& target) {
    return parse(kFilterGradient, source, target);
}
domi::Status expand_filter_gradient(const ge::Operator& source, ge::Graph& graph) {
    return expand(kFilterGradient, source, graph);
}

} // namespace

} // namespace maxpoolgrad::atc

namespace domi {

REGISTER_CUSTOM_OP("PartitionedCall")
    .FrameworkType(ONNX)
    .OriginOpType(maxpoolgrad::atc::key_of(maxpoolgrad::atc::kConvInputGrad).c_str())
    .ParseParamsByOperatorFn(maxpoolgrad::atc::parse_input_gradient)
    .ParseOpToGraphFn(maxpoolgrad::atc::expand_input_gradient)
    .ImplyType(ImplyType::TVM);

REGISTER_CUSTOM_OP("PartitionedCall")
    .FrameworkType(ONNX)
    .OriginOpType(maxpoolgrad::atc::key_of(maxpoolgrad::atc::kConvFilterGrad).c_str())
    .ParseParamsByOperatorFn(maxpoolgrad::atc::parse_filter_gradient)
    .ParseOpToGraphFn(maxpoolgrad::atc::expand_filter_gradient)
    .ImplyType(ImplyType::TVM);

} // namespace domi
