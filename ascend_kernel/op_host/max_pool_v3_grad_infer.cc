// Shape and type inference.
//
// MAXPOOLGRAD_BUILTIN_STAYS: the package is installed on machines where CANN's own kernel of this name serves
// other people's models, with other types and rules. There inference only copies, and leaves every refusal to
// the tiling function of the kernel that is chosen and to the ATC plugin.
#include "functions.h"
#include "node_facts.h"
#include "report.h"

#ifndef MAXPOOLGRAD_BUILTIN_STAYS
#define MAXPOOLGRAD_BUILTIN_STAYS 0
#endif

namespace maxpoolgrad::cann {

namespace {

constexpr bool kRefuses = MAXPOOLGRAD_BUILTIN_STAYS == 0;

std::string refusal(const gert::InferShapeContext& context) {
    Attributes attributes;
    const std::string sentence = read_attributes(context, &attributes);
    if (!sentence.empty()) {
        return sentence;
    }
    std::array<PartialShape, 3> shapes;
    for (size_t i = 0; i < shapes.size(); ++i) {
        shapes[i] = shape_of(context.GetInputShape(i));
    }
    return check_shapes(subject_of(context), attributes, shapes);
}

std::string refusal(const gert::InferDataTypeContext& context) {
    std::array<std::string, 3> dtypes;
    for (size_t i = 0; i < dtypes.size(); ++i) {
        dtypes[i] = dtype_name(context.GetInputDataType(i));
    }
    return check_dtypes(subject_of(context), dtypes);
}

template <class Context>
bool refuses(const Context& context) {
    const std::string sentence = kRefuses ? refusal(context) : "";
    if (!sentence.empty()) {
        report(sentence);
    }
    return !sentence.empty();
}

} // namespace

ge::graphStatus infer_shape(gert::InferShapeContext* context) {
    if (context == nullptr || refuses(*context)) {
        return ge::GRAPH_FAILED;
    }
    gert::Shape* output = context->GetOutputShape(0);
    if (output == nullptr) {
        return ge::GRAPH_FAILED;
    }
    PartialShape shape = shape_of(context->GetInputShape(0));
    if (!shape.known_rank) {
        shape.dims.assign(kRank, kUnknownDim); // the operator takes nothing else
    }
    output->SetDimNum(shape.dims.size());
    for (size_t dim = 0; dim < shape.dims.size(); ++dim) {
        output->SetDim(dim, shape.dims[dim]);
    }
    return ge::GRAPH_SUCCESS;
}

ge::graphStatus infer_data_type(gert::InferDataTypeContext* context) {
    if (context == nullptr || refuses(*context)) {
        return ge::GRAPH_FAILED;
    }
    return context->SetOutputDataType(0, context->GetInputDataType(0));
}

} // namespace maxpoolgrad::cann
