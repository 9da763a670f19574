// The operator's definition: what its kernels take, and on which products.
#include "functions.h"

#include <maxpoolgrad/contract.h>

#include <register/op_def_registry.h>

// Whether the package has kernels for the Ascend 950, where CANN has one of this name itself.
#ifndef MAXPOOLGRAD_OVERRIDE_BUILTIN
#define MAXPOOLGRAD_OVERRIDE_BUILTIN 0
#endif

namespace ops {

namespace {

void describe(OpParamDef& tensor) {
    tensor.ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND})
        .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND})
        .AutoContiguous(); // aclnnMaxPoolV3Grad copies views before it calls the kernel
}

// Of an optional attribute: the contract's default.
void set_default(OpAttrDef& attr, const std::string& name) {
    const maxpoolgrad::Attributes defaults;
    if (name == "padding_mode") {
        attr.String(defaults.padding_mode.c_str());
    } else if (name == "pads") {
        attr.ListInt(defaults.pads);
    } else if (name == "data_format") {
        attr.String(defaults.data_format.c_str());
    } else {
        attr.Bool((name == "ceil_mode" ? defaults.ceil_mode : defaults.global_pooling) != 0);
    }
}

OpAICoreConfig kernel_config() {
    OpAICoreConfig config;
    config.DynamicCompileStaticFlag(true)
        .DynamicFormatFlag(false)
        .DynamicRankSupportFlag(true)
        .DynamicShapeSupportFlag(true)
        .NeedCheckSupportFlag(false)
        // As for the forward operator: where a precision mode lowers that one to float16, this one must
        // follow, or orig_output would be rounded and orig_input not, and no window would find its maximum.
        .PrecisionReduceFlag(true);
    return config;
}

} // namespace

class MaxPoolV3Grad : public OpDef {
public:
    explicit MaxPoolV3Grad(const char* name) : OpDef(name) {
        for (const char* input : maxpoolgrad::kInputNames) {
            describe(Input(input));
        }
        describe(Output(maxpoolgrad::kOutputName));
        for (const maxpoolgrad::AttributeSpec& spec : maxpoolgrad::kAttributes) {
            OpAttrDef& attr = Attr(spec.name).AttrType(spec.required ? REQUIRED : OPTIONAL);
            if (spec.required) {
                attr.ListInt(); // ksize and strides are the required ones
            } else {
                set_default(attr, spec.name);
            }
        }
        SetInferShape(maxpoolgrad::cann::infer_shape);
        SetInferDataType(maxpoolgrad::cann::infer_data_type);
        AICore().SetTiling(maxpoolgrad::cann::tiling);
        OpAICoreConfig config = kernel_config();
        AICore().AddConfig("ascend910b", config);
        AICore().AddConfig("ascend910_93", config);
#if MAXPOOLGRAD_OVERRIDE_BUILTIN
        AICore().AddConfig("ascend950", config);
#endif
    }
};

OP_ADD(MaxPoolV3Grad);

} // namespace ops
