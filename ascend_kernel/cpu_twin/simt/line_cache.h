// A core's data cache for SIMT code: lines of 128 B of global memory, the least recently used one given up
// first. Stores go through to global memory at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace twin::simt {

constexpr int64_t kLineBytes = 128;

struct LineKey {
    int32_t region;
    int64_t line;
};

class LineCache {
public:
    struct Line {
        std::array<uint8_t, kLineBytes> bytes{}; // as global memory was when it was loaded
        uint64_t key = 0;
        uint32_t newer = 0, older = 0; // neighbours in the order of use
    };

    // Fewer or more lines from now on. What is cached is given up where the size changes.
    void resize(uint32_t lines);
    // The line, moved to the front; null where it is not cached.
    Line* find(LineKey key);
    // A line for `key` in place of the oldest one, its bytes to be filled.
    Line& add(LineKey key);
    void drop(LineKey key);
    void drop_all();

private:
    static uint64_t number(LineKey key) {
        return static_cast<uint64_t>(key.region) << 40 | static_cast<uint64_t>(key.line);
    }
    void unlink(uint32_t at);
    void push_front(uint32_t at);

    // lines_[0] is the list's two ends: its `older` is the newest line, its `newer` the oldest one.
    std::vector<Line> lines_;
    std::vector<uint32_t> free_;
    std::unordered_map<uint64_t, uint32_t> places_;
};

} // namespace twin::simt
