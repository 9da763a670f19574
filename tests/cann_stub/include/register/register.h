// How a parser plugin makes itself known.
#pragma once

#include <functional>
#include <graph/graph.h>
#include <graph/operator.h>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace domi {

using Status = uint32_t;
constexpr Status SUCCESS = 0;
constexpr Status FAILED = 0xFFFFFFFF;

enum FrameworkType { CAFFE = 0, TENSORFLOW = 3, ONNX = 5 };
enum class ImplyType : uint32_t { BUILDIN = 0, TVM };

using ParseParamByOpFunc = std::function<Status(const ge::Operator&, ge::Operator&)>;
using ParseOpToGraphFunc = std::function<Status(const ge::Operator&, ge::Graph&)>;

class OpRegistrationDataImpl;

class OpRegistrationData {
public:
    OpRegistrationData(const std::string& om_optype);
    OpRegistrationData(const char* om_optype);
    ~OpRegistrationData();

    OpRegistrationData& FrameworkType(const domi::FrameworkType& type);
    OpRegistrationData& OriginOpType(const std::initializer_list<std::string>& types);
    OpRegistrationData& OriginOpType(const std::vector<ge::AscendString>& types);
    OpRegistrationData& OriginOpType(const std::string& type);
    OpRegistrationData& OriginOpType(const char* type);
    OpRegistrationData& ParseParamsByOperatorFn(const ParseParamByOpFunc& function);
    OpRegistrationData& ParseOpToGraphFn(const ParseOpToGraphFunc& function);
    OpRegistrationData& ImplyType(const domi::ImplyType& type);

private:
    friend class OpReceiver;
    std::shared_ptr<OpRegistrationDataImpl> impl_;
};

class OpReceiver {
public:
    OpReceiver(OpRegistrationData& data);
};

} // namespace domi

#define REGISTER_CUSTOM_OP(name) REGISTER_CUSTOM_OP_AT(__LINE__, name)
#define REGISTER_CUSTOM_OP_AT(line, name) REGISTER_CUSTOM_OP_NAMED(line, name)
#define REGISTER_CUSTOM_OP_NAMED(line, name)                                                                 \
    static OpReceiver receiver_##line __attribute__((unused)) = OpRegistrationData(name)
