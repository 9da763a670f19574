// A JSON reader, for the one string in which the ONNX parser hands a node's attributes to a plugin.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace maxpoolgrad::atc {

// A value. Numbers stay text, so that no digit of an int64 is lost.
struct Json {
    enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };

    Kind kind = Kind::kNull;
    std::string text;              // of a bool, a number, or a string with its escapes resolved (UTF-8)
    std::vector<Json> items;       // of an array; of an object, one a key
    std::vector<std::string> keys; // of an object

    // The value of a key; null where there is none.
    const Json* find(const std::string& key) const;
};

// Nothing where `text` is not JSON, or nests deeper than any attribute.
std::optional<Json> parse_json(const std::string& text);

} // namespace maxpoolgrad::atc
