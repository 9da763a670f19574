#include "expansion.h"

#include <graph/operator_factory.h>

namespace maxpoolgrad::atc {

const char* const kLayout = "NCHW";

void become_graph(const ParsedNode& node, uint32_t inputs, uint32_t outputs, ge::Operator& target) {
    target.DynamicInputRegister("args", inputs);
    target.DynamicOutputRegister("output", outputs);
    target.SetAttr("original_type", node.key.c_str());
}

ge::Operator create(const std::string& name, const char* type) {
    return ge::OperatorFactory::CreateOperator(name.c_str(), type);
}

ge::Operator input(const std::string& name, int64_t index) {
    ge::Operator data = create(name, "Data");
    data.SetAttr("index", index);
    return data;
}

void set_layout(ge::Operator& op, const char* port, bool input) {
    ge::TensorDesc desc = input ? op.GetInputDescByName(port) : op.GetOutputDescByName(port);
    desc.SetFormat(ge::FORMAT_NCHW);
    desc.SetOriginFormat(ge::FORMAT_NCHW);
    input ? op.UpdateInputDesc(port, desc) : op.UpdateOutputDesc(port, desc);
}

std::string name_of(const ge::Operator& op) {
    ge::AscendString name;
    op.GetName(name);
    return name.GetString();
}

domi::Status no_such_operator(const std::string& subject) {
    return answer(subject + ": this CANN has no operator of that type; use a release that trains networks");
}

} // namespace maxpoolgrad::atc
