// TransDataTo5HD and Transpose: sixteen blocks of 32 B in, sixteen out, rows and columns exchanged.
#include "core.h"

#include <cstring>

namespace twin {

namespace {

struct Block {
    uint8_t value[kBlockBytes];
    uint8_t shadow[kBlockBytes];
};

// 16 bits: out[j][i] = in[i][j]. 32 bits: lane j of in[8 h + i] goes to lane i of out[2 j + h]. 8 bits: lane
// j of the chosen half of in[i] goes to lane i of the chosen half of out[j]. `part` says which bytes: values
// or shadows.
template <class Lane, class Part>
void exchange(const Block (&in)[16], Block (&out)[16], bool to_high, bool from_high, Part part) {
    const auto move = [&](Block& to, uint32_t to_lane, const Block& from, uint32_t from_lane) {
        std::memcpy(part(to) + to_lane * sizeof(Lane), part(from) + from_lane * sizeof(Lane), sizeof(Lane));
    };
    const uint32_t to_lane = sizeof(Lane) == 1 && to_high ? 16 : 0;
    const uint32_t from_lane = sizeof(Lane) == 1 && from_high ? 16 : 0;
    for (uint32_t i = 0; i < 16; ++i) {
        for (uint32_t j = 0; j < (sizeof(Lane) == 4 ? 8 : 16); ++j) {
            if (sizeof(Lane) == 4) {
                move(out[2 * j + i / 8], i % 8, in[i], j);
            } else {
                move(out[j], to_lane + i, in[i], from_lane + j);
            }
        }
    }
}

template <class Lane>
void exchange(const Block (&in)[16], Block (&out)[16], bool to_high, bool from_high) {
    exchange<Lane>(in, out, to_high, from_high, [](auto& block) { return block.value; });
    exchange<Lane>(in, out, to_high, from_high, [](auto& block) { return block.shadow; });
}

void exchange(uint32_t size, const Block (&in)[16], Block (&out)[16], bool to_high, bool from_high) {
    if (size == 1) {
        exchange<uint8_t>(in, out, to_high, from_high);
    } else if (size == 2) {
        exchange<uint16_t>(in, out, to_high, from_high);
    } else {
        exchange<uint32_t>(in, out, to_high, from_high);
    }
}

struct Repeat {
    uint32_t to[16], from[16]; // addresses
};

bool admit(Core& core, const Instruction& instruction, const UbSpan (&places)[16], int64_t shift,
           const char* what) {
    for (const UbSpan& place : places) {
        if (!core.ub.aligned(core, instruction, place, what) ||
            !core.ub.admit(core, instruction, place, place.address + shift,
                           place.address + shift + kBlockBytes, what)) {
            return false;
        }
    }
    return true;
}

void check_overlap(Core& core, const Instruction& instruction, const Repeat& repeat) {
    for (uint32_t i = 0; i < 16; ++i) {
        for (uint32_t j = 0; j < 16; ++j) {
            if (i != j && repeat.to[i] == repeat.to[j]) {
                core.fault(FaultKind::kOperandOverlap, instruction,
                           "destinations " + std::to_string(i) + " and " + std::to_string(j) +
                               " are one block, at " + hex(repeat.to[i]) + "; all sixteen must be apart");
                return;
            }
            if (repeat.to[i] == repeat.from[j] && repeat.to[i] != repeat.from[i]) {
                core.fault(FaultKind::kOperandOverlap, instruction,
                           "destination " + std::to_string(i) + " lies on source " + std::to_string(j) +
                               ", at " + hex(repeat.to[i]) + "; they overlap wholly or not at all");
                return;
            }
        }
    }
}

void run(Core& core, const Instruction& instruction, uint32_t size, const Repeat& repeat, bool to_high,
         bool from_high) {
    Block in[16], out[16];
    for (uint32_t i = 0; i < 16; ++i) {
        if (core.ub.last_writer(repeat.from[i]) == instruction.id) {
            core.fault(
                FaultKind::kOperandOverlap, instruction,
                "reads the block at " + hex(repeat.from[i]) +
                    " that an earlier repeat of the same instruction writes; repeats run into each other");
        }
        core.ub.read(core, instruction, repeat.from[i]);
        std::memcpy(in[i].value, core.ub.data() + repeat.from[i], kBlockBytes);
        std::memcpy(in[i].shadow, core.ub.shadow() + repeat.from[i], kBlockBytes);
        std::memcpy(out[i].value, core.ub.data() + repeat.to[i], kBlockBytes);
        std::memcpy(out[i].shadow, core.ub.shadow() + repeat.to[i], kBlockBytes);
    }
    exchange(size, in, out, to_high, from_high);
    for (uint32_t i = 0; i < 16; ++i) {
        core.ub.write(core, instruction, repeat.to[i]);
        std::memcpy(core.ub.data() + repeat.to[i], out[i].value, kBlockBytes);
        std::memcpy(core.ub.shadow() + repeat.to[i], out[i].shadow, kBlockBytes);
    }
}

void count(Core& core, Op op, uint64_t repeats) {
    core.counters.vector_repeats += repeats;
    ++core.counters.vector_instructions;
    core.instructions[static_cast<int>(op)].repeats += repeats;
}

} // namespace

void trans_data_to_5hd(DType type, const UbSpan (&destinations)[16], const UbSpan (&sources)[16],
                       Field8 repeats, Field16 destination_stride, Field16 source_stride, bool to_high,
                       bool from_high, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(Op::kTransDataTo5HD, Pipe::kV, site);
    const uint32_t size = bytes_of(type);
    count(core, Op::kTransDataTo5HD, 2 * repeats.value);
    if (size > 4 || type == DType::kBfloat16) {
        core.fault(FaultKind::kUnsupportedType, instruction,
                   std::string("transposes ") + name_of(type) +
                       "; it has half, float and integers of 8, 16 and 32 bits");
        return;
    }
    if (repeats.wrapped || repeats.value == 0) {
        core.fault(FaultKind::kRepeatWrapped, instruction,
                   "the repeat count is or becomes " + std::to_string(repeats.value) +
                       "; it must lie in [1, 255]");
    }
    if (destination_stride.wrapped || source_stride.wrapped) {
        core.fault(FaultKind::kStrideWrapped, instruction, "a repeat stride does not fit its 16 bits");
    }
    // With one repeat, the strides move its beginning; with more, every repeat but the first.
    const uint32_t first = repeats.value == 1 ? 1 : 0;
    for (uint32_t r = first; r < first + repeats.value; ++r) {
        const int64_t to_shift = int64_t{r} * destination_stride.value * kBlockBytes;
        const int64_t from_shift = int64_t{r} * source_stride.value * kBlockBytes;
        if (!admit(core, instruction, destinations, to_shift, "a destination") ||
            !admit(core, instruction, sources, from_shift, "a source")) {
            return;
        }
        Repeat repeat;
        for (uint32_t i = 0; i < 16; ++i) {
            repeat.to[i] = static_cast<uint32_t>(destinations[i].address + to_shift);
            repeat.from[i] = static_cast<uint32_t>(sources[i].address + from_shift);
        }
        if (r == first) {
            check_overlap(core, instruction, repeat);
        }
        run(core, instruction, size, repeat, to_high, from_high);
    }
}

void transpose_16(DType type, UbSpan destination, UbSpan source, Site site) {
    Core& core = this_core();
    const Instruction instruction = core.issue(Op::kTranspose, Pipe::kV, site);
    count(core, Op::kTranspose, 2);
    if (bytes_of(type) != 2 || type == DType::kBfloat16) {
        core.fault(FaultKind::kUnsupportedType, instruction,
                   std::string("transposes ") + name_of(type) + "; it has half, int16_t and uint16_t");
        return;
    }
    UbSpan to[16], from[16];
    Repeat repeat;
    for (uint32_t i = 0; i < 16; ++i) {
        to[i] = destination;
        from[i] = source;
        repeat.to[i] = to[i].address += i * kBlockBytes;
        repeat.from[i] = from[i].address += i * kBlockBytes;
    }
    if (admit(core, instruction, to, 0, "the destination") &&
        admit(core, instruction, from, 0, "the source")) {
        check_overlap(core, instruction, repeat);
        run(core, instruction, 2, repeat, false, false);
    }
}

} // namespace twin
