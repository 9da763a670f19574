// The Python module _native: the contract and the CPU kernel, as thin as can be. Checks return their sentence
// ("" where there is none); maxpoolgrad_onnx turns sentences into MaxPoolGradError.
#include "arguments.h"

#include <maxpoolgrad/contract.h>
#include <maxpoolgrad/kernel.h>

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>

#include <optional>

using namespace maxpoolgrad;

namespace {

using OptionalShape = std::optional<Shape>;

const KernelFunctions& kernel() {
    return *MaxPoolGradKernel();
}

// The attribute's default as a Python value; None where the attribute is required.
nb::object default_of(const AttributeSpec& spec) {
    const Attributes defaults;
    const std::string name = spec.name;
    if (spec.required) {
        return nb::none();
    }
    if (name == "padding_mode") {
        return nb::cast(defaults.padding_mode);
    }
    if (name == "pads") {
        return nb::tuple(nb::cast(defaults.pads));
    }
    if (name == "data_format") {
        return nb::cast(defaults.data_format);
    }
    return nb::cast(name == "ceil_mode" ? defaults.ceil_mode : defaults.global_pooling);
}

const char* kind_text(AttributeKind kind) {
    switch (kind) {
    case AttributeKind::kInts: return "INTS";
    case AttributeKind::kString: return "STRING";
    case AttributeKind::kBool: return "BOOL";
    }
    return "";
}

const AttributeSpec& spec_named(const std::string& name) {
    const AttributeSpec* spec = find_attribute(name);
    if (spec == nullptr) {
        throw nb::key_error(name.c_str());
    }
    return *spec;
}

template <class Values>
nb::tuple tuple_of(const Values& values) {
    nb::list list;
    for (const auto& value : values) {
        list.append(value);
    }
    return nb::tuple(list);
}

PartialShape partial(const OptionalShape& shape) {
    return {shape.has_value(), shape.value_or(Shape{})};
}

// "" for the one that the kernel chooses itself.
Target target_named(const std::string& name) {
    if (name.empty()) {
        return kernel().chosen_target();
    }
    for (const Target target : kernel().cpu_targets()) {
        if (name == kTargets[static_cast<size_t>(target)]) {
            return target;
        }
    }
    throw std::invalid_argument("this processor has no target of that name");
}

// A pooling whose attributes are read and checked once and for all its calls.
class Pool {
public:
    explicit Pool(const nb::dict& values) : attributes_(attributes_of(values)) {
        require(check_attributes("", attributes_).empty(), "attributes are refused");
    }

