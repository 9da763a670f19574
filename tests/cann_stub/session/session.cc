#include "operator_state.h"

#include <maxpoolgrad/attributes.h>
#include <maxpoolgrad/kernel.h>

#include <ge/ge_api.h>
#include <utility>

namespace ge {

namespace {

template <class T>
void take(const OperatorState& node, const char* name, T& value) {
    const auto found = node.attrs.find(name);
    if (found != node.attrs.end()) {
        value = std::get<T>(found->second);
    }
}

// The attributes that the graph's node has; the contract's defaults are those of its prototype.
maxpoolgrad::Attributes attributes_of(const OperatorState& node) {
    maxpoolgrad::Attributes attributes;
    take(node, "ksize", attributes.ksize);
    take(node, "strides", attributes.strides);
    take(node, "pads", attributes.pads);
    return attributes;
}

bool fits(const TensorDesc& declared, const TensorDesc& given) {
    const auto wanted = declared.GetShape().GetDims(), found = given.GetShape().GetDims();
    bool same = wanted.size() == found.size() && declared.GetDataType() == given.GetDataType();
    for (size_t dim = 0; same && dim < wanted.size(); ++dim) {
        same = wanted[dim] == -1 || wanted[dim] == found[dim];
    }
    return same;
}

} // namespace

Status GEInitialize(const std::map<AscendString, AscendString>&) {
    return SUCCESS;
}
Status GEFinalize() {
    return SUCCESS;
}

Session::Session(const std::map<AscendString, AscendString>&) {}
Session::~Session() = default;

Status Session::AddGraph(uint32_t id, const Graph& graph, const std::map<AscendString, AscendString>&) {
    return graphs_.emplace(id, graph).second ? SUCCESS : FAILED;
}
Status Session::RemoveGraph(uint32_t id) {
    return graphs_.erase(id) == 1 ? SUCCESS : FAILED;
}

Status Session::RunGraph(uint32_t id, const std::vector<Tensor>& inputs, std::vector<Tensor>& outputs) {
    const GraphState& graph = graphs_.at(id).state();
    const OperatorState& node = graph.outputs.at(0).first.state();
    for (size_t i = 0; i < inputs.size(); ++i) {
        const OperatorState& data = node.sources.at(node.inputs[i]).first.state();
        if (!fits(data.descs.at("out y"), inputs[i].GetTensorDesc())) {
            return FAILED;
        }
    }
    const TensorDesc desc = inputs.at(0).GetTensorDesc();
    const auto pooling = maxpoolgrad::make_pooling(attributes_of(node), desc.GetShape().GetDims(),
                                                   inputs.at(1).GetTensorDesc().GetShape().GetDims());
    const auto dtype =
        desc.GetDataType() == DT_FLOAT16 ? maxpoolgrad::Dtype::kFloat16 : maxpoolgrad::Dtype::kFloat32;
    std::vector<uint8_t> result(inputs[0].GetSize());
    maxpoolgrad::max_pool_v3_grad(pooling, dtype, inputs[0].GetData(), inputs[1].GetData(),
                                  inputs.at(2).GetData(), result.data(), maxpoolgrad::process_workers(1));
    outputs = {Tensor(desc, result.data(), result.size())};
    return SUCCESS;
}

} // namespace ge
