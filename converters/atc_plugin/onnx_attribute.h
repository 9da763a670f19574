// A node's attributes as ONNX knows them, read from the text that the parser makes of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace maxpoolgrad::atc {

// AttributeProto's own numbers.
enum class AttributeType {
    kFloat = 1,
    kInt = 2,
    kString = 3,
    kTensor = 4,
    kGraph = 5,
    kFloats = 6,
    kInts = 7,
    kStrings = 8
};

struct OnnxAttribute {
    std::string name;
    int type = 0;                   // of AttributeType, or another of ONNX's
    std::string reference;          // the name of the function's attribute that stands for this one, or empty
    int64_t number = 0;             // of kInt
    std::string text;               // of kString: its bytes; of kFloat: its digits
    std::vector<int64_t> ints;      // of kInts
    std::vector<std::string> items; // of kFloats: digits; of kStrings: bytes

    bool is(AttributeType wanted) const { return type == static_cast<int>(wanted); }

    // The value in a sentence, about as Python shows it: 3, [1, 2], 2.5, 'text', a TensorProto.
    std::string shown() const;
};

// The parser writes {"attribute": [{...}, ...]}, and leaves out what has the field's default: of an int 0, an
// empty string or list, only name and type are there. Bytes are C-escaped, a float stands in quotes. Nothing
// where the text has another form.
std::optional<std::vector<OnnxAttribute>> read_attributes(const std::string& json);

} // namespace maxpoolgrad::atc
