#include "onnx_attribute.h"

#include "json.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace maxpoolgrad::atc {

namespace {

int64_t to_int64(const std::string& digits) {
    return std::strtoll(digits.c_str(), nullptr, 10);
}

std::string text_of(const Json& object, const char* key) {
    const Json* value = object.find(key);
    return value == nullptr ? std::string() : value->text;
}

bool is_octal(char c) {
    return c >= '0' && c <= '7';
}

// Undoes protobuf's CEscape: \n, \r, \t, quotes and backslash by a letter, all other bytes in three octal
// digits.
std::string c_unescaped(const std::string& text) {
    std::string out;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 1 == text.size()) {
            out += text[at];
            continue;
        }
        const char letter = text[++at];
        if (is_octal(letter) && at + 2 < text.size() && is_octal(text[at + 1]) && is_octal(text[at + 2])) {
            out += static_cast<char>((letter - '0') * 64 + (text[at + 1] - '0') * 8 + (text[at + 2] - '0'));
            at += 2;
        } else {
            out += letter == 'n' ? '\n' : letter == 'r' ? '\r' : letter == 't' ? '\t' : letter;
        }
    }
    return out;
}

std::vector<std::string> texts_of(const Json& object, const char* key) {
    std::vector<std::string> texts;
    const Json* list = object.find(key);
    for (size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
        texts.push_back(list->items[i].text);
    }
    return texts;
}

OnnxAttribute attribute_of(const Json& object) {
    OnnxAttribute attribute;
    attribute.name = text_of(object, "name");
    attribute.type = static_cast<int>(to_int64(text_of(object, "type")));
    attribute.reference = text_of(object, "ref_attr_name");
    attribute.number = to_int64(text_of(object, "i"));
    attribute.text =
        attribute.is(AttributeType::kFloat) ? text_of(object, "f") : c_unescaped(text_of(object, "s"));
    for (const std::string& digits : texts_of(object, "ints")) {
        attribute.ints.push_back(to_int64(digits));
    }
    attribute.items = texts_of(object, attribute.is(AttributeType::kFloats) ? "floats" : "strings");
    return attribute;
}

// As Python writes a float: with a point where the digits have none.
std::string float_text(const std::string& digits) {
    const std::string known = digits.empty() ? "0" : digits;
    return known.find_first_not_of("-0123456789") == std::string::npos ? known + ".0" : known;
}

template <class Values, class Text>
std::string list_text(const Values& values, const Text& text) {
    std::string out;
    for (const auto& value : values) {
        out += (out.empty() ? "" : ", ") + text(value);
    }
    return "[" + out + "]";
}

} // namespace

std::string OnnxAttribute::shown() const {
    if (!reference.empty()) {
        return "a reference to '" + reference + "'";
    }
    switch (static_cast<AttributeType>(type)) {
    case AttributeType::kFloat: return float_text(text);
    case AttributeType::kInt: return std::to_string(number);
    case AttributeType::kString: return "'" + text + "'";
    case AttributeType::kTensor: return "a TensorProto";
    case AttributeType::kGraph: return "a GraphProto";
    case AttributeType::kFloats: return list_text(items, float_text);
    case AttributeType::kInts: return list_text(ints, [](int64_t value) { return std::to_string(value); });
    case AttributeType::kStrings:
        return list_text(items, [](const std::string& s) { return "b'" + s + "'"; });
    }
    return "of ONNX's type " + std::to_string(type);
}

std::optional<std::vector<OnnxAttribute>> read_attributes(const std::string& json) {
    const std::optional<Json> document = parse_json(json);
    const Json* list = document.has_value() ? document->find("attribute") : nullptr;
    if (list == nullptr || list->kind != Json::Kind::kArray) {
        return std::nullopt;
    }
    std::vector<OnnxAttribute> attributes;
    for (const Json& object : list->items) {
        attributes.push_back(attribute_of(object));
    }
    return attributes;
}

} // namespace maxpoolgrad::atc
