// Looks up what plugins have registered, as the parser does.
#pragma once

#include <register/register.h>
#include <string>
#include <vector>

namespace domi {

class OpRegistrationDataImpl {
public:
    std::string om_optype;
    domi::FrameworkType framework = CAFFE;
    domi::ImplyType imply = domi::ImplyType::BUILDIN;
    std::vector<std::string> origin_types;
    ParseParamByOpFunc parse;
    ParseOpToGraphFunc to_graph;
};

// By the key domain::version::type; null where nobody registered it.
const OpRegistrationDataImpl* registration_of(const std::string& key);
std::vector<std::string> registered_keys();

} // namespace domi
