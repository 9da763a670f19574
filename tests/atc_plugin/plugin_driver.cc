// Loads a parser plugin and calls it as the ONNX parser would, one request a line:
//   {"key": "npu::1::...", "name": "...", "input": [...], "output": [...], "attribute": "{...}"}
// where input, output and attribute may be missing. Answers in one line each: what the function returned,
// what it reported, the target's attributes and, where the node is expanded, the graph.
#include "json.h"
#include "operator_state.h"
#include "registration.h"

#include <cstdarg>
#include <cstdio>
#include <dlfcn.h>
#include <iostream>
#include <string>

namespace {

std::string reported;
int reports = 0;

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
    ++reports;
    return 0;
}
} // namespace error_message

namespace {

using maxpoolgrad::atc::Json;

std::vector<ge::AscendString> strings_of(const Json& list) {
    std::vector<ge::AscendString> strings;
    for (const Json& item : list.items) {
        strings.emplace_back(item.text.c_str());
    }
    return strings;
}

ge::Operator source_of(const Json& request) {
    ge::Operator source(request.find("name")->text.c_str(), request.find("key")->text.c_str());
    for (const char* field : {"input", "output"}) {
        if (request.find(field) != nullptr) {
            source.SetAttr(field, strings_of(*request.find(field)));
        }
    }
    if (request.find("attribute") != nullptr) {
        source.SetAttr("attribute", request.find("attribute")->text.c_str());
    }
    return source;
}

std::string attrs_json(const ge::Operator& op) {
    std::string out;
    for (const auto& [name, value] : op.state().attrs) {
        out += (out.empty() ? "" : ", ") + ge::stub_json(name) + ": " + ge::stub_json(value);
    }
    return "{" + out + "}";
}

// {"type": .., "name": .., "output": number, "attrs": {..}, "inputs": {port: {..}}, "layouts": {port:
// format}}
std::string tree_json(const ge::Operator& op, uint32_t output = 0) {
    const ge::OperatorState& state = op.state();
    std::string inputs, layouts;
    for (const auto& [port, source] : state.sources) {
        inputs += (inputs.empty() ? "" : ", ") + ge::stub_json(port) + ": " +
                  tree_json(source.first, source.second);
    }
    for (const auto& [port, desc] : state.descs) {
        const bool same = desc.GetFormat() == desc.GetOriginFormat();
        layouts += (layouts.empty() ? "" : ", ") + ge::stub_json(port) + ": " +
                   std::to_string(same ? static_cast<int>(desc.GetFormat()) : -1);
    }
    return "{\"type\": " + ge::stub_json(state.type) + ", \"name\": " + ge::stub_json(state.name) +
           ", \"output\": " + std::to_string(output) + ", \"attrs\": " + attrs_json(op) + ", \"inputs\": {" +
           inputs + "}, \"layouts\": {" + layouts + "}}";
}

std::string expanded_json(const domi::OpRegistrationDataImpl& registration, const ge::Operator& target) {
    ge::Graph graph("expanded");
    if (registration.to_graph(target, graph) != domi::SUCCESS) {
        return "\"refused\"";
    }
    std::string out;
    for (const auto& [op, outputs] : graph.state().outputs) {
        out += (out.empty() ? "" : ", ") + tree_json(op);
    }
    return "[" + out + "]";
}

std::string list_json(const std::vector<std::string>& texts) {
    return ge::stub_json(ge::StubValue(texts));
}

std::string answer(const Json& request) {
    const domi::OpRegistrationDataImpl* registration = domi::registration_of(request.find("key")->text);
    if (registration == nullptr) {
        return "{\"registered\": false}";
    }
    reported.clear();
    reports = 0;
    const ge::Operator source = source_of(request);
    ge::Operator target(request.find("name")->text.c_str(), registration->om_optype.c_str());
    const domi::Status status = registration->parse(source, target);
    std::string out = "{\"registered\": true, \"om_optype\": " + ge::stub_json(registration->om_optype) +
                      ", \"framework\": " + std::to_string(registration->framework) +
                      ", \"status\": " + std::to_string(status) + ", \"attrs\": " + attrs_json(target) +
                      ", \"ports\": [" + list_json(target.state().inputs) + ", " +
                      list_json(target.state().outputs) + "]";
    if (status == domi::SUCCESS && registration->to_graph) {
        out += ", \"graphs\": " + expanded_json(*registration, target);
    }
    return out + ", \"reports\": " + std::to_string(reports) + ", \"said\": " + ge::stub_json(reported) + "}";
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2 || dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
        std::cerr << (argc == 2 ? dlerror() : "usage: plugin_driver PLUGIN") << "\n";
        return 1;
    }
    std::cout << list_json(domi::registered_keys()) << std::endl;
    std::string line;
    while (std::getline(std::cin, line)) {
        const auto request = maxpoolgrad::atc::parse_json(line);
        std::cout << (request.has_value() ? answer(*request) : "{\"malformed\": true}") << std::endl;
    }
    return 0;
}
