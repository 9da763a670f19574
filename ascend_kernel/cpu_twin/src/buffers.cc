// TPipe and its queues. EnQue and FreeTensor set a flag, DeQue and AllocTensor wait for it: that is how a
// queue orders pipes, with event ids out of a pool of eight for each pair of pipes.
#include "buffers.h"

#include "core.h"

#include <algorithm>

namespace twin {

namespace {

Buffer* find(Core& core, int32_t buffer) {
    return buffer >= 0 && buffer < static_cast<int32_t>(core.buffers.all.size())
               ? &core.buffers.all[static_cast<size_t>(buffer)]
               : nullptr;
}

const char* name_of(BufferState state) {
    switch (state) {
    case BufferState::kFree: return "free";
    case BufferState::kOut: return "allocated";
    case BufferState::kQueued: return "in the queue";
    case BufferState::kTaken: return "taken from the queue";
    default: return "in no queue";
    }
}

void set_state(Core& core, int32_t index, BufferState state) {
    core.buffers.all[static_cast<size_t>(index)].state = state;
    core.ub.set_held(index, state == BufferState::kFree || state == BufferState::kQueued);
}

// The queue's own buffer, or a fault.
Buffer* own(Core& core, const Queue& queue, int32_t index, Op op, Site site) {
    if (index < queue.first || index >= queue.first + static_cast<int32_t>(queue.count) || queue.first < 0) {
        core.fault(FaultKind::kQueueMisuse, op, site,
                   "the tensor is not one of this queue's; a queue takes back what its own AllocTensor gave");
        return nullptr;
    }
    return find(core, index);
}

} // namespace

void pipe_init(Site site) {
    Core& core = this_core();
    if (core.buffers.pipe_alive) {
        core.fault(
            FaultKind::kUbCapacity, Op::kInitBuffer, site,
            "a second TPipe begins anew at byte 0 of the unified buffer, over the first one's buffers; a "
            "core has one TPipe at a time");
    }
    for (const Buffer& buffer : core.buffers.all) {
        core.ub.set_owner(buffer.place.begin, buffer.place.end, -1);
    }
    core.buffers.all.clear();
    core.buffers.top = 0;
    core.buffers.pipe_alive = true;
    for (EventPool& pool : core.buffers.events) {
        pool.taken = 0;
    }
}

void pipe_destroy(Site site) {
    Core& core = this_core();
    for (Buffer& buffer : core.buffers.all) {
        if (buffer.state == BufferState::kFree && buffer.freed_id >= 0) {
            wait_flag(buffer.events.freed, buffer.events.consumer, buffer.events.producer, buffer.freed_id,
                      site);
            buffer.freed_id = -1;
        }
        if (buffer.state == BufferState::kOut || buffer.state == BufferState::kTaken ||
            buffer.state == BufferState::kQueued) {
            core.fault(FaultKind::kTensorNotFreed, Op::kAllocTensor, buffer.site,
                       std::string("the tensor is ") + name_of(buffer.state) +
                           " when its TPipe ends; every tensor must go back by FreeTensor");
        }
    }
    core.order.barrier_all();
    core.buffers.pipe_alive = false;
}

int32_t init_buffers(uint32_t count, uint32_t bytes, bool in_queue, Site site) {
    Core& core = this_core();
    Buffers& buffers = core.buffers;
    const int32_t first = static_cast<int32_t>(buffers.all.size());
    const uint64_t each = (static_cast<uint64_t>(bytes) + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    const uint64_t end = buffers.top + each * count;
    if (count == 0 || bytes == 0 || first + static_cast<int32_t>(count) > static_cast<int32_t>(kMaxBuffers)) {
        core.fault(FaultKind::kUbCapacity, Op::kInitBuffer, site,
                   std::to_string(count) + " buffers of " + std::to_string(bytes) + " B; a TPipe has 1 to " +
                       std::to_string(kMaxBuffers) + " buffers in all, of at least 1 B");
    }
    if (end > core.ub.size()) {
        core.fault(FaultKind::kUbCapacity, Op::kInitBuffer, site,
                   std::to_string(count) + " buffers of " + std::to_string(each) + " B end at " +
                       std::to_string(end) + "; the unified buffer has " + std::to_string(core.ub.size()) +
                       " B");
    } else if (buffers.select_scratch_used && end > kSelectScratchBegin) {
        core.fault(FaultKind::kSelectScratch, Op::kInitBuffer, site,
                   "the buffers end at " + std::to_string(end) +
                       "; Select in modes 1 and 2 writes the 8 KB from " +
                       std::to_string(kSelectScratchBegin) + " on");
    }
    for (uint32_t i = 0; i < count && buffers.all.size() < kMaxBuffers; ++i) {
        const uint32_t address = static_cast<uint32_t>(buffers.top + each * i);
        Buffer buffer;
        buffer.place = {address, address, static_cast<uint32_t>(address + each)};
        const int index = static_cast<int>(buffers.all.size());
        buffers.all.push_back(buffer);
        core.ub.set_owner(address, buffer.place.end, index);
        set_state(core, index, in_queue ? BufferState::kFree : BufferState::kNoQueue);
    }
    buffers.top = static_cast<uint32_t>(end);
    return first;
}

UbSpan buffer_span(int32_t buffer) {
    const Buffer* found = find(this_core(), buffer);
    return found == nullptr ? UbSpan{} : found->place;
}

bool buffer_is_free(int32_t buffer) {
    const Buffer* found = find(this_core(), buffer);
    return found != nullptr && found->state == BufferState::kFree;
}

uint64_t physical_address(uint32_t byte) {
    Core& core = this_core();
    return core.launch.soc.arch == 3510 ? reinterpret_cast<uint64_t>(core.ub.data()) + byte : byte;
}

UbSpan span_at(uint64_t physical) {
    Core& core = this_core();
    const uint64_t address = physical - physical_address(0);
    const int owner = address < core.ub.size() ? core.ub.owner(static_cast<uint32_t>(address)) : -1;
    UbSpan span =
        owner >= 0 ? core.buffers.all[static_cast<size_t>(owner)].place : UbSpan{0, 0, core.ub.size()};
    span.address = static_cast<uint32_t>(address);
    return span;
}

int32_t queue_alloc(Queue& queue, const QueueEvents& events, Site site) {
    Core& core = this_core();
    ++core.instructions[static_cast<int>(Op::kAllocTensor)].instructions;
    if (find(core, queue.first + static_cast<int32_t>(queue.count) - 1) == nullptr || queue.first < 0) {
        core.fault(FaultKind::kQueueMisuse, Op::kAllocTensor, site,
                   "the queue has no buffers; TPipe::InitBuffer must come first");
        return -1;
    }
    int32_t index = queue.first + static_cast<int32_t>(queue.cursor);
    for (uint32_t tries = 0; tries < queue.count; ++tries) {
        index = queue.first + static_cast<int32_t>(queue.cursor);
        queue.cursor = (queue.cursor + 1) % queue.count;
        if (core.buffers.state(index) == BufferState::kFree) {
            break;
        }
    }
    Buffer& buffer = *find(core, index);
    if (buffer.state != BufferState::kFree) {
        core.fault(FaultKind::kQueueMisuse, Op::kAllocTensor, site,
                   "all " + std::to_string(queue.count) +
                       " buffers of the queue are out, so the kernel hangs; FreeTensor must come first");
    }
    if (buffer.freed_id >= 0) {
        wait_flag(events.freed, events.consumer, events.producer, buffer.freed_id, site);
        release_event(events.freed, buffer.freed_id, site);
        buffer.freed_id = -1;
    }
    if (buffer.state == BufferState::kFree) { // what it held before counts no longer
        core.ub.poison(buffer.place.address,
                       std::max(buffer.place.address, std::min(buffer.place.end, core.ub.size())));
    }
    set_state(core, index, BufferState::kOut);
    buffer.site = site;
    return index;
}

bool queue_push(Queue& queue, const QueueEvents& events, int32_t index, Site site) {
    Core& core = this_core();
    ++core.instructions[static_cast<int>(Op::kEnQue)].instructions;
    Buffer* buffer = own(core, queue, index, Op::kEnQue, site);
    if (buffer == nullptr) {
        return false;
    }
    if (buffer->state != BufferState::kOut && buffer->state != BufferState::kTaken) {
        core.fault(FaultKind::kQueueMisuse, Op::kEnQue, site,
                   std::string("the tensor is ") + name_of(buffer->state) +
                       "; a tensor is enqueued after AllocTensor or DeQue");
        return false;
    }
    if (queue.used >= queue.depth) {
        core.fault(FaultKind::kQueueMisuse, Op::kEnQue, site,
                   std::to_string(queue.used + 1) + " tensors in a queue of depth " +
                       std::to_string(queue.depth));
    }
    set_state(core, index, BufferState::kQueued);
    buffer->filled_id = alloc_event(events.filled, site);
    set_flag(events.filled, events.producer, events.consumer, buffer->filled_id, site);
    queue.waiting[queue.used++ % kMaxBuffers] = index;
    return true;
}

int32_t queue_pop(Queue& queue, const QueueEvents& events, Site site) {
    Core& core = this_core();
    ++core.instructions[static_cast<int>(Op::kDeQue)].instructions;
    if (queue.used == 0) {
        core.fault(FaultKind::kQueueMisuse, Op::kDeQue, site,
                   "the queue is empty; every DeQue needs an EnQue before it");
        return queue.first;
    }
    const int32_t index = queue.waiting[0];
    --queue.used;
    for (uint32_t i = 0; i < queue.used && i + 1 < kMaxBuffers; ++i) {
        queue.waiting[i] = queue.waiting[i + 1];
    }
    Buffer& buffer = *find(core, index);
    set_state(core, index, BufferState::kTaken);
    wait_flag(events.filled, events.producer, events.consumer, buffer.filled_id, site);
    release_event(events.filled, buffer.filled_id, site);
    buffer.filled_id = -1;
    return index;
}

void queue_free(Queue& queue, const QueueEvents& events, int32_t index, Site site) {
    Core& core = this_core();
    ++core.instructions[static_cast<int>(Op::kFreeTensor)].instructions;
    Buffer* buffer = own(core, queue, index, Op::kFreeTensor, site);
    if (buffer == nullptr) {
        return;
    }
    if (buffer->state == BufferState::kFree || buffer->state == BufferState::kQueued) {
        core.fault(FaultKind::kQueueMisuse, Op::kFreeTensor, site,
                   std::string("the tensor is ") + name_of(buffer->state) +
                       "; a tensor is freed once, after AllocTensor or DeQue");
        if (buffer->state == BufferState::kFree) {
            return;
        }
    }
    set_state(core, index, BufferState::kFree);
    buffer->events = events;
    buffer->freed_id = alloc_event(events.freed, site);
    set_flag(events.freed, events.consumer, events.producer, buffer->freed_id, site);
}

} // namespace twin
