// Runs every kernel and prints what came of it as JSON, one object a run.
#include "harness.h"

#include <cstdio>
#include <cstring>

std::vector<Trial>& trials() {
    static std::vector<Trial> all;
    return all;
}

bool add_trial(const char* file, Trial trial) {
    const std::string path = file;
    const size_t slash = path.find_last_of('/');
    trial.name = path.substr(slash + 1, path.find_last_of('.') - slash - 1);
    trials().push_back(trial);
    return true;
}

namespace {

// Halves with every kind of value among them; read as anything else they are bits like others.
std::vector<uint8_t> input() {
    std::vector<uint8_t> bytes(kBytes);
    uint32_t state = 12345;
    for (uint32_t i = 0; i < kHalves; ++i) {
        state = state * 1664525u + 1013904223u;
        half value = static_cast<float>(static_cast<int>(state >> 20) % 37 - 18) / 4.0f;
        constexpr uint16_t special[] = {0x7c00, 0xfc00, 0x7e00, 0x8000, 0x0000, 0x0001, 0x7bff, 0x3c00};
        if (i % 16 == 7) {
            value.bits = special[i / 16 % 8];
        }
        std::memcpy(bytes.data() + 2 * i, &value.bits, 2);
    }
    return bytes;
}

void print_hex(const char* name, const std::vector<uint8_t>& bytes) {
    std::printf("\"%s\": \"", name);
    for (const uint8_t byte : bytes) {
        std::printf("%02x", byte);
    }
    std::printf("\"");
}

void print_traffic(const char* name, const twin::Traffic& traffic) {
    std::printf(
        "\"%s\": {\"bytes\": %llu, \"bursts\": %llu, \"unaligned_bursts\": %llu, \"transfers\": %llu}", name,
        static_cast<unsigned long long>(traffic.bytes), static_cast<unsigned long long>(traffic.bursts),
        static_cast<unsigned long long>(traffic.unaligned_bursts),
        static_cast<unsigned long long>(traffic.transfers));
}

void run(const Trial& trial, bool faulty, bool first) {
    std::vector<uint8_t> x = input(), y(kBytes);
    twin::Launch launch;
    launch.kernel = faulty ? trial.faulty : trial.clean;
    launch.tensors = {{"x", x.data(), kBytes, twin::Access::kRead},
                      {"y", y.data(), kBytes, twin::Access::kWrite}};
    launch.workspace_bytes = launch.soc.system_workspace_bytes + kBytes;
    launch.batch_mode = true;
    if (trial.change != nullptr) {
        trial.change(launch, faulty);
    }
    const twin::Report report = twin::run(launch);
    std::printf("%s{\"name\": \"%s\", \"variant\": \"%s\", \"seeds\": \"%s\", \"arch\": %d, \"faults\": [",
                first ? "" : ",\n", trial.name.c_str(),
                trial.faulty == nullptr ? "values"
                : faulty                ? "faulty"
                                        : "clean",
                twin::name_of(trial.kind), launch.soc.arch);
    for (size_t i = 0; i < report.faults.size(); ++i) {
        const twin::Fault& fault = report.faults[i];
        std::printf("%s{\"kind\": \"%s\", \"core\": %d, \"line\": %d, \"count\": %llu, \"sentence\": \"%s\"}",
                    i == 0 ? "" : ", ", twin::name_of(fault.kind), fault.core, fault.line,
                    static_cast<unsigned long long>(fault.count), fault.sentence.c_str());
    }
    std::printf("], ");
    print_traffic("read", report.total.read);
    std::printf(", ");
    print_traffic("written", report.total.written);
    std::printf(", \"vector_repeats\": %llu, \"scalar_ops\": %llu, ",
                static_cast<unsigned long long>(report.total.vector_repeats),
                static_cast<unsigned long long>(report.total.scalar_ops));
    print_hex("x", x);
    std::printf(", ");
    print_hex("y", y);
    std::printf("}");
}

} // namespace

int main() {
    std::printf("[");
    bool first = true;
    for (const Trial& trial : trials()) {
        run(trial, false, first);
        first = false;
        if (trial.faulty != nullptr) {
            run(trial, true, false);
        }
    }
    std::printf("]\n");
    return 0;
}
