// What only a front end can see, a node's form: attributes of a wrong type, missing or unknown; ports.
#pragma once

#include "words.h"

#include <cstdint>
#include <string>

namespace maxpoolgrad {

inline const char* kind_name(AttributeKind kind) {
    switch (kind) {
    case AttributeKind::kInts: return "a list of ints";
    case AttributeKind::kString: return "a string";
    case AttributeKind::kBool: return "an int, 0 or 1";
    }
    return "";
}

inline std::string wrong_attribute_type(const std::string& subject, const AttributeSpec& spec,
                                        const std::string& found) {
    return detail::is(subject, spec.name, found) + "it must be " + kind_name(spec.kind);
}

inline std::string missing_attribute(const std::string& subject, const AttributeSpec& spec) {
    return subject + ": attribute " + spec.name + " is missing; it is required, " + kind_name(spec.kind);
}

inline std::string unknown_attribute(const std::string& subject, const std::string& name) {
    std::string known;
    for (const AttributeSpec& spec : kAttributes) {
        known += (known.empty() ? "" : ", ") + std::string(spec.name);
    }
    return subject + ": attribute " + detail::text(name) + " is unknown; allowed are " + known;
}

inline std::string wrong_input_count(const std::string& subject, int64_t found) {
    return subject + ": the number of inputs is " + detail::text(found) +
           "; it must be 3: " + kInputNames[0] + ", " + kInputNames[1] + ", " + kInputNames[2];
}

inline std::string missing_input(const std::string& subject, const char* input) {
    return subject + ": input " + input + " is missing (an empty name); all three inputs are required";
}

inline std::string wrong_output_count(const std::string& subject, int64_t found) {
    return subject + ": the number of outputs is " + detail::text(found) + "; it must be 1: " + kOutputName;
}

} // namespace maxpoolgrad