    // False, and nothing done, where an input is to be refused: Python says which, in the contract's words.
    bool gradient(const InputArray& orig_input, const InputArray& orig_output, const InputArray& grad,
                  const OutputArray& out_grad, int threads, const std::string& target) const {
        const auto same = [&](const auto& array) { return array.dtype() == orig_input.dtype(); };
        const Shape input = shape_of(orig_input), output = shape_of(orig_output);
        if (!is_known_dtype(orig_input) || !same(orig_output) || !same(grad) ||
            !check_shapes("", attributes_, {{{true, input}, {true, output}, {true, shape_of(grad)}}})
                 .empty()) {
            return false;
        }
        require(same(out_grad) && shape_of(out_grad) == input, "out_grad must be as orig_input is");
        const Pooling pooling = make_pooling(attributes_, input, output);
        const Dtype dtype = dtype_of(orig_input);
        const Target chosen = target_named(target);
        const nb::gil_scoped_release unlocked;
        kernel().max_pool_v3_grad(pooling, dtype, orig_input.data(), orig_output.data(), grad.data(),
                                  out_grad.data(), kernel().process_workers(threads), chosen);
        return true;
    }

private:
    Attributes attributes_;
};

void run_grad(const nb::dict& values, const InputArray& orig_input, const InputArray& orig_output,
              const InputArray& grad, const OutputArray& out_grad, int threads, const std::string& target) {
    require(Pool(values).gradient(orig_input, orig_output, grad, out_grad, threads, target),
            "inputs are refused");
}

void run_forward(const nb::dict& values, const InputArray& input, const OutputArray& output, int threads) {
    const Attributes attributes = attributes_of(values);
    const Dtype dtype = dtype_of(input);
    require(check_attributes("", attributes).empty(), "attributes are refused");
    require(dtype_of(output) == dtype, "dtypes differ");
    require(input.ndim() == kRank && shape_of(output) == output_shape(attributes, shape_of(input)),
            "the output's shape is wrong");
    const Pooling pooling = make_pooling(attributes, shape_of(input), shape_of(output));
    const nb::gil_scoped_release unlocked;
    kernel().max_pool_v3(pooling, dtype, input.data(), output.data(), kernel().process_workers(threads));
}

void add_constants(nb::module_& m) {
    m.attr("DOMAIN") = kDomain;
    m.attr("OP_TYPE") = kOpType;
    m.attr("OP_TYPE_ALIAS") = kOpTypeAlias;
    m.attr("OPSET_VERSION") = kOpsetVersion;
    m.attr("INPUT_NAMES") = tuple_of(kInputNames);
    m.attr("OUTPUT_NAME") = kOutputName;
    m.attr("KSIZE_MIN") = kKsizeMin;
    m.attr("KSIZE_MAX") = kKsizeMax;
    m.attr("STRIDE_MIN") = kStrideMin;
    m.attr("STRIDE_MAX") = kStrideMax;
    m.attr("PADDING_MODES") = tuple_of(kPaddingModes);
    m.attr("DATA_FORMATS") = tuple_of(kDataFormats);
    m.attr("DTYPES") = tuple_of(kDtypes);
    nb::list attributes, products;
    for (const AttributeSpec& spec : kAttributes) {
        attributes.append(nb::make_tuple(spec.name, kind_text(spec.kind), spec.required, default_of(spec)));
    }
    for (const Product& product : kSupportedProducts) {
        products.append(nb::make_tuple(product.soc_prefix, product.name));
    }
    m.attr("ATTRIBUTES") = nb::tuple(attributes);
    m.attr("SUPPORTED_PRODUCTS") = nb::tuple(products);
}

void add_checks(nb::module_& m) {
    m.def("node_subject", &node_subject, nb::arg("node"));
    m.def(
        "check_attributes",
        [](const std::string& subject, const nb::dict& values) {
            return check_attributes(subject, attributes_of(values));
        },
        nb::arg("subject"), nb::arg("attributes"));
    m.def("check_dtypes", &check_dtypes, nb::arg("subject"), nb::arg("dtypes"));
    m.def(
        "check_shapes",
        [](const std::string& subject, const nb::dict& values, const OptionalShape& orig_input,
           const OptionalShape& orig_output, const OptionalShape& grad) {
            return check_shapes(subject, attributes_of(values),
                                {{partial(orig_input), partial(orig_output), partial(grad)}});
        },
        nb::arg("subject"), nb::arg("attributes"), nb::arg("orig_input").none(),
        nb::arg("orig_output").none(), nb::arg("grad").none());
    m.def("wrong_shape", &wrong_shape, nb::arg("subject"), nb::arg("input"), nb::arg("found"));
    m.def("check_soc_version", &check_soc_version, nb::arg("soc_version"));
    m.def(
        "product_of",
        [](const std::string& soc_version) {
            const Product* product = product_of(soc_version);
            return product == nullptr ? std::string() : std::string(product->name);
        },
        nb::arg("soc_version"));
    m.def(
        "wrong_attribute_type",
        [](const std::string& subject, const std::string& name, const std::string& found) {
            return wrong_attribute_type(subject, spec_named(name), found);
        },
        nb::arg("subject"), nb::arg("name"), nb::arg("found"));
    m.def(
        "missing_attribute",
        [](const std::string& subject, const std::string& name) {
            return missing_attribute(subject, spec_named(name));
        },
        nb::arg("subject"), nb::arg("name"));
    m.def("unknown_attribute", &unknown_attribute, nb::arg("subject"), nb::arg("name"));
    m.def("wrong_input_count", &wrong_input_count, nb::arg("subject"), nb::arg("found"));
    m.def(
        "missing_input",
        [](const std::string& subject, size_t index) {
            return missing_input(subject, kInputNames.at(index));
        },
        nb::arg("subject"), nb::arg("index"));
    m.def("wrong_output_count", &wrong_output_count, nb::arg("subject"), nb::arg("found"));
}

} // namespace

NB_MODULE(_native, m) {
    add_constants(m);
    add_checks(m);
    m.def(
        "output_shape",
        [](const nb::dict& values, const Shape& input) { return output_shape(attributes_of(values), input); },
        nb::arg("attributes"), nb::arg("input"));
    nb::class_<Pool>(m, "Pool")
        .def(nb::init<const nb::dict&>(), nb::arg("attributes"))
        .def("gradient", &Pool::gradient, nb::arg("orig_input"), nb::arg("orig_output"), nb::arg("grad"),
             nb::arg("out_grad"), nb::arg("threads"), nb::arg("target") = "");
    m.def("max_pool_v3_grad", &run_grad, nb::arg("attributes"), nb::arg("orig_input"), nb::arg("orig_output"),
          nb::arg("grad"), nb::arg("out_grad"), nb::arg("threads"), nb::arg("target") = "");
    m.def(
        "move_bytes",
        [](const InputArray& orig_input, const InputArray& orig_output, const InputArray& grad,
           const OutputArray& out_grad, bool past_caches, bool ahead, int streams, int threads) {
            require(out_grad.nbytes() == orig_input.nbytes() && grad.nbytes() == orig_output.nbytes() &&
                        streams > 0,
                    "sizes differ");
            return kernel().move_bytes({orig_input.data(), orig_output.data(), grad.data(), out_grad.data(),
                                        static_cast<int64_t>(orig_input.nbytes()),
                                        static_cast<int64_t>(orig_output.nbytes()), past_caches, ahead,
                                        streams},
                                       kernel().process_workers(threads));
        },
        nb::arg("orig_input"), nb::arg("orig_output"), nb::arg("grad"), nb::arg("out_grad"),
        nb::arg("past_caches"), nb::arg("ahead"), nb::arg("streams"), nb::arg("threads"));
    m.def("cpu_targets", [] {
        std::vector<std::string> names;
        for (const Target target : kernel().cpu_targets()) {
            names.emplace_back(kTargets[static_cast<size_t>(target)]);
        }
        return names;
    });
    m.def("cpu_target", [] { return kTargets[static_cast<size_t>(kernel().chosen_target())]; });
    m.def("max_pool_v3", &run_forward, nb::arg("attributes"), nb::arg("input"), nb::arg("output"),
          nb::arg("threads"));
}
