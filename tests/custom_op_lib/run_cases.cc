// Calls read from the standard input, on every target; their results on the standard output.
//
// A call: dtype, padding mode and data format by their numbers; ceil_mode; ksize, strides, pads; the shapes
// of orig_input and orig_output; the elements of orig_input, orig_output and grad by their bits. The answer:
// a line for each target, its name and the bits of out_grad.
#include <maxpoolgrad/attributes.h>
#include <maxpoolgrad/kernel.h>

#include <iostream>

using namespace maxpoolgrad;

int run_cases();

namespace {

std::vector<int64_t> read_four() {
    std::vector<int64_t> values(4);
    for (int64_t& value : values) {
        std::cin >> value;
    }
    return values;
}

template <class T>
std::vector<T> read_elements(const Shape& shape) {
    std::vector<T> bits;
    for (int64_t left = shape[0] * shape[1] * shape[2] * shape[3]; left > 0; --left) {
        uint64_t value = 0;
        std::cin >> value;
        bits.push_back(static_cast<T>(value));
    }
    return bits;
}

template <class T>
void run_case(const Attributes& attributes, Dtype dtype) {
    const Shape large = read_four(), small = read_four();
    const std::vector<T> x = read_elements<T>(large);
    const std::vector<T> y = read_elements<T>(small), grad = read_elements<T>(small);
    const Pooling pooling = make_pooling(attributes, large, small);
    for (const Target target : cpu_targets()) {
        std::vector<T> out_grad(x.size(), T{7});
        max_pool_v3_grad(pooling, dtype, x.data(), y.data(), grad.data(), out_grad.data(), process_workers(2),
                         target);
        std::cout << kTargets[static_cast<size_t>(target)];
        for (const T value : out_grad) {
            std::cout << ' ' << value;
        }
        std::cout << '\n';
    }
}

} // namespace

int run_cases() {
    size_t dtype = 0, mode = 0, format = 0;
    while (std::cin >> dtype >> mode >> format) {
        Attributes attributes;
        attributes.padding_mode = kPaddingModes.at(mode);
        attributes.data_format = kDataFormats.at(format);
        std::cin >> attributes.ceil_mode;
        attributes.ksize = read_four();
        attributes.strides = read_four();
        attributes.pads = read_four();
        if (static_cast<Dtype>(dtype) == Dtype::kFloat16) {
            run_case<uint16_t>(attributes, Dtype::kFloat16);
        } else {
            run_case<uint32_t>(attributes, Dtype::kFloat32);
        }
    }
    return 0;
}
