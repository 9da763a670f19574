// The functions of twin/simt.h that kernels call by name.
#include "memory.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

namespace twin::simt {

namespace {

// The threads that are under way keep their stacks, so only a few cores run SIMT code at once. A seat comes
// with the stacks of those that had it before.
class Seats {
public:
    Seats() : free_(std::max(2u, std::thread::hardware_concurrency())) {}

    Fibers take() {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return !free_.empty(); });
        Fibers fibers = std::move(free_.back());
        free_.pop_back();
        return fibers;
    }
    void give_back(Fibers fibers) {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            free_.push_back(std::move(fibers));
        }
        changed_.notify_one();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Fibers> free_;
};

Seats& seats() {
    static Seats all;
    return all;
}

// Whether the access goes on; `place` says where.
bool admitted(Memory* memory, const Access& access, Memory::Place& place) {
    if (memory == nullptr) {
        this_core().fault(
            FaultKind::kUnsupportedMode, access.op, access.site,
            "is for functions that asc_vf_call starts; the scalar unit has no such instruction");
        return false;
    }
    place = memory->admit(access);
    if (place.kind == Memory::Place::Kind::kHost) {
        memory->fault(FaultKind::kHostAddress, access,
                      [] { return "uses an address that lies in no tensor and no buffer of the launch"; });
    }
    return place.kind == Memory::Place::Kind::kGlobal || place.kind == Memory::Place::Kind::kUnifiedBuffer;
}

template <class T>
T updated(const Atomic& what, T before) {
    T operand, expected;
    std::memcpy(&operand, &what.operand.bits, sizeof(T));
    std::memcpy(&expected, &what.expected.bits, sizeof(T));
    switch (what.op) {
    case AtomicOp::kAdd: return static_cast<T>(before + operand);
    case AtomicOp::kMax: return std::max(before, operand);
    case AtomicOp::kMin: return std::min(before, operand);
    case AtomicOp::kExchange: return operand;
    case AtomicOp::kCompareExchange: return before == expected ? operand : before;
    }
    return before;
}

template <class T>
uint64_t update(const Atomic& what, uint8_t* data) {
    T before;
    std::memcpy(&before, data, sizeof(T));
    const T after = updated(what, before);
    std::memcpy(data, &after, sizeof(T));
    return scalar_bits(before).bits;
}

uint64_t update_number(const Atomic& what, uint8_t* data) {
    switch (what.type) {
    case DType::kFloat: return update<float>(what, data);
    case DType::kInt32: return update<int32_t>(what, data);
    case DType::kUint32: return update<uint32_t>(what, data);
    case DType::kInt64: return update<int64_t>(what, data);
    default: return update<uint64_t>(what, data);
    }
}

} // namespace

void launch(Dimensions dimensions, void (*body)(void*), void* argument, Site site) {
    Core& core = this_core();
    const Instruction call = core.issue(Op::kVectorFunction, Pipe::kV, site);
    if (dimensions.threads() < 1 || dimensions.threads() > kMaxThreads) {
        core.fault(FaultKind::kThreadCount, call,
                   std::to_string(dimensions.threads()) + " threads; a block has 1 to " +
                       std::to_string(kMaxThreads));
        return;
    }
    ++core.counters.simt.calls;
    core.counters.simt.threads += dimensions.threads();
    Block block(core, call, dimensions, seats().take());
    memory().open(core, block);
    block.run(body, argument);
    memory().close();
    seats().give_back(block.take_fibers());
}

void check_argument(const void* address, int number, Site site) {
    Core& core = this_core();
    const auto place = reinterpret_cast<uintptr_t>(address);
    const auto buffer = reinterpret_cast<uintptr_t>(core.ub.data());
    const bool in_buffer = place >= buffer && place < buffer + core.ub.size();
    if (address != nullptr && !in_buffer && core.gm.place_of(address).region < 0) {
        core.fault(
            FaultKind::kHostAddress, Op::kVectorFunction, site,
            "argument " + std::to_string(number) +
                " is the address of a variable of the scalar unit; threads reach global memory and the "
                "unified buffer only");
    }
}

void load(void* value, const void* address, uint32_t bytes, Path path, Site site) {
    Memory* all = g_present.memory;
    const Access access{address, bytes, Use::kRead, path, Op::kThreadLoad, site};
    Memory::Place place;
    if (!admitted(all, access, place)) {
        std::memset(value, 0, bytes);
        return;
    }
    all->load(value, access, place);
    all->block()->count_load();
}

void store(void* address, const void* value, uint32_t bytes, Path path, Site site) {
    Memory* all = g_present.memory;
    const Access access{address, bytes, Use::kWrite, path, Op::kThreadStore, site};
    Memory::Place place;
    if (admitted(all, access, place)) {
        all->store(value, access, place);
        all->block()->end_turn();
    }
}

uint64_t atomic(void* address, const Atomic& what, Site site) {
    Memory* all = g_present.memory;
    const Access access{address, bytes_of(what.type), Use::kAtomic, Path::kPast, Op::kThreadAtomic, site};
    Memory::Place place;
    if (!admitted(all, access, place)) {
        return 0;
    }
    if (what.type == DType::kFloat && what.op == AtomicOp::kAdd) {
        all->fault(FaultKind::kAtomicOrder, access, [] {
            return "adds floats by atomics: the order of the sum, and with it the result, changes from run "
                   "to "
                   "run";
        });
    }
    all->note_load(access, place);
    all->note_store(access, place);
    uint64_t before = 0;
    {
        const std::lock_guard<std::mutex> one_at_a_time(this_core().gm.atomic);
        before = update_number(what, place.data);
    }
    all->block()->end_turn();
    return before;
}

void sync_threads(Site site) {
    if (Memory* all = g_present.memory) {
        ++this_core().instructions[static_cast<int>(Op::kSyncThreads)].instructions;
        all->block()->barrier(site);
    }
}

void invalidate(const void* address, bool entire, Site) {
    if (Memory* all = g_present.memory) {
        all->invalidate(address, entire);
    }
}

} // namespace twin::simt
