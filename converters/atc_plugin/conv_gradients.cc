// Conv's two gradients -> GE's own training operators of those names.
//
// A node becomes a small graph, as CANN's own plugin does with Conv: the operator, and in front of it the
// cast to int32 that GE wants of the size. ONNX writes strides and dilations [h, w] and pads [top, left,
// bottom, right]; GE [1, 1, h, w] and [top, bottom, left, right]. Rules and sentences are the converter's, in
// onnx_to_ge/rules/conv.py. Types are not known here and need not be: the filter's gradient is float32 in
// ONNX as in GE, and a model of float16 has its Cast behind it.
#include "parsed_node.h"

#include <array>
#include <graph/graph.h>
#include <graph/operator_factory.h>
#include <iterator>
#include <utility>

namespace maxpoolgrad::atc {

namespace {

constexpr const char* kConvInputGrad = "Conv2DBackpropInput";
constexpr const char* kConvFilterGrad = "Conv2DBackpropFilter";
constexpr const char* kLayout = "NCHW";
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

// Reads attributes until one is refused.
class Attributes {
public:
    explicit Attributes(const ParsedNode& node) : node_(node) {}

    std::vector<int64_t> ints(const char* name, const std::vector<int64_t>& fallback) {
        const OnnxAttribute* attribute = checked(name, AttributeType::kInts);
        const std::vector<int64_t> values = attribute == nullptr ? fallback : attribute->ints;
        if (values.size() != fallback.size()) {
            refuse(std::string(name) + " is " + list_text(values) + "; for a 4-D image it has " +
                   std::to_string(fallback.size()) + " values");
            return fallback;
        }
        return values;
    }

    int64_t number(const char* name, int64_t fallback) {
        const OnnxAttribute* attribute = checked(name, AttributeType::kInt);
        return attribute == nullptr ? fallback : attribute->number;
    }

    const std::string& refusal() const { return refusal_; }

private:
    void refuse(const std::string& reason) {
        if (refusal_.empty()) {
            refusal_ = reason;
        }
    }

    const OnnxAttribute* checked(const char* name, AttributeType wanted) {
        const OnnxAttribute* attribute = node_.find(name);
        if (attribute == nullptr || (attribute->is(wanted) && attribute->reference.empty())) {
            return attribute;
        }
        const std::string found = attribute->reference.empty() ? type_name(attribute->type) : "a reference";
        refuse("the attribute " + std::string(name) + " is " + found + "; it must be " +
               type_name(static_cast<int>(wanted)));
        return nullptr;
    }

    const ParsedNode& node_;
    std::string refusal_;
};

std::vector<int64_t> on_height_and_width(const std::vector<int64_t>& sizes) {
    return {1, 1, sizes[0], sizes[1]};
}

std::string check_inputs(const ParsedNode& node, const char* type) {
    for (size_t i = 0; i < kInputs; ++i) {
        if (i >= node.inputs.size() || node.inputs[i].empty()) {
            return "input " + std::to_string(i) + " is missing; connect it";
        }
    }
    if (node.inputs.size() != kInputs) {
        return "it has " + std::to_string(node.inputs.size()) + " inputs; " + type + " takes 3";
    }
    return "";
}

// What is wrong with the node; `geometry` is set where nothing is.
std::string read(const ParsedNode& node, const char* type, Geometry* geometry) {
    const std::string wrong_inputs = check_inputs(node, type);
    if (!wrong_inputs.empty()) {
        return wrong_inputs;
    }
    Attributes attributes(node);
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
    target.DynamicInputRegister("args", kInputs);
    target.DynamicOutputRegister("output", 1);
    target.SetAttr("original_type",
                   node.key.c_str()); // by which the parser finds the function that expands it
    target.SetAttr(kStrides, geometry.strides);
    target.SetAttr(kPads, geometry.pads);
    target.SetAttr(kDilations, geometry.dilations);
    target.SetAttr(kGroups, geometry.groups);
    return domi::SUCCESS;
}

// ---- The graph

ge::Operator create(const std::string& name, const char* type) {
    return ge::OperatorFactory::CreateOperator(name.c_str(), type);
}

void set_layout(ge::Operator& op, const char* port, bool input) {
    ge::TensorDesc desc = input ? op.GetInputDescByName(port) : op.GetOutputDescByName(port);
    desc.SetFormat(ge::FORMAT_NCHW);
    desc.SetOriginFormat(ge::FORMAT_NCHW);
    input ? op.UpdateInputDesc(port, desc) : op.UpdateOutputDesc(port, desc);
}

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
    ge::AscendString source_name;
    source.GetName(source_name);
    const std::string name = source_name.GetString();
    ge::Operator conv = create(name, gradient.type);
    ge::Operator cast = create(name + "_size", "Cast");
    if (conv.IsEmpty() || cast.IsEmpty() || !copy_attributes(source, conv)) {
        return answer(std::string(gradient.type) + " node '" + name +
                      "': this CANN has no operator of that type; use a release that trains convolutions");
    }
    std::vector<ge::Operator> inputs;
    for (size_t i = 0; i < kInputs; ++i) {
        const char* port = gradient.ports[i];
        ge::Operator data = create(name + "_" + port, "Data");
        data.SetAttr("index", static_cast<int64_t>(i));
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
