// What a core's pipes know of each other. Instructions are numbered as the scalar unit issues them; a pipe
// may rely on an instruction of another pipe (or of its own) only when a flag or a barrier says that it is
// done.
#pragma once

#include <twin/instruction.h>
#include <twin/op.h>

#include <array>
#include <cstdint>

namespace twin {

class Order {
public:
    Order(bool vector_is_ordered, bool automatic_sync)
        : vector_is_ordered_(vector_is_ordered), automatic_sync_(automatic_sync) {}

    uint32_t issue(Pipe pipe, Op op, Site site);

    // Whether instruction `id` of `earlier` is done before what `pipe` executes now.
    bool ordered(Pipe pipe, Pipe earlier, uint32_t id) {
        return known_[index(pipe)][index(earlier)] >= id || ordered_by_others(pipe, earlier, id);
    }
    // Whether both transfer pipes know that it is done: no transfer can run into it any more.
    bool settled(Pipe earlier, uint32_t id) const;

    struct Snapshot {
        std::array<uint32_t, kPipes> done{};
    };
    Snapshot flag_set(Pipe from) const;
    void flag_waited(Pipe to, const Snapshot& snapshot);
    void barrier(Pipe pipe);
    void barrier_all();

    // An instruction that was issued a while ago, for messages; line 0 where it is too long ago.
    struct Issued {
        uint32_t id = 0;
        Op op = Op::kCount;
        int line = 0;
    };
    Issued issued(uint32_t id) const;

private:
    static size_t index(Pipe pipe) { return static_cast<size_t>(pipe); }
    // By the hardware or the compiler, without a flag or barrier of the kernel's.
    bool ordered_by_others(Pipe pipe, Pipe earlier, uint32_t id);
    static constexpr uint32_t kRemembered = 4096;

    bool vector_is_ordered_; // arch 3510: the hardware keeps V behind V
    bool automatic_sync_;    // the compiler puts flags between S and others, and barriers between V and V
    uint32_t next_ = 0;
    std::array<uint32_t, kPipes> last_{};
    std::array<std::array<uint32_t, kPipes>, kPipes> known_{}; // [pipe][other]: done up to this number
    std::array<Issued, kRemembered> ring_{};
};

} // namespace twin
