#include "gm_log.h"

#include "core.h"

#include <algorithm>

namespace twin {

bool overlap(const Pieces& a, const Pieces& b) {
    if (a.region != b.region || a.begin >= b.end() || b.begin >= a.end()) {
        return false;
    }
    const Pieces& few = a.count <= b.count ? a : b;
    const Pieces& many = a.count <= b.count ? b : a;
    for (uint32_t i = 0; i < few.count; ++i) {
        const int64_t low = few.at(i), high = low + few.bytes;
        if (many.count == 1 || many.step <= many.bytes) { // no gaps
            if (low < many.end() && many.begin < high) {
                return true;
            }
            continue;
        }
        // The first piece of `many` that ends behind `low`.
        const int64_t before = low - many.begin - many.bytes;
        const int64_t first = before < 0 ? 0 : before / many.step + 1;
        if (first < many.count && many.at(static_cast<uint32_t>(first)) < high) {
            return true;
        }
    }
    return false;
}

void GmLog::check(Core& core, const Instruction& instruction, const Pieces& pieces, bool writes,
                  const Open& open) {
    if (open.id == instruction.id || (!writes && !open.writes) || !overlap(pieces, open.pieces) ||
        core.order.ordered(instruction.pipe, open.pipe, open.id)) {
        return;
    }
    const bool same = open.pipe == instruction.pipe;
    const std::string name = core.gm.region(pieces.region)->name;
    const std::string cure =
        same ? std::string("PipeBarrier<PIPE_") + name_of(open.pipe) + "> must come between them"
             : std::string("SetFlag and WaitFlag<") + name_of(open.pipe) + "_" + name_of(instruction.pipe) +
                   "> must come between them";
    core.fault(same ? FaultKind::kDmaOverlap : FaultKind::kMissingFlag, instruction,
               std::string(writes ? "writes" : "reads") + " bytes from " +
                   hex(static_cast<uint64_t>(pieces.begin)) + " of '" + name + "', which " +
                   name_of(open.pipe) + " (" + name_of(open.op) + ", line " + std::to_string(open.line) +
                   (open.writes ? ") writes" : ") reads") + " and may not be done with; " + cure);
}

void GmLog::add(Core& core, const Instruction& instruction, const Pieces& pieces, GmUse use) {
    const bool writes = use != GmUse::kRead;
    for (const Open& open : open_) {
        check(core, instruction, pieces, writes, open);
    }
    if (instruction.pipe == Pipe::kS) {
        for (const Open& open : settled_) {
            check(core, instruction, pieces, writes, open);
        }
    }
    // What both transfer pipes know to be done is out of their way.
    const auto done = std::stable_partition(open_.begin(), open_.end(), [&](const Open& open) {
        return !core.order.settled(open.pipe, open.id);
    });
    settled_.insert(settled_.end(), done, open_.end());
    open_.erase(done, open_.end());
    open_.push_back(
        {pieces, instruction.pipe, instruction.id, writes, instruction.site.line, instruction.op});
    if (!accesses_.empty()) { // a transfer that goes on where the last one ended is one access
        GmAccess& last = accesses_.back();
        if (last.use == use && last.epoch == epoch_ && last.pieces.region == pieces.region &&
            last.pieces.count == 1 && pieces.count == 1 &&
            last.pieces.begin + last.pieces.bytes == pieces.begin) {
            last.pieces.bytes += pieces.bytes;
            return;
        }
    }
    accesses_.push_back({pieces, use, instruction.op, instruction.site, epoch_});
}

} // namespace twin
