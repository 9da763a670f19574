// MaxPoolV3Grad in GE's graph mode: builds a graph of one node with the IR API, saves it as .air, builds and
// runs it in a GE session, and compares every bit with the CPU kernel. float16 and float32, static and
// dynamic shapes.
//
//   test_geir_max_pool_v3_grad FOLDER [--device N] [--no-run]
//
// FOLDER gets an .air for each case and, as raw values, its inputs and results: `python max_pool_v3_grad.py
// --compare FOLDER` looks at them again. --no-run stops after the .air files, which need no NPU.
#include "../op_graph/max_pool_v3_grad_proto.h"
#include "half.h"

#include <maxpoolgrad/attributes.h>
#include <maxpoolgrad/kernel.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <ge/ge_api.h>
#include <map>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;
using Options = std::map<ge::AscendString, ge::AscendString>;

struct Case {
    const char* name;
    maxpoolgrad::Dtype dtype;
    bool dynamic;
};

constexpr Case kCases[] = {
    {"float16_static", maxpoolgrad::Dtype::kFloat16, false},
    {"float16_dynamic", maxpoolgrad::Dtype::kFloat16, true},
    {"float32_static", maxpoolgrad::Dtype::kFloat32, false},
    {"float32_dynamic", maxpoolgrad::Dtype::kFloat32, true},
};

const std::vector<int64_t> kInputShape = {2, 20, 19, 30};

// Windows of 3 x 3 that overlap, padded by one.
maxpoolgrad::Attributes pool() {
    maxpoolgrad::Attributes attributes;
    attributes.ksize = {1, 1, 3, 3};
    attributes.strides = {1, 1, 2, 2};
    attributes.pads = {1, 1, 1, 1};
    return attributes;
}

// ---- Data

size_t elements(const std::vector<int64_t>& shape) {
    size_t count = 1;
    for (const int64_t size : shape) {
        count *= static_cast<size_t>(size);
    }
    return count;
}

size_t element_bytes(maxpoolgrad::Dtype dtype) {
    return dtype == maxpoolgrad::Dtype::kFloat16 ? 2 : 4;
}

// Quarters in [-8, 8): exact in both types, and with many ties.
Bytes quarters(const std::vector<int64_t>& shape, maxpoolgrad::Dtype dtype, uint32_t state) {
    Bytes bytes(elements(shape) * element_bytes(dtype));
    for (size_t i = 0; i < elements(shape); ++i) {
        state = state * 1664525u + 1013904223u;
        const float value = static_cast<float>(state >> 26) / 4.0f - 8.0f;
        const auto half = maxpoolgrad::from_float<maxpoolgrad::Half>(value);
        const void* source = dtype == maxpoolgrad::Dtype::kFloat16 ? static_cast<const void*>(&half) : &value;
        std::memcpy(&bytes[i * element_bytes(dtype)], source, element_bytes(dtype));
    }
    return bytes;
}

struct Tensors {
    std::vector<int64_t> output_shape;
    Bytes orig_input, orig_output, grad;
    Bytes out_grad; // of the CPU kernel
};

Tensors make_tensors(maxpoolgrad::Dtype dtype) {
    Tensors tensors;
    tensors.output_shape = maxpoolgrad::output_shape(pool(), kInputShape);
    const auto pooling = maxpoolgrad::make_pooling(pool(), kInputShape, tensors.output_shape);
    const auto workers = maxpoolgrad::process_workers(0);
    tensors.orig_input = quarters(kInputShape, dtype, 1);
    tensors.grad = quarters(tensors.output_shape, dtype, 2);
    tensors.orig_output.resize(tensors.grad.size());
    tensors.out_grad.resize(tensors.orig_input.size());
    maxpoolgrad::max_pool_v3(pooling, dtype, tensors.orig_input.data(), tensors.orig_output.data(), workers);
    maxpoolgrad::max_pool_v3_grad(pooling, dtype, tensors.orig_input.data(), tensors.orig_output.data(),
                                  tensors.grad.data(), tensors.out_grad.data(), workers);
    return tensors;
}

bool write(const std::string& path, const uint8_t* data, size_t size) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    return file.good();
}

bool write_tensors(const std::string& prefix, const Tensors& tensors) {
    return write(prefix + ".orig_input.bin", tensors.orig_input.data(), tensors.orig_input.size()) &&
           write(prefix + ".orig_output.bin", tensors.orig_output.data(), tensors.orig_output.size()) &&
           write(prefix + ".grad.bin", tensors.grad.data(), tensors.grad.size());
}

// ---- The graph

ge::TensorDesc describe(const std::vector<int64_t>& shape, const Case& run) {
    const std::vector<int64_t> dims = run.dynamic ? std::vector<int64_t>(shape.size(), -1) : shape;
    const auto dtype = run.dtype == maxpoolgrad::Dtype::kFloat16 ? ge::DT_FLOAT16 : ge::DT_FLOAT;
    return ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, dtype);
}

ge::Operator make_data(const char* name, int64_t index, const ge::TensorDesc& desc) {
    ge::Operator data = ge::OperatorFactory::CreateOperator(name, "Data");
    data.SetAttr("index", index);
    data.UpdateInputDesc("x", desc);
    data.UpdateOutputDesc("y", desc);
    return data;
}

