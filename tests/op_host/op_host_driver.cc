// Calls inference and tiling on contexts made of one request a line, as JSON:
//   {"call": "shape" | "dtype" | "tiling", "name": "..", "attributes": [seven values or null, in the
//   contract's
//    order], "shapes": [3], "dtypes": [3 numbers of ge::DataType], "platform": {"soc", "arch", "cores",
//    "ub"}}
// {"call": "definition"} and {"call": "prototype"} ask for what is declared. Answers in one line each.
#include "functions.h"
#include "json.h"
#include "operator_state.h"

#include <maxpoolgrad/contract.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <op_graph/max_pool_v3_grad_proto.h>
#include <op_kernel/plan.h>
#include <register/op_def_registry.h>
#include <string>
#include <tiling/platform/platform_ascendc.h>

namespace {

std::string reported;

} // namespace

namespace error_message {
int32_t ReportUserDefinedErrMsg(const char* error_code, const char* format, ...);

int32_t ReportUserDefinedErrMsg(const char* error_code, const char* format, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    reported = std::string(error_code) + " " + text;
    return 0;
}
} // namespace error_message

namespace {

using maxpoolgrad::atc::Json;

int64_t number(const Json& value) {
    return std::strtoll(value.text.c_str(), nullptr, 10);
}

std::vector<int64_t> numbers(const Json& list) {
    std::vector<int64_t> values;
    for (const Json& item : list.items) {
        values.push_back(number(item));
    }
    return values;
}

gert::Shape shape_of(const Json& list) {
    gert::Shape shape;
    shape.SetDimNum(list.items.size());
    for (size_t dim = 0; dim < list.items.size(); ++dim) {
        shape.SetDim(dim, number(list.items[dim]));
    }
    return shape;
}

// ---- Contexts

void fill(const Json& request, gert::ExtendedKernelContext& context) {
    context.name = request.find("name")->text;
    const Json* attributes = request.find("attributes");
    for (size_t i = 0; attributes != nullptr && i < attributes->items.size(); ++i) {
        const Json& value = attributes->items[i];
        switch (value.kind) {
        case Json::Kind::kArray: context.attrs.lists.push_back({i, {numbers(value)}}); break;
        case Json::Kind::kString: context.attrs.strings.push_back({i, value.text}); break;
        case Json::Kind::kBool: context.attrs.bools.push_back({i, value.text == "true"}); break;
        default: break;
        }
    }
    const Json* dtypes = request.find("dtypes");
    for (size_t i = 0; dtypes != nullptr && i < dtypes->items.size(); ++i) {
        context.descs.emplace_back().dtype = static_cast<ge::DataType>(number(dtypes->items[i]));
    }
}

std::string answer(ge::graphStatus status, const std::string& rest) {
    return "{\"status\": " + std::to_string(status) + ", \"said\": " + ge::stub_json(reported) + rest + "}";
}

std::string infer_shape(const Json& request) {
    gert::InferShapeContext context;
    fill(request, context);
    for (const Json& shape : request.find("shapes")->items) {
        context.inputs.push_back(shape_of(shape));
    }
    const ge::graphStatus status = maxpoolgrad::cann::infer_shape(&context);
    std::vector<int64_t> dims;
    for (size_t dim = 0; dim < context.output.GetDimNum(); ++dim) {
        dims.push_back(context.output.GetDim(dim));
    }
    return answer(status, ", \"output\": " + ge::stub_json(ge::StubValue(dims)));
}

std::string infer_dtype(const Json& request) {
    gert::InferDataTypeContext context;
    fill(request, context);
    const ge::graphStatus status = maxpoolgrad::cann::infer_data_type(&context);
    return answer(status, ", \"output\": " + std::to_string(context.output));
}

// Whether the tiling data is what the plan gives for the platform that the request names.
bool is_planned(const Json& request, const gert::TilingContext& context) {
    const auto& values = request.find("attributes")->items;
    maxpoolgrad::Attributes attributes;
    attributes.ksize = numbers(values[0]);
    attributes.strides = numbers(values[1]);
    attributes.padding_mode = values[2].text;
    attributes.pads = numbers(values[3]);
    attributes.data_format = values[4].text;
    attributes.ceil_mode = values[6].text == "true" ? 1 : 0;
    const auto& shapes = request.find("shapes")->items;
    const Json& platform = *request.find("platform");
    const maxpoolgrad::Machine machine = {number(*platform.find("arch")), number(*platform.find("cores")),
                                          number(*platform.find("ub"))};
    const auto pooling = maxpoolgrad::make_pooling(attributes, numbers(shapes[0]), numbers(shapes[1]));
    const bool half = number(request.find("dtypes")->items[0]) == ge::DT_FLOAT16;
    const auto plan = maxpoolgrad::plan_kernel(
        pooling, half ? maxpoolgrad::Dtype::kFloat16 : maxpoolgrad::Dtype::kFloat32, machine);
    const auto& data = context.tiling_data;
    return plan.tiling_key == context.tiling_key && plan.block_dim == context.block_dim &&
           std::vector<uint8_t>(data.bytes.begin(), data.bytes.begin() + static_cast<long>(data.size)) ==
               plan.tiling_data;
}

std::string tiling(const Json& request) {
    gert::TilingContext context;
    fill(request, context);
    for (const Json& shape : request.find("shapes")->items) {
        context.inputs.emplace_back().storage = shape_of(shape);
    }
    const Json* platform = request.find("platform");
    fe::PlatFormInfos infos;
    infos.soc_version = static_cast<int>(number(*platform->find("soc")));
    infos.vector_cores = static_cast<uint32_t>(number(*platform->find("cores")));
    infos.ub_bytes = static_cast<uint64_t>(number(*platform->find("ub")));
    context.platform = &infos;
    if (platform->find("capacity") != nullptr) {
        context.tiling_data = gert::TilingData(static_cast<size_t>(number(*platform->find("capacity"))));
    }
    const ge::graphStatus status = maxpoolgrad::cann::tiling(&context);
    std::string rest;
    if (status == ge::GRAPH_SUCCESS) {
        rest = ", \"tiling_key\": " + std::to_string(context.tiling_key) +
               ", \"block_dim\": " + std::to_string(context.block_dim) +
               ", \"bytes\": " + std::to_string(context.tiling_data.size) +
               ", \"workspace\": " + std::to_string(context.workspaces.at(0)) +
               ", \"workspaces\": " + std::to_string(context.workspaces.size()) +
               ", \"schedule_mode\": " + std::to_string(context.schedule_mode) +
               ", \"local_memory\": " + std::to_string(context.local_memory) +
               ", \"planned\": " + (is_planned(request, context) ? "true" : "false");
    }
    return answer(status, rest);
}

// ---- Declarations

template <class Items, class Text>
std::string list_json(const Items& items, const Text& text) {
    std::string out;
    for (const auto& item : items) {
        out += (out.empty() ? "" : ", ") + text(item);
    }
    return "[" + out + "]";
}

std::string port_json(const ops::OpParamDef& port) {
    const auto as_number = [](auto value) { return std::to_string(static_cast<int>(value)); };
    return "{\"name\": " + ge::stub_json(port.name) +
           ", \"required\": " + (port.required ? "true" : "false") +
           ", \"dtypes\": " + list_json(port.dtypes, as_number) +
           ", \"formats\": " + list_json(port.formats, as_number) +
           ", \"unknown_formats\": " + list_json(port.unknown_formats, as_number) +
           ", \"auto_contiguous\": " + (port.auto_contiguous ? "true" : "false") + "}";
}

std::string attr_json(const ops::OpAttrDef& attr) {
    return "[" + ge::stub_json(attr.name) + ", " + ge::stub_json(attr.kind) + ", " +
           (attr.required ? "true" : "false") + ", " + (attr.value.empty() ? "null" : attr.value) + "]";
}

std::string definition() {
    const ops::OpDef& op = ops::definitions().begin()->second;
    const auto soc = [](const auto& config) { return ge::stub_json(config.first); };
    const bool wired = op.infer_shape == maxpoolgrad::cann::infer_shape &&
                       op.infer_dtype == maxpoolgrad::cann::infer_data_type &&
                       op.core.tiling == maxpoolgrad::cann::tiling;
    return "{\"count\": " + std::to_string(ops::definitions().size()) +
           ", \"type\": " + ge::stub_json(op.type) + ", \"inputs\": " + list_json(op.inputs, port_json) +
           ", \"outputs\": " + list_json(op.outputs, port_json) +
           ", \"attributes\": " + list_json(op.attrs, attr_json) +
           ", \"socs\": " + list_json(op.core.configs, soc) + ", \"wired\": " + (wired ? "true" : "false") +
           "}";
}

std::string prototype() {
    const ge::Operator op = ge::OperatorFactory::CreateOperator("x", maxpoolgrad::kOpType);
    const ge::OperatorState& state = op.state();
    const auto attribute = [](const ge::OperatorState::Attribute& attr) {
        return "[" + ge::stub_json(attr.name) + ", " + ge::stub_json(attr.type) + ", " +
               (attr.required ? "true, null" : "false, " + ge::stub_json(attr.value)) + "]";
    };
    std::string types;
    for (const auto& [port, type] : state.port_types) {
        types += (types.empty() ? "" : ", ") + ge::stub_json(port) + ": " + ge::stub_json(type);
    }
    return "{\"type\": " + ge::stub_json(state.type) +
           ", \"inputs\": " + ge::stub_json(ge::StubValue(state.inputs)) +
           ", \"outputs\": " + ge::stub_json(ge::StubValue(state.outputs)) + ", \"types\": {" + types +
           "}, \"attributes\": " + list_json(state.prototype, attribute) + "}";
}

std::string respond(const Json& request) {
    const std::string& call = request.find("call")->text;
    reported.clear();
    return call == "shape"        ? infer_shape(request)
           : call == "dtype"      ? infer_dtype(request)
           : call == "tiling"     ? tiling(request)
           : call == "definition" ? definition()
                                  : prototype();
}

} // namespace

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        const auto request = maxpoolgrad::atc::parse_json(line);
        std::cout << (request.has_value() ? respond(*request) : "null") << std::endl;
    }
    return 0;
}
