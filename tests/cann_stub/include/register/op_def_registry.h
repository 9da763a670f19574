// An operator's definition. CANN's build generates code from it; a test looks at what was declared.
#pragma once

#include "op_impl_registry.h"

#include <deque>
#include <graph/operator_reg.h>
#include <map>
#include <string>
#include <vector>

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };

class OpParamDef {
public:
    explicit OpParamDef(const char* n) : name(n) {}
    OpParamDef& ParamType(Option option) { return required = option == REQUIRED, *this; }
    OpParamDef& DataType(std::vector<ge::DataType> types) { return dtypes = types, *this; }
    OpParamDef& Format(std::vector<ge::Format> values) { return formats = values, *this; }
    OpParamDef& UnknownShapeFormat(std::vector<ge::Format> values) { return unknown_formats = values, *this; }
    OpParamDef& AutoContiguous() { return auto_contiguous = true, *this; }

    std::string name;
    bool required = false;
    std::vector<ge::DataType> dtypes;
    std::vector<ge::Format> formats, unknown_formats;
    bool auto_contiguous = false;
};

class OpAttrDef {
public:
    explicit OpAttrDef(const char* n) : name(n) {}
    OpAttrDef& AttrType(Option option) { return required = option == REQUIRED, *this; }
    OpAttrDef& ListInt() { return set("INTS", ""); }
    OpAttrDef& ListInt(std::vector<int64_t> value) {
        std::string text;
        for (const int64_t item : value) {
            text += (text.empty() ? "" : ", ") + std::to_string(item);
        }
        return set("INTS", "[" + text + "]");
    }
    OpAttrDef& String(const char* value) { return set("STRING", std::string("\"") + value + "\""); }
    OpAttrDef& Bool(bool value) { return set("BOOL", value ? "1" : "0"); }

    std::string name;
    bool required = false;
    std::string kind, value; // the value as JSON

private:
    OpAttrDef& set(const char* k, const std::string& v) { return kind = k, value = v, *this; }
};

class OpAICoreConfig {
public:
    OpAICoreConfig& DynamicCompileStaticFlag(bool flag) { return set("DynamicCompileStatic", flag); }
    OpAICoreConfig& DynamicFormatFlag(bool flag) { return set("DynamicFormat", flag); }
    OpAICoreConfig& DynamicRankSupportFlag(bool flag) { return set("DynamicRankSupport", flag); }
    OpAICoreConfig& DynamicShapeSupportFlag(bool flag) { return set("DynamicShapeSupport", flag); }
    OpAICoreConfig& NeedCheckSupportFlag(bool flag) { return set("NeedCheckSupport", flag); }
    OpAICoreConfig& PrecisionReduceFlag(bool flag) { return set("PrecisionReduce", flag); }
    std::map<std::string, bool> flags;

private:
    OpAICoreConfig& set(const char* name, bool flag) { return flags[name] = flag, *this; }
};

class OpAICoreDef {
public:
    OpAICoreDef& SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function) {
        return tiling = function, *this;
    }
    OpAICoreDef& AddConfig(const char* soc, OpAICoreConfig& config) { return configs[soc] = config, *this; }
    gert::OpImplRegisterV2::TilingKernelFunc tiling = nullptr;
    std::map<std::string, OpAICoreConfig> configs;
};

class OpDef {
public:
    explicit OpDef(const char* t) : type(t) {}
    OpParamDef& Input(const char* name) { return inputs.emplace_back(name); }
    OpParamDef& Output(const char* name) { return outputs.emplace_back(name); }
    OpAttrDef& Attr(const char* name) { return attrs.emplace_back(name); }
    OpDef& SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc f) { return infer_shape = f, *this; }
    OpDef& SetInferDataType(gert::OpImplRegisterV2::InferDataTypeKernelFunc f) {
        return infer_dtype = f, *this;
    }
    OpAICoreDef& AICore() { return core; }

    std::string type;
    std::deque<OpParamDef> inputs, outputs;
    std::deque<OpAttrDef> attrs;
    gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape = nullptr;
    gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_dtype = nullptr;
    OpAICoreDef core;
};

// All definitions of the program, by type.
inline std::map<std::string, OpDef>& definitions() {
    static std::map<std::string, OpDef> all;
    return all;
}

} // namespace ops

#define OP_ADD(opType)                                                                                       \
    static const bool added_##opType = ops::definitions().emplace(#opType, opType(#opType)).second