ge::Graph make_graph(const Case& run, const std::vector<int64_t>& output_shape) {
    const ge::TensorDesc input = describe(kInputShape, run);
    const ge::TensorDesc output = describe(output_shape, run);
    ge::Operator orig_input = make_data("orig_input", 0, input);
    ge::Operator orig_output = make_data("orig_output", 1, output);
    ge::Operator grad = make_data("grad", 2, output);

    const maxpoolgrad::Attributes attributes = pool();
    ge::op::MaxPoolV3Grad node("max_pool_v3_grad");
    node.set_input_orig_input(orig_input).set_input_orig_output(orig_output).set_input_grad(grad);
    node.set_attr_ksize(attributes.ksize).set_attr_strides(attributes.strides).set_attr_pads(attributes.pads);
    node.update_input_desc_orig_input(input);
    node.update_input_desc_orig_output(output);
    node.update_input_desc_grad(output);
    node.update_output_desc_out_grad(input);

    ge::Graph graph(run.name);
    graph.SetInputs({orig_input, orig_output, grad}).SetOutputs(std::vector<ge::Operator>{node});
    return graph;
}

// ---- The session

ge::Tensor host_tensor(const std::vector<int64_t>& shape, const Bytes& bytes, const Case& run) {
    ge::TensorDesc desc = describe(shape, {run.name, run.dtype, false});
    desc.SetPlacement(ge::kPlacementHost);
    return ge::Tensor(desc, bytes.data(), bytes.size());
}

// What happened, in a word or two; "ok" where every bit is right.
std::string run_case(ge::Session& session, uint32_t id, const Case& run, const ge::Graph& graph,
                     const Tensors& tensors, const std::string& prefix) {
    if (session.AddGraph(id, graph, Options()) != ge::SUCCESS) {
        return "GE refused the graph";
    }
    const std::vector<ge::Tensor> inputs = {host_tensor(kInputShape, tensors.orig_input, run),
                                            host_tensor(tensors.output_shape, tensors.orig_output, run),
                                            host_tensor(tensors.output_shape, tensors.grad, run)};
    std::vector<ge::Tensor> outputs;
    const ge::Status status = session.RunGraph(id, inputs, outputs);
    session.RemoveGraph(id);
    if (status != ge::SUCCESS || outputs.size() != 1) {
        return "the run failed";
    }
    if (!write(prefix + ".out_grad.bin", outputs[0].GetData(), outputs[0].GetSize())) {
        return "the result could not be written";
    }
    const bool same =
        outputs[0].GetSize() == tensors.out_grad.size() &&
        std::memcmp(outputs[0].GetData(), tensors.out_grad.data(), tensors.out_grad.size()) == 0;
    return same ? "ok" : "differs from the CPU kernel";
}

struct Arguments {
    std::string folder;
    std::string device = "0";
    bool run = true;
};

bool read(int argc, char** argv, Arguments* arguments) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--no-run") {
            arguments->run = false;
        } else if (word == "--device" && i + 1 < argc) {
            arguments->device = argv[++i];
        } else if (arguments->folder.empty() && word[0] != '-') {
            arguments->folder = word;
        } else {
            return false;
        }
    }
    return !arguments->folder.empty();
}

int run_all(const Arguments& arguments, ge::Session* session) {
    int failures = 0;
    uint32_t id = 0;
    for (const Case& run : kCases) {
        const Tensors tensors = make_tensors(run.dtype);
        const std::string prefix = arguments.folder + "/" + run.name;
        const ge::Graph graph = make_graph(run, tensors.output_shape);
        const std::string air = prefix + ".air";
        std::remove(air.c_str()); // GE makes it read-only
        std::string outcome = "saved";
        if (!write_tensors(prefix, tensors) || graph.SaveToFile(air.c_str()) != ge::GRAPH_SUCCESS) {
            outcome = "the files could not be written";
        } else if (session != nullptr) {
            outcome = run_case(*session, id++, run, graph, tensors, prefix);
        }
        failures += outcome == "ok" || outcome == "saved" ? 0 : 1;
        std::printf("%-16s %s\n", run.name, outcome.c_str());
    }
    return failures;
}

} // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    if (!read(argc, argv, &arguments)) {
        std::fprintf(stderr, "usage: test_geir_max_pool_v3_grad FOLDER [--device N] [--no-run]\n");
        return 2;
    }
    if (!arguments.run) {
        return run_all(arguments, nullptr) == 0 ? 0 : 1;
    }
    // float32 stays float32: nothing may round the tensors on the way.
    const Options options = {{"ge.exec.deviceId", arguments.device.c_str()},
                             {"ge.exec.precision_mode", "must_keep_origin_dtype"}};
    if (ge::GEInitialize(options) != ge::SUCCESS) {
        std::fprintf(stderr, "GE could not start on device %s; see docs/npu.md\n", arguments.device.c_str());
        return 1;
    }
    int failures = 0;
    {
        ge::Session session((Options()));
        failures = run_all(arguments, &session);
    }
    ge::GEFinalize();
    return failures == 0 ? 0 : 1;
}
