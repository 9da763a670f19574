#include "fault_log.h"

#include <cstdio>

namespace twin {

bool FaultLog::counted_again(FaultKind kind, Site site) {
    for (Fault& fault : faults_) {
        if (fault.kind == kind && fault.line == site.line && fault.file == site.file) {
            ++fault.count;
            return true;
        }
    }
    return false;
}

void FaultLog::add(FaultKind kind, int core, Site site, std::string sentence) {
    faults_.push_back({kind, core, std::move(sentence), site.file, site.line, 1});
}

std::string hex(uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::string range(int64_t begin, int64_t end) {
    const auto signed_hex = [](int64_t v) {
        return v < 0 ? "-" + hex(static_cast<uint64_t>(-v)) : hex(static_cast<uint64_t>(v));
    };
    return "[" + signed_hex(begin) + ", " + signed_hex(end) + ")";
}

} // namespace twin
