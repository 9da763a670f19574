// npu::ReluGrad -> GE's own training operator of that name: inputs by position, no attributes.
#include "parsed_node.h"

namespace maxpoolgrad::atc {

namespace {

constexpr const char* kReluGrad = "ReluGrad";
constexpr size_t kReluGradInputs = 2;

domi::Status parse_relu_gradient(const ge::Operator& source, ge::Operator&) {
    const ParsedNode node = read_node(source);
    const std::string subject = std::string(kReluGrad) + " node '" + node.name + "'";
    if (!node.readable) {
        return answer(subject + unreadable());
    }
    const std::string reason = check_inputs(node, kReluGrad, kReluGradInputs);
    return answer(reason.empty() ? "" : subject + ": " + reason);
}

} // namespace

} // namespace maxpoolgrad::atc

namespace domi {

REGISTER_CUSTOM_OP("ReluGrad")
    .FrameworkType(ONNX)
    .OriginOpType(maxpoolgrad::atc::key_of(maxpoolgrad::atc::kReluGrad).c_str())
    .ParseParamsByOperatorFn(maxpoolgrad::atc::parse_relu_gradient)
    .ImplyType(ImplyType::TVM);

} // namespace domi
