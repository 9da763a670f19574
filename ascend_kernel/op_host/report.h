// How op_host and the ATC plugin say what they refuse: on stderr, and through CANN's error manager, which
// brings it into atc's frame and into aclGetRecentErrMsg.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace error_message {
// CANN's own. It takes no C++ types, so one build serves both C++ ABIs. Older releases have no such function:
// then the address is null.
__attribute__((weak)) int32_t ReportUserDefinedErrMsg(const char* error_code, const char* format, ...);
} // namespace error_message

namespace maxpoolgrad::cann {

// Of the range EU0000 to EU9999 that CANN leaves to its users.
inline constexpr const char* kErrorCode = "EU1001";

// `text` without characters that would steer a terminal: names in models may hold any.
inline std::string printable(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        char escaped[5];
        std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(byte));
        out += byte < 0x20 || byte == 0x7f ? escaped : std::string(1, c);
    }
    return out;
}

inline void report(const std::string& sentence) {
    const std::string line = printable(sentence);
    std::fprintf(stderr, "[%s] %s\n", kErrorCode, line.c_str());
    if (error_message::ReportUserDefinedErrMsg != nullptr) {
        error_message::ReportUserDefinedErrMsg(kErrorCode, "%s", line.c_str());
    }
}

} // namespace maxpoolgrad::cann
