#pragma once

#include "operator.h"

namespace ge {

using OpCreator = std::function<Operator(const std::string&)>;
using OpCreatorV2 = std::function<Operator(const AscendString&)>;

class OperatorFactory {
public:
    static Operator CreateOperator(const std::string& name, const std::string& type);
    static Operator CreateOperator(const char_t* const name, const char_t* const type);
    static bool IsExistOp(const char_t* const type);
};

class OperatorCreatorRegister {
public:
    OperatorCreatorRegister(const std::string& type, OpCreator const& creator);
    OperatorCreatorRegister(const char_t* const type, OpCreatorV2 const& creator);
};

} // namespace ge
