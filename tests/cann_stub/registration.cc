#include "registration.h"

#include <map>

namespace domi {

namespace {

std::map<std::string, OpRegistrationDataImpl>& registrations() {
    static std::map<std::string, OpRegistrationDataImpl> all;
    return all;
}

} // namespace

OpRegistrationData::OpRegistrationData(const char* om_optype)
    : impl_(std::make_shared<OpRegistrationDataImpl>()) {
    impl_->om_optype = om_optype;
}
OpRegistrationData::~OpRegistrationData() = default;
OpRegistrationData& OpRegistrationData::FrameworkType(const domi::FrameworkType& type) {
    return impl_->framework = type, *this;
}
OpRegistrationData& OpRegistrationData::OriginOpType(const std::vector<ge::AscendString>& types) {
    for (const ge::AscendString& type : types) {
        impl_->origin_types.emplace_back(type.GetString());
    }
    return *this;
}
OpRegistrationData& OpRegistrationData::OriginOpType(const char* type) {
    return impl_->origin_types.emplace_back(type), *this;
}
OpRegistrationData& OpRegistrationData::ParseParamsByOperatorFn(const ParseParamByOpFunc& function) {
    return impl_->parse = function, *this;
}
OpRegistrationData& OpRegistrationData::ParseOpToGraphFn(const ParseOpToGraphFunc& function) {
    return impl_->to_graph = function, *this;
}
OpRegistrationData& OpRegistrationData::ImplyType(const domi::ImplyType& type) {
    return impl_->imply = type, *this;
}

OpReceiver::OpReceiver(OpRegistrationData& data) {
    for (const std::string& type : data.impl_->origin_types) {
        registrations().emplace(type, *data.impl_); // the first one wins
    }
}

const OpRegistrationDataImpl* registration_of(const std::string& key) {
    const auto found = registrations().find(key);
    return found == registrations().end() ? nullptr : &found->second;
}

std::vector<std::string> registered_keys() {
    std::vector<std::string> keys;
    for (const auto& entry : registrations()) {
        keys.push_back(entry.first);
    }
    return keys;
}

} // namespace domi
