// A core's unified buffer: its bytes, which of their bits are defined, and who touched each block of 32 B
// last.
#pragma once

#include <twin/instruction.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace twin {

struct Core;
struct Instruction;

class Ub {
public:
    explicit Ub(uint32_t bytes);
    ~Ub();
    Ub(const Ub&) = delete;
    Ub& operator=(const Ub&) = delete;

    // Gives the memory back before the core itself goes: only what it did is looked at after the block has
    // ended.
    void release();

    uint32_t size() const { return size_; }
    uint8_t* data() { return storage_->data.data(); }
    uint8_t* shadow() { return storage_->shadow.data(); } // a bit a bit; 1: undefined

    // Blocks [address, end) belong to buffer `index`.
    void set_owner(uint32_t address, uint32_t end, int index);
    int owner(uint32_t address) const {
        return address < size_ ? storage_->blocks[address / kBlockBytes].owner : -1;
    }
    // Whether buffer `index` may be touched: its queue does not hold it.
    void set_held(int index, bool held) { held_[static_cast<size_t>(index) + 1] = held; }
    void poison(uint32_t address, uint32_t end);

    // Checks before the access: [low, high) are the first and past-the-last byte that it touches. False where
    // it must not happen because it leaves the unified buffer. `what` names the operand.
    bool admit(Core& core, const Instruction& instruction, const UbSpan& place, int64_t low, int64_t high,
               const char* what);
    bool aligned(Core& core, const Instruction& instruction, const UbSpan& place, const char* what);

    // One block of 32 B is about to be read or written: order among pipes, and the queue's state. Defined in
    // core.h: every block of every operand comes through here.
    void read(Core& core, const Instruction& instruction, uint32_t address);
    void write(Core& core, const Instruction& instruction, uint32_t address);
    // The same for all blocks of [low, high).
    void read_range(Core& core, const Instruction& instruction, uint32_t low, uint32_t high);
    void write_range(Core& core, const Instruction& instruction, uint32_t low, uint32_t high);

    // The instruction that wrote the block last.
    uint32_t last_writer(uint32_t address) const { return storage_->blocks[address / kBlockBytes].written; }

    static constexpr size_t kMaxOwners = 64;

private:
    struct Block {
        uint32_t written = 0; // instruction
        uint32_t read[kPipes] = {};
        Pipe writer = Pipe::kS;
        int16_t owner = -1; // index of the buffer
    };
    // Kept for later cores: fresh memory costs more than a whole small kernel.
    struct Storage {
        std::vector<uint8_t> data, shadow;
        std::vector<Block> blocks;
    };
    struct Shelf;
    static Shelf& shelf();

    void held(Core& core, const Instruction& instruction, const Block& block, uint32_t address);
    void hazard(Core& core, const Instruction& instruction, bool writes, Pipe earlier, uint32_t id,
                bool earlier_writes, uint32_t address);

    uint32_t size_;
    std::unique_ptr<Storage> storage_;
    std::array<bool, kMaxOwners + 1> held_{}; // by owner + 1
};

// Whether any bit of [shadow, shadow + bytes) is undefined.
bool any_undefined(const uint8_t* shadow, size_t bytes);

} // namespace twin
