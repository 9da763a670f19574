#include "operator_state.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <graph/operator_factory.h>

namespace ge {

Operator::Operator(const char_t* type) : Operator("", type) {}
Operator::Operator(const AscendString& name, const AscendString& type)
    : Operator(name.GetString(), type.GetString()) {}
Operator::Operator(const char_t* name, const char_t* type) : state_(std::make_shared<OperatorState>()) {
    state_->name = name;
    state_->type = type;
}
bool Operator::IsEmpty() const {
    return state_ == nullptr;
}
graphStatus Operator::GetName(AscendString& name) const {
    name = AscendString(state_->name.c_str());
    return GRAPH_SUCCESS;
}
graphStatus Operator::GetOpType(AscendString& type) const {
    type = AscendString(state_->type.c_str());
    return GRAPH_SUCCESS;
}
Operator& Operator::SetInput(const char_t* dst_name, const Operator& src) {
    return SetInput(dst_name, src, 0U);
}
Operator& Operator::SetInput(const char_t* dst_name, const Operator& src, uint32_t index) {
    state_->sources[dst_name] = {src, index};
    return *this;
}

TensorDesc Operator::GetInputDescByName(const char_t* name) const {
    return state_->descs[std::string("in ") + name];
}
TensorDesc Operator::GetOutputDescByName(const char_t* name) const {
    return state_->descs[std::string("out ") + name];
}
graphStatus Operator::UpdateInputDesc(const char_t* name, const TensorDesc& desc) {
    state_->descs[std::string("in ") + name] = desc;
    return GRAPH_SUCCESS;
}
graphStatus Operator::UpdateOutputDesc(const char_t* name, const TensorDesc& desc) {
    state_->descs[std::string("out ") + name] = desc;
    return GRAPH_SUCCESS;
}

Operator& Operator::SetAttr(const char_t* name, int64_t value) {
    return state_->attrs[name] = value, *this;
}
Operator& Operator::SetAttr(const char_t* name, int32_t value) {
    return SetAttr(name, static_cast<int64_t>(value));
}
Operator& Operator::SetAttr(const char_t* name, uint32_t value) {
    return SetAttr(name, static_cast<int64_t>(value));
}
Operator& Operator::SetAttr(const char_t* name, bool value) {
    return state_->attrs[name] = value, *this;
}
Operator& Operator::SetAttr(const char_t* name, float32_t value) {
    return state_->attrs[name] = value, *this;
}
Operator& Operator::SetAttr(const char_t* name, const Tensor& value) {
    const size_t count =
        value.GetTensorDesc().GetDataType() == DT_INT64 ? value.GetSize() / sizeof(int64_t) : 0;
    std::vector<int64_t> elements(count);
    std::memcpy(elements.data(), value.GetData(), count * sizeof(int64_t));
    return state_->attrs[name] = elements, *this;
}
Operator& Operator::SetAttr(const char_t* name, const std::vector<bool>& value) {
    return state_->attrs[name] = value, *this;
}
Operator& Operator::SetAttr(const char_t* name, const char_t* value) {
    return state_->attrs[name] = std::string(value), *this;
}
Operator& Operator::SetAttr(const char_t* name, const AscendString& value) {
    return SetAttr(name, value.GetString());
}
Operator& Operator::SetAttr(const char_t* name, const std::vector<int64_t>& value) {
    return state_->attrs[name] = value, *this;
}
Operator& Operator::SetAttr(const char_t* name, std::initializer_list<int64_t>&& value) {
    return state_->attrs[name] = std::vector<int64_t>(value), *this;
}
Operator& Operator::SetAttr(const char_t* name, const std::vector<AscendString>& value) {
    std::vector<std::string> strings;
    for (const AscendString& item : value) {
        strings.emplace_back(item.GetString());
    }
    return state_->attrs[name] = strings, *this;
}

namespace {

template <class T>
graphStatus get(const OperatorState& state, const char_t* name, T& value) {
    const auto found = state.attrs.find(name);
    if (found == state.attrs.end() || !std::holds_alternative<T>(found->second)) {
        return GRAPH_FAILED;
    }
    value = std::get<T>(found->second);
    return GRAPH_SUCCESS;
}

} // namespace

graphStatus Operator::GetAttr(const char_t* name, int64_t& value) const {
    return get(*state_, name, value);
}
graphStatus Operator::GetAttr(const char_t* name, bool& value) const {
    return get(*state_, name, value);
}
graphStatus Operator::GetAttr(const char_t* name, float32_t& value) const {
    return get(*state_, name, value);
}
graphStatus Operator::GetAttr(const char_t* name, std::vector<int64_t>& value) const {
    return get(*state_, name, value);
}
graphStatus Operator::GetAttr(const char_t* name, AscendString& value) const {
    std::string text;
    const graphStatus status = get(*state_, name, text);
    value = AscendString(text.c_str());
    return status;
}
graphStatus Operator::GetAttr(const char_t* name, std::vector<AscendString>& value) const {
    std::vector<std::string> strings;
    const graphStatus status = get(*state_, name, strings);
    value.clear();
    for (const std::string& text : strings) {
        value.emplace_back(text.c_str());
    }
    return status;
}

void Operator::DynamicInputRegister(const char_t* name, const uint32_t num, bool) {
    for (uint32_t i = 0; i < num; ++i) {
        state_->inputs.push_back(name + std::to_string(i));
    }
}
void Operator::DynamicOutputRegister(const char_t* name, const uint32_t num, bool) {
    for (uint32_t i = 0; i < num; ++i) {
        state_->outputs.push_back(name + std::to_string(i));
    }
}
void Operator::InputRegister(const char_t* name, const char_t* datatype_symbol) {
    state_->inputs.emplace_back(name);
    state_->port_types[name] = datatype_symbol;
}
void Operator::OutputRegister(const char_t* name, const char_t* datatype_symbol) {
    state_->outputs.emplace_back(name);
    state_->port_types[name] = datatype_symbol;
}
void Operator::AttrRegister(const char_t* name, int64_t value) {
    state_->prototype.push_back({name, "Int", false, value});
}
void Operator::AttrRegister(const char_t* name, bool value) {
    state_->prototype.push_back({name, "Bool", false, value});
}
void Operator::AttrRegister(const char_t* name, const AscendString& value) {
    state_->prototype.push_back({name, "String", false, std::string(value.GetString())});
}
void Operator::AttrRegister(const char_t* name, const std::vector<int64_t>& value) {
    state_->prototype.push_back({name, "ListInt", false, value});
}
void Operator::RequiredAttrWithTypeRegister(const char_t* name, const char_t* type) {
    state_->prototype.push_back({name, type, true, int64_t{0}});
}

// ---- The factory

namespace {

std::map<std::string, OpCreatorV2>& creators() {
    static std::map<std::string, OpCreatorV2> all;
    return all;
}

} // namespace

OperatorCreatorRegister::OperatorCreatorRegister(const char_t* const type, OpCreatorV2 const& creator) {
    creators().emplace(type, creator);
}
bool OperatorFactory::IsExistOp(const char_t* const type) {
    return creators().count(type) != 0;
}
Operator OperatorFactory::CreateOperator(const char_t* const name, const char_t* const type) {
    return IsExistOp(type) ? creators()[type](AscendString(name)) : Operator();
}

// ---- Graphs

Graph::Graph(const char_t* name) : state_(std::make_shared<GraphState>()) {
    state_->name = name;
}
Graph& Graph::SetInputs(const std::vector<Operator>& inputs) {
    return state_->inputs = inputs, *this;
}
Graph& Graph::SetOutputs(const std::vector<Operator>& outputs) {
    state_->outputs.clear();
    for (const Operator& output : outputs) {
        state_->outputs.push_back({output, {0}});
    }
    return *this;
}
Graph& Graph::SetOutputs(const std::vector<std::pair<Operator, std::vector<size_t>>>& outputs) {
    return state_->outputs = outputs, *this;
}
graphStatus Graph::SaveToFile(const char_t* file_name) const {
    std::ofstream file(file_name);
    file << state_->name << "\n";
    return file.good() ? GRAPH_SUCCESS : GRAPH_FAILED;
}

} // namespace ge
