// How the contract's sentences show values, and how they begin.
#pragma once

#include "names.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace maxpoolgrad {

namespace detail {

inline std::string text(int64_t value) {
    return std::to_string(value);
}
inline std::string text(const std::string& value) {
    return "'" + value + "'";
}

inline std::string text(const std::vector<int64_t>& values) {
    std::string out;
    for (const int64_t value : values) {
        out += (out.empty() ? "" : ", ") + text(value);
    }
    return "[" + out + "]";
}

// "'a', 'b' and 'c'"
template <size_t N>
std::string choices(const std::array<const char*, N>& values) {
    std::string out;
    for (size_t i = 0; i < N; ++i) {
        out += (i == 0 ? "" : i + 1 == N ? " and " : ", ") + text(std::string(values[i]));
    }
    return out;
}

inline std::string is(const std::string& subject, const std::string& what, const std::string& value) {
    return subject + ": " + what + " is " + value + "; ";
}

// The first sentence that is not empty.
inline std::string first_of(std::initializer_list<std::string> sentences) {
    for (const std::string& sentence : sentences) {
        if (!sentence.empty()) {
            return sentence;
        }
    }
    return "";
}

} // namespace detail

inline std::string node_subject(const std::string& node) {
    return node.empty() ? std::string("an unnamed ") + kOpType + " node"
                        : std::string(kOpType) + " node " + detail::text(node);
}

} // namespace maxpoolgrad
