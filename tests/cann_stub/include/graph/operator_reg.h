// REG_OP, reduced: a class for the operator whose constructor registers its ports and attributes, and with
// setters by name.
#pragma once

#include "graph.h"
#include "operator.h"
#include "operator_factory.h"
#include "tensor.h"
#include "types.h"

namespace ge {

// What a line of a prototype is chained to.
class OpReg {
public:
    OpReg& N() { return *this; }
};

} // namespace ge

#define STUB_DEFAULT_Int(...) Operator::OpInt(__VA_ARGS__)
#define STUB_DEFAULT_Bool(...) Operator::OpBool(__VA_ARGS__)
#define STUB_DEFAULT_String(...) AscendString(__VA_ARGS__)
#define STUB_DEFAULT_ListInt(...) Operator::OpListInt(__VA_ARGS__)

#define STUB_SETTER_Int(x)
#define STUB_SETTER_Bool(x)
#define STUB_SETTER_ListInt(x)
#define STUB_SETTER_String(x)                                                                                \
    This& set_attr_##x(const char* value) {                                                                  \
        Operator::SetAttr(#x, value);                                                                        \
        return *this;                                                                                        \
    }

#define REG_OP(x)                                                                                            \
    namespace op {                                                                                           \
    class x : public Operator {                                                                              \
        using This = x;                                                                                      \
                                                                                                             \
    public:                                                                                                  \
        explicit x(const char* name) : Operator(name, #x) { prototype(); }                                   \
        explicit x(const AscendString& name) : Operator(name, #x) { prototype(); }                           \
                                                                                                             \
    private:                                                                                                 \
        void prototype() {                                                                                   \
            OpReg()

#define INPUT(x, types)                                                                                      \
    N();                                                                                                     \
    input_##x();                                                                                             \
    }                                                                                                        \
                                                                                                             \
public:                                                                                                      \
    This& set_input_##x(Operator& source) {                                                                  \
        Operator::SetInput(#x, source);                                                                      \
        return *this;                                                                                        \
    }                                                                                                        \
    graphStatus update_input_desc_##x(const TensorDesc& desc) {                                              \
        return Operator::UpdateInputDesc(#x, desc);                                                          \
    }                                                                                                        \
                                                                                                             \
private:                                                                                                     \
    void input_##x() {                                                                                       \
        (void)types;                                                                                         \
        Operator::InputRegister(#x, #types);                                                                 \
        (void)OpReg()

#define OUTPUT(x, types)                                                                                     \
    N();                                                                                                     \
    output_##x();                                                                                            \
    }                                                                                                        \
                                                                                                             \
public:                                                                                                      \
    graphStatus update_output_desc_##x(const TensorDesc& desc) {                                             \
        return Operator::UpdateOutputDesc(#x, desc);                                                         \
    }                                                                                                        \
                                                                                                             \
private:                                                                                                     \
    void output_##x() {                                                                                      \
        (void)types;                                                                                         \
        Operator::OutputRegister(#x, #types);                                                                \
        (void)OpReg()

#define ATTR(x, Type, ...)                                                                                   \
    N();                                                                                                     \
    attr_##x();                                                                                              \
    }                                                                                                        \
                                                                                                             \
public:                                                                                                      \
    STUB_SETTER_##Type(x) This& set_attr_##x(const Op##Type& value) {                                        \
        Operator::SetAttr(#x, value);                                                                        \
        return *this;                                                                                        \
    }                                                                                                        \
                                                                                                             \
private:                                                                                                     \
    void attr_##x() {                                                                                        \
        Operator::AttrRegister(#x, STUB_DEFAULT_##Type(__VA_ARGS__));                                        \
        (void)OpReg()

#define REQUIRED_ATTR(x, Type)                                                                               \
    N();                                                                                                     \
    required_##x();                                                                                          \
    }                                                                                                        \
                                                                                                             \
public:                                                                                                      \
    STUB_SETTER_##Type(x) This& set_attr_##x(const Op##Type& value) {                                        \
        Operator::SetAttr(#x, value);                                                                        \
        return *this;                                                                                        \
    }                                                                                                        \
                                                                                                             \
private:                                                                                                     \
    void required_##x() {                                                                                    \
        Operator::RequiredAttrWithTypeRegister(#x, #Type);                                                   \
        (void)OpReg()

#define OP_END_FACTORY_REG(x)                                                                                \
    N();                                                                                                     \
    }                                                                                                        \
    }                                                                                                        \
    ;                                                                                                        \
    static const OperatorCreatorRegister register_##x(#x, [](const AscendString& name) { return x(name); }); \
    }
