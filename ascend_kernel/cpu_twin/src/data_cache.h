// The scalar unit's cache of global memory: lines of 64 B, written back when they are cleaned. A line is
// written back whole, so two cores that store into one line lose each other's bytes.
#pragma once

#include <twin/engine.h>

#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace twin {

struct Core;
struct Instruction;
struct Pieces;

class DataCache {
public:
    static constexpr int64_t kLineBytes = 64;

    uint64_t load(Core& core, const Instruction& instruction, GmSpan place, uint32_t bytes);
    void store(Core& core, const Instruction& instruction, GmSpan place, uint32_t bytes, uint64_t bits);
    void clean(Core& core, const Instruction& instruction, GmSpan place);
    void clean_all(Core& core, const Instruction& instruction);
    // A transfer that touches a line with stores in it, which global memory does not have yet.
    void check_transfer(Core& core, const Instruction& instruction, const Pieces& pieces);
    // What is not clean when the kernel ends is a fault, and gets lost or not as the line is thrown out.
    void finish(Core& core);

private:
    struct Line {
        std::array<uint8_t, kLineBytes> bytes{};
        std::array<uint8_t, kLineBytes> shadow{};
        std::array<uint8_t, kLineBytes> seen{}; // what global memory held when the line was loaded
        uint64_t stored = 0;                    // a bit a byte
        Site site;                              // of the last store
    };
    using Key = std::pair<int32_t, int64_t>; // region, line

    Line& fetch(Core& core, const Key& key);
    void write_back(Core& core, const Instruction& instruction, const Key& key, Line& line);

    std::map<Key, Line> lines_;
};

} // namespace twin
