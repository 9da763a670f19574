#include "core.h"
#include "meeting.h"
#include "races.h"

#include <twin/run.h>

#include <algorithm>
#include <memory>
#include <thread>

namespace twin {

void Counters::add(const Counters& other) {
    const auto add_traffic = [](Traffic& to, const Traffic& from) {
        to.bytes += from.bytes;
        to.bursts += from.bursts;
        to.unaligned_bursts += from.unaligned_bursts;
        to.transfers += from.transfers;
        for (size_t i = 0; i < to.burst_sizes.size(); ++i) {
            to.burst_sizes[i] += from.burst_sizes[i];
        }
    };
    add_traffic(read, other.read);
    add_traffic(written, other.written);
    simt.calls += other.simt.calls;
    simt.threads += other.simt.threads;
    simt.loads += other.simt.loads;
    simt.load_bytes += other.simt.load_bytes;
    simt.stores += other.simt.stores;
    simt.store_bytes += other.simt.store_bytes;
    simt.cache_hits += other.simt.cache_hits;
    simt.cache_misses += other.simt.cache_misses;
    vector_instructions += other.vector_instructions;
    vector_repeats += other.vector_repeats;
    scalar_ops += other.scalar_ops;
    sync_alls += other.sync_alls;
    for (const auto& [name, count] : other.instructions) {
        instructions[name].instructions += count.instructions;
        instructions[name].repeats += count.repeats;
    }
}

bool Report::has(FaultKind kind) const {
    return std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) { return fault.kind == kind; });
}

namespace {

// What must be in order when the kernel function has returned.
void finish(Core& core) {
    core.cache.finish(core);
    for (size_t event = 0; event < core.buffers.events.size(); ++event) {
        for (int id = 0; id < kEventIds; ++id) {
            const Flag& flag = core.buffers.events[event].flags[static_cast<size_t>(id)];
            if (flag.set) {
                core.fault(
                    FaultKind::kFlagNeverWaited, Op::kSetFlag, flag.site,
                    "flag " + std::to_string(id) +
                        " is still set when the kernel ends; the next kernel on this core finds it so, and "
                        "every SetFlag needs its WaitFlag");
            }
        }
    }
    if (core.transfer.atomic != 0) {
        core.fault(
            FaultKind::kAtomicLeftOn, Op::kEnd, core.transfer.atomic_site,
            "the atomic mode is still on; SetAtomicNone must come after the last transfer that needs it");
    }
    if (core.vector.counter) {
        core.fault(FaultKind::kMaskMode, Op::kEnd, {},
                   "the mask register still counts elements; SetMaskNorm must come after SetMaskCount");
    }
    for (int op = 0; op < static_cast<int>(Op::kCount); ++op) {
        if (core.instructions[op].instructions > 0) {
            core.counters.instructions[name_of(static_cast<Op>(op))] = core.instructions[op];
        }
    }
}

void run_block(Core& core, const KernelArguments& arguments) {
    set_this_core(&core);
    core.launch.kernel(arguments);
    finish(core);
    core.meeting.leave();
    core.ub.release();
    set_this_core(nullptr);
}

// The same fault of the same source line on several cores is one fault.
void add_faults(std::vector<Fault>& all, const std::vector<Fault>& faults) {
    for (const Fault& fault : faults) {
        const auto same = std::find_if(all.begin(), all.end(), [&](const Fault& other) {
            return other.kind == fault.kind && other.line == fault.line && other.file == fault.file;
        });
        if (same == all.end()) {
            all.push_back(fault);
        } else {
            same->count += fault.count;
        }
    }
}

} // namespace

Report run(const Launch& launch) {
    Gm gm(launch);
    KernelArguments arguments;
    for (size_t i = 0; i < launch.tensors.size(); ++i) {
        arguments.tensors.push_back(gm.regions()[i].base);
    }
    arguments.workspace = gm.regions()[static_cast<size_t>(gm.workspace())].base;
    arguments.tiling = gm.regions()[static_cast<size_t>(gm.tiling())].base;

    Report report;
    Meeting meeting(static_cast<int>(std::min(launch.block_dim, launch.soc.cores)));
    std::vector<std::unique_ptr<Core>> cores;
    for (uint32_t first = 0; first < launch.block_dim; first += launch.soc.cores) {
        const uint32_t wave = std::min(launch.soc.cores, launch.block_dim - first);
        std::vector<std::thread> threads;
        for (uint32_t i = 0; i < wave; ++i) {
            cores.push_back(std::make_unique<Core>(launch, gm, meeting, static_cast<int>(first + i)));
            threads.emplace_back([&core = *cores.back(), &arguments] { run_block(core, arguments); });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    }
    for (const auto& core : cores) {
        add_faults(report.faults, core->faults.all());
        report.cores.push_back(core->counters);
        report.total.add(core->counters);
    }
    find_races(cores, gm, report.faults);
    find_unwritten(gm, cores, report.faults);
    gm.copy_out(launch);
    return report;
}

} // namespace twin
