// A node of a graph under construction. Overloads with std::string are declared as in CANN, so that a call
// which picks one is seen; nothing defines them.
#pragma once

#include "ascend_string.h"
#include "tensor.h"
#include "types.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ge {

class OperatorState;

class Operator {
public:
    using OpInt = int64_t;
    using OpString = std::string;
    using OpBool = bool;
    using OpListInt = std::vector<int64_t>;

    Operator() = default;
    explicit Operator(const std::string& type);
    explicit Operator(const char_t* type);
    Operator(const std::string& name, const std::string& type);
    Operator(const AscendString& name, const AscendString& type);
    Operator(const char_t* name, const char_t* type);
    virtual ~Operator() = default;

    bool IsEmpty() const;
    graphStatus GetName(AscendString& name) const;
    graphStatus GetOpType(AscendString& type) const;

    Operator& SetInput(const std::string& dst_name, const Operator& src);
    Operator& SetInput(const char_t* dst_name, const Operator& src);
    Operator& SetInput(const std::string& dst_name, const Operator& src, uint32_t index);
    Operator& SetInput(const char_t* dst_name, const Operator& src, uint32_t index);

    TensorDesc GetInputDescByName(const char_t* name) const;
    TensorDesc GetOutputDescByName(const char_t* name) const;
    graphStatus UpdateInputDesc(const std::string& name, const TensorDesc& desc);
    graphStatus UpdateInputDesc(const char_t* name, const TensorDesc& desc);
    graphStatus UpdateOutputDesc(const std::string& name, const TensorDesc& desc);
    graphStatus UpdateOutputDesc(const char_t* name, const TensorDesc& desc);

    Operator& SetAttr(const std::string& name, int64_t value);
    Operator& SetAttr(const std::string& name, const std::string& value);
    Operator& SetAttr(const std::string& name, bool value);
    Operator& SetAttr(const std::string& name, const std::vector<int64_t>& value);
    graphStatus GetAttr(const std::string& name, std::string& value) const;
    graphStatus GetAttr(const std::string& name, std::vector<std::string>& value) const;

    Operator& SetAttr(const char_t* name, int64_t value);
    Operator& SetAttr(const char_t* name, int32_t value);
    Operator& SetAttr(const char_t* name, uint32_t value);
    Operator& SetAttr(const char_t* name, bool value);
    Operator& SetAttr(const char_t* name, float32_t value);
    Operator& SetAttr(const char_t* name, const char_t* value);
    Operator& SetAttr(const char_t* name, const AscendString& value);
    Operator& SetAttr(const char_t* name, const std::vector<int64_t>& value);
    Operator& SetAttr(const char_t* name, std::initializer_list<int64_t>&& value);
    Operator& SetAttr(const char_t* name, const std::vector<bool>& value);
    Operator& SetAttr(const char_t* name, const std::vector<AscendString>& value);
    Operator& SetAttr(const char_t* name, const Tensor& value); // of int64: kept as a list
    graphStatus GetAttr(const char_t* name, int64_t& value) const;
    graphStatus GetAttr(const char_t* name, bool& value) const;
    graphStatus GetAttr(const char_t* name, float32_t& value) const;
    graphStatus GetAttr(const char_t* name, AscendString& value) const;
    graphStatus GetAttr(const char_t* name, std::vector<int64_t>& value) const;
    graphStatus GetAttr(const char_t* name, std::vector<AscendString>& value) const;

    void DynamicInputRegister(const char_t* name, const uint32_t num, bool is_push_back = true);
    void DynamicOutputRegister(const char_t* name, const uint32_t num, bool is_push_back = true);

    const OperatorState& state() const { return *state_; } // of the stand-in alone

protected:
    void InputRegister(const char_t* name, const char_t* datatype_symbol);
    void OutputRegister(const char_t* name, const char_t* datatype_symbol);
    void AttrRegister(const char_t* name, int64_t value);
    void AttrRegister(const char_t* name, bool value);
    void AttrRegister(const char_t* name, const AscendString& value);
    void AttrRegister(const char_t* name, const std::vector<int64_t>& value);
    void RequiredAttrWithTypeRegister(const char_t* name, const char_t* type);

private:
    std::shared_ptr<OperatorState> state_;
};

} // namespace ge
