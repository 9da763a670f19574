// BatchNormalization's gradients -> GE's own training operator, BatchNormGrad.
//
// A node becomes a small graph. npu::BatchNormGrad takes what the statistics of x left behind from a
// BatchNorm of its own: a plugin sees one node at a time, so the forward one is not known here. Nor is the
// number of axes: images [N, C, H, W] are all that is read. Rules and sentences are the converter's, in
// onnx_to_ge/rules/batch_norm_gradients.py.
#include "expansion.h"
#include "node_attributes.h"

#include <utility>

namespace maxpoolgrad::atc {

namespace {

constexpr const char* kBatchNormGrad = "BatchNormGrad";
constexpr const char* kBatchNormInferenceGrad = "BatchNormInferenceGrad";
constexpr const char* kEpsilon = "epsilon";
constexpr float kDefaultEpsilon = 1e-5F;
constexpr uint32_t kFirstReserve = 3; // reserve_space_1, of BatchNorm's outputs
constexpr uint32_t kOutputs = 3;

struct Form {
    const char* op_type; // in ONNX
    std::vector<const char*> inputs;
    bool is_training;
};

const Form kOfTheBatch = {kBatchNormGrad, {"y_backprop", "x", "scale"}, true};
const Form kOfGivenStatistics = {
    kBatchNormInferenceGrad, {"y_backprop", "x", "scale", "mean", "variance"}, false};

std::string subject_of(const Form& form, const std::string& name) {
    return std::string(form.op_type) + " node '" + name + "'";
}

domi::Status parse(const Form& form, const ge::Operator& source, ge::Operator& target) {
    const ParsedNode node = read_node(source);
    const std::string subject = subject_of(form, node.name);
    if (!node.readable) {
        return answer(subject + unreadable());
    }
    NodeAttributes attributes(node);
    const float epsilon = attributes.real(kEpsilon, kDefaultEpsilon);
    const std::string wrong_inputs = check_inputs(node, form.op_type, form.inputs.size());
    const std::string& reason = wrong_inputs.empty() ? attributes.refusal() : wrong_inputs;
    if (!reason.empty()) {
        return answer(subject + ": " + reason);
    }
    become_graph(node, static_cast<uint32_t>(form.inputs.size()), kOutputs, target);
    target.SetAttr(kEpsilon, epsilon);
    return domi::SUCCESS;
}

void set_form(ge::Operator& op, float epsilon, bool is_training) {
    op.SetAttr(kEpsilon, epsilon);
    op.SetAttr("data_format", kLayout);
    op.SetAttr("is_training", is_training);
}

// The BatchNorm whose statistics are taken. Its result is not used, so the offset may be anything.
ge::Operator statistics(const std::string& name, const std::vector<ge::Operator>& inputs, float epsilon) {
    ge::Operator norm = create(name + "_statistics", "BatchNorm");
    if (norm.IsEmpty()) {
        return norm;
    }
    set_form(norm, epsilon, true);
    norm.SetAttr("exponential_avg_factor", 1.0F);
    norm.SetInput("x", inputs[1]);
    norm.SetInput("scale", inputs[2]);
    norm.SetInput("offset", inputs[2]);
    set_layout(norm, "x", true);
    set_layout(norm, "y", false);
    return norm;
}

domi::Status expand(const Form& form, const ge::Operator& source, ge::Graph& graph) {
    const std::string name = name_of(source);
    float epsilon = kDefaultEpsilon;
    ge::Operator gradient = create(name, kBatchNormGrad);
    if (gradient.IsEmpty() || source.GetAttr(kEpsilon, epsilon) != ge::GRAPH_SUCCESS) {
        return no_such_operator(subject_of(form, name));
    }
    std::vector<ge::Operator> inputs;
    for (const char* port : form.inputs) {
        inputs.push_back(input(name + "_" + port, static_cast<int64_t>(inputs.size())));
    }
    set_form(gradient, epsilon, form.is_training);
    gradient.SetAttr("output_mask", std::vector<bool>{true, true, true});
    gradient.SetInput("y_backprop", inputs[0]);
    gradient.SetInput("x", inputs[1]);
    gradient.SetInput("scale", inputs[2]);
    if (form.is_training) {
        const ge::Operator norm = statistics(name, inputs, epsilon);
        if (norm.IsEmpty()) {
            return no_such_operator(subject_of(form, name));
        }
        gradient.SetInput("reserve_space_1", norm, kFirstReserve);
        gradient.SetInput("reserve_space_2", norm, kFirstReserve + 1);
    } else {
        gradient.SetInput("reserve_space_1", inputs[3]);
        gradient.SetInput("reserve_space_2", inputs[4]);
    }
    for (const char* port : {"y_backprop", "x"}) {
        set_layout(gradient, port, true);
    }
    set_layout(gradient, "x_backprop", false);
    graph.SetInputs(inputs).SetOutputs(
        std::vector<std::pair<ge::Operator, std::vector<size_t>>>{{gradient, {0, 1, 2}}});
    return domi::SUCCESS;
}

domi::Status parse_of_the_batch(const ge::Operator& source, ge::Operator& target) {
    return parse(kOfTheBatch, source, target);
}
domi::Status expand_of_the_batch(const ge::Operator& source, ge::Graph& graph) {
    return expand(kOfTheBatch, source, graph);
}
domi::Status parse_of_given_statistics(const ge::Operator& source, ge::Operator& target) {
    return parse(kOfGivenStatistics, source, target);
}
domi::Status expand_of_given_statistics(const ge::Operator& source, ge::Graph& graph) {
    return expand(kOfGivenStatistics, source, graph);
}

} // namespace

} // namespace maxpoolgrad::atc

namespace domi {

REGISTER_CUSTOM_OP("PartitionedCall")
    .FrameworkType(ONNX)
    .OriginOpType(maxpoolgrad::atc::key_of(maxpoolgrad::atc::kBatchNormGrad).c_str())
    .ParseParamsByOperatorFn(maxpoolgrad::atc::parse_of_the_batch)
    .ParseOpToGraphFn(maxpoolgrad::atc::expand_of_the_batch)
    .ImplyType(ImplyType::TVM);

REGISTER_CUSTOM_OP("PartitionedCall")
    .FrameworkType(ONNX)
    .OriginOpType(maxpoolgrad::atc::key_of(maxpoolgrad::atc::kBatchNormInferenceGrad).c_str())
    .ParseParamsByOperatorFn(maxpoolgrad::atc::parse_of_given_statistics)
    .ParseOpToGraphFn(maxpoolgrad::atc::expand_of_given_statistics)
    .ImplyType(ImplyType::TVM);

} // namespace domi
