// Conv's gradients -> GE's own training operators.
//
// A node becomes a small graph, as CANN's own plugin does with Conv: the operator, and in front of it the
// cast to int32 that GE wants of the size; ConvGrad becomes an operator for each gradient. ONNX writes
// strides and dilations [h, w] and pads [top, left, bottom, right]; GE [1, 1, h, w] and [top, bottom, left,
// right]. Rules and sentences are the converter's, in onnx_to_ge/rules/conv_gradients.py. Types are not known
// here and need not be: the filter's gradient is float32 in ONNX as in GE, and a model of float16 has its
// Cast behind it.
#include "expansion.h"
#include "node_attributes.h"

#include <array>
#include <utility>

namespace maxpoolgrad::atc {

namespace {

constexpr const char* kConvInputGrad = "Conv2DBackpropInput";
constexpr const char* kConvFilterGrad = "Conv2DBackpropFilter";
constexpr const char* kConvGrad = "ConvGrad";
constexpr const char* kConvGradWithoutBias = "ConvGradWithoutBias";
constexpr size_t kInputs = 3;

using Inputs = std::array<ge::Operator, kInputs>;
using Results = std::vector<std::pair<ge::Operator, std::vector<size_t>>>;

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

domi::Status parse(const char* type, uint32_t outputs, const ge::Operator& source, ge::Operator& target) {
    const ParsedNode node = read_node(source);
    const std::string subject = std::string(type) + " node '" + node.name + "'";
    if (!node.readable) {
        return answer(subject + unreadable());
    }
    Geometry geometry;
    const std::string reason = read(node, type, &geometry);
    if (!reason.empty()) {
        return answer(subject + ": " + reason);
    }
    become_graph(node, kInputs, outputs, target);
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

// One of the two gradients, with the node's attributes; empty where this CANN has no such operator.
ge::Operator connect(const ConvGradient& gradient, const std::string& name, const Inputs& inputs,
                     const ge::Operator& source) {
    ge::Operator conv = create(name, gradient.type);
    if (conv.IsEmpty() || !copy_attributes(source, conv)) {
        return ge::Operator();
    }
    for (size_t i = 0; i < kInputs; ++i) {
        const char* port = gradient.ports[i];
        conv.SetInput(port, inputs[i]);
        if (i != gradient.size_port) {
            set_layout(conv, port, true);
        }
    }
    set_layout(conv, "y", false);
    return conv;
}

domi::Status expand(const ConvGradient& gradient, const ge::Operator& source, ge::Graph& graph) {
    const std::string name = name_of(source);
    Inputs inputs;
    for (size_t i = 0; i < kInputs; ++i) {
        inputs[i] = input(name + "_" + gradient.ports[i], static_cast<int64_t>(i));
    }
    ge::Operator cast = create(name + "_size", "Cast");
    Inputs taken = inputs;
    taken[gradient.size_port] = cast;
    const ge::Operator conv = connect(gradient, name, taken, source);
    if (conv.IsEmpty() || cast.IsEmpty()) {
        return no_such_operator(std::string(gradient.type) + " node '" + name + "'");
    }
    cast.SetInput("x", inputs[gradient.size_port]);
    cast.SetAttr("dst_type", static_cast<int64_t>(ge::DT_INT32));
    graph.SetInputs({inputs.begin(), inputs.end()}).SetOutputs(Results{{conv, {0}}});
    return domi::SUCCESS;
}

// The sizes of an image, in GE's type for them.
ge::Operator size_of(const ge::Operator& image, const std::string& name) {
    ge::Operator shape = create(name, "Shape");
    if (!shape.IsEmpty()) {
        shape.SetInput("x", image);
        shape.SetAttr("dtype", static_cast<int64_t>(ge::DT_INT32));
    }
    return shape;
}

// The sum over all axes but the channels'.
ge::Operator bias_gradient(const ge::Operator& gradient, const std::string& name) {
    const std::vector<int64_t> all_but_channels = {0, 2, 3};
    const ge::Shape shape(std::vector<int64_t>{static_cast<int64_t>(all_but_channels.size())});
    const ge::TensorDesc desc(shape, ge::FORMAT_ND, ge::DT_INT64);
    ge::Operator axes = create(name + "_axes", "Const");
    ge::Operator sum = create(name + "_bias", "ReduceSum");
    if (axes.IsEmpty() || sum.IsEmpty()) {
        return ge::Operator();
    }
    axes.SetAttr("value", ge::Tensor(desc, reinterpret_cast<const uint8_t*>(all_but_channels.data()),
                                     all_but_channels.size() * sizeof(int64_t)));
    axes.UpdateOutputDesc("y", desc);
    sum.SetInput("x", gradient);
    sum.SetInput("axes", axes);
    sum.SetAttr("keep_dims", false);
    sum.SetAttr("noop_with_empty_axes", false);
    return sum;
}

domi::Status expand_all(bool with_bias, const ge::Operator& source, ge::Graph& graph) {
    const std::string name = name_of(source);
    const ge::Operator dy = input(name + "_dY", 0), x = input(name + "_X", 1), w = input(name + "_W", 2);
    const ge::Operator x_size = size_of(x, name + "_input_size"), w_size = size_of(w, name + "_filter_size");
    const ge::Operator dx = connect(kInputGradient, name + "_input", {x_size, w, dy}, source);
    const ge::Operator dw = connect(kFilterGradient, name + "_filter", {x, w_size, dy}, source);
    const ge::Operator db = with_bias ? bias_gradient(dy, name) : dw;
    if (x_size.IsEmpty() || dx.IsEmpty() || dw.IsEmpty() || db.IsEmpty()) {
        const std::string type = with_bias ? kConvGrad : kConvGradWithoutBias;
        return no_such_operator(type + " node '" + name + "'");
    }
    Results results = {{dx, {0}}, {dw, {0}}};
    if (with_bias) {
        results.push_back({db, {0}});
    }
    graph.SetInputs({dy, x, w}).SetOutputs(results);
    return domi::SUCCESS;
}

domi::Status parse_input_gradient(const ge::Operator& source, ge::Operator& target) {
    return parse(kConvInputGrad, 1, source, target);
}
domi::Status expand_input_gradient(const ge::Operator& source, ge::Graph& graph) {
    return expand(kInputGradient, source, graph);
}
domi::Status parse_filter_gradient(const ge::Operator& source, ge::Operator& target) {
    return parse(kConvFilterGrad, 1, source, target);
}
domi::Status expand_filter_gradient(const ge::Operator& source, ge::Graph& graph) {
    return expand(kFilterGradient, source, graph);
}
domi::Status parse_with_bias(const ge::Operator& source, ge::Operator& target) {
    return parse(kConvGrad, 3, source, target);
}
domi::Status expand_with_bias(const ge::Operator& source, ge::Graph& graph) {
    return expand_all(true, source, graph);
}
domi::Status parse_without_bias(const ge::Operator& source, ge::Operator& target) {
    return parse(kConvGradWithoutBias, 2, source, target);
}
domi::Status expand_without_bias(const ge::Operator& source, ge::Graph& graph) {
    return expand_all(false, source, graph);
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

REGISTER_CUSTOM_OP("PartitionedCall")
    .FrameworkType(ONNX)
    .OriginOpType(maxpoolgrad::atc::key_of(maxpoolgrad::atc::kConvGrad).c_str())
    .ParseParamsByOperatorFn(maxpoolgrad::atc::parse_with_bias)
    .ParseOpToGraphFn(maxpoolgrad::atc::expand_with_bias)
    .ImplyType(ImplyType::TVM);

REGISTER_CUSTOM_OP("PartitionedCall")
    .FrameworkType(ONNX)
    .OriginOpType(maxpoolgrad::atc::key_of(maxpoolgrad::atc::kConvGradWithoutBias).c_str())
    .ParseParamsByOperatorFn(maxpoolgrad::atc::parse_without_bias)
    .ParseOpToGraphFn(maxpoolgrad::atc::expand_without_bias)
    .ImplyType(ImplyType::TVM);

} // namespace domi
