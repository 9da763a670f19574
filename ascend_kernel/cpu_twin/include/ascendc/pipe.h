// TPipe, TQue, TQueBind, TBuf: who hands out the unified buffer, and in which order tensors move between
// pipes.
#pragma once

#include "tensor.h"

namespace AscendC {

namespace twin_detail {

// The pipes of an event, as numbers of twin::Pipe; -1 for one that a vector core has not.
struct EventPipes {
    int8_t from, to;
};

constexpr EventPipes pipes_of(HardEvent event) {
    constexpr int8_t s = 0, v = 1, mte2 = 2, mte3 = 3;
    switch (event) {
    case HardEvent::MTE2_V: return {mte2, v};
    case HardEvent::V_MTE2: return {v, mte2};
    case HardEvent::MTE3_V: return {mte3, v};
    case HardEvent::V_MTE3: return {v, mte3};
    case HardEvent::V_V: return {v, v};
    case HardEvent::MTE3_MTE2: return {mte3, mte2};
    case HardEvent::MTE2_MTE3: return {mte2, mte3};
    case HardEvent::S_V: return {s, v};
    case HardEvent::V_S: return {v, s};
    case HardEvent::S_MTE2: return {s, mte2};
    case HardEvent::MTE2_S: return {mte2, s};
    case HardEvent::S_MTE3: return {s, mte3};
    case HardEvent::MTE3_S: return {mte3, s};
    default: return {-1, -1};
    }
}

constexpr bool in_ub(TPosition position) {
    return position == TPosition::VECIN || position == TPosition::VECOUT || position == TPosition::VECCALC;
}

// The events by which a queue from `source` to `destination` says "filled" and "free again".
constexpr HardEvent event_of(TPosition source, TPosition destination, bool filled) {
    if (source == TPosition::GM) {
        return filled ? HardEvent::MTE2_V : HardEvent::V_MTE2;
    }
    if (destination == TPosition::GM) {
        return filled ? HardEvent::V_MTE3 : HardEvent::MTE3_V;
    }
    return filled ? HardEvent::MTE2_MTE3 : HardEvent::MTE3_MTE2;
}

constexpr twin::QueueEvents queue_events(HardEvent filled, HardEvent freed) {
    const EventPipes pipes = pipes_of(filled);
    return {static_cast<uint8_t>(filled), pipes.from, pipes.to, static_cast<uint8_t>(freed)};
}

} // namespace twin_detail

class TPipe {
public:
    explicit TPipe(twin::Site site = twin::Site::here()) { Init(site); }
    ~TPipe() { Destroy(); }
    TPipe(const TPipe&) = delete;
    TPipe& operator=(const TPipe&) = delete;

    void Init(twin::Site site = twin::Site::here()) {
        twin::pipe_init(site);
        alive_ = true;
        current() = this;
    }
    void Destroy(twin::Site site = twin::Site::here()) {
        if (alive_) {
            twin::pipe_destroy(site);
            alive_ = false;
        }
    }
    void Reset(twin::Site site = twin::Site::here()) {
        Destroy(site);
        Init(site);
    }
    template <class Buffered>
    bool InitBuffer(Buffered& queue, uint8_t num, uint32_t len, twin::Site site = twin::Site::here()) {
        queue.twin_init(num, len, site);
        return true;
    }
    template <class Buffered>
    bool InitBuffer(Buffered& buffer, uint32_t len, twin::Site site = twin::Site::here()) {
        static_assert(!Buffered::isTQue, "a queue takes the number of its buffers and their length");
        buffer.twin_init(1, len, site);
        return true;
    }
    template <HardEvent event>
    TEventID AllocEventID(twin::Site site = twin::Site::here()) {
        return static_cast<TEventID>(twin::alloc_event(static_cast<uint8_t>(event), site));
    }
    template <HardEvent event>
    void ReleaseEventID(TEventID id, twin::Site site = twin::Site::here()) {
        twin::release_event(static_cast<uint8_t>(event), id, site);
    }
    TEventID FetchEventID(HardEvent event, twin::Site site = twin::Site::here()) {
        return static_cast<TEventID>(twin::fetch_event(static_cast<uint8_t>(event), site));
    }
    template <HardEvent event>
    TEventID FetchEventID(twin::Site site = twin::Site::here()) {
        return FetchEventID(event, site);
    }

    static TPipe*& current() {
        thread_local TPipe* pipe = nullptr;
        return pipe;
    }

private:
    bool alive_ = false;
};

template <TPosition source, TPosition destination, int32_t depth, auto mask = 0>
class TQueBind {
public:
    static constexpr bool isTQue = true;
    static_assert(depth > 0, "the twin has queues of depth 1 and more");

    template <typename T>
    LocalTensor<T> AllocTensor(twin::Site site = twin::Site::here()) {
        return tensor<T>(twin::queue_alloc(queue_, events, site));
    }
    template <typename T>
    bool EnQue(const LocalTensor<T>& tensor, twin::Site site = twin::Site::here()) {
        return twin::queue_push(queue_, events, tensor.twin_buffer(), site);
    }
    template <TPosition from, TPosition to, typename T>
    bool EnQue(const LocalTensor<T>& tensor, twin::Site site = twin::Site::here()) {
        return twin::queue_push(queue_, user_events<from, to>(), tensor.twin_buffer(), site);
    }
    template <typename T>
    LocalTensor<T> DeQue(twin::Site site = twin::Site::here()) {
        return tensor<T>(twin::queue_pop(queue_, events, site));
    }
    template <TPosition from, TPosition to, typename T>
    LocalTensor<T> DeQue(twin::Site site = twin::Site::here()) {
        return tensor<T>(twin::queue_pop(queue_, user_events<from, to>(), site));
    }
    template <typename T>
    void FreeTensor(LocalTensor<T>& tensor, twin::Site site = twin::Site::here()) {
        twin::queue_free(queue_, events, tensor.twin_buffer(), site);
    }
    bool VacantInQue() const { return queue_.used < static_cast<uint32_t>(depth); }
    bool HasTensorInQue() const { return queue_.used > 0; }
    int32_t GetTensorCountInQue() const { return static_cast<int32_t>(queue_.used); }
    bool HasIdleBuffer() const {
        for (uint32_t i = 0; i < queue_.count; ++i) {
            if (twin::buffer_is_free(queue_.first + static_cast<int32_t>(i))) {
                return true;
            }
        }
        return false;
    }

    void twin_init(uint32_t num, uint32_t len, twin::Site site) {
        queue_ = {};
        queue_.first = twin::init_buffers(num, len, true, site);
        queue_.count = num;
        queue_.depth = depth;
    }

private:
    static constexpr twin::QueueEvents events = twin_detail::queue_events(
        twin_detail::event_of(source, destination, true), twin_detail::event_of(source, destination, false));

    template <TPosition from, TPosition to>
    static constexpr twin::QueueEvents user_events() {
        constexpr bool ub_to_ub = twin_detail::in_ub(from) && twin_detail::in_ub(to);
        constexpr HardEvent filled = ub_to_ub ? HardEvent::MTE2_MTE3 : twin_detail::event_of(from, to, true);
        return twin_detail::queue_events(filled, twin_detail::event_of(source, destination, false));
    }
    template <typename T>
    LocalTensor<T> tensor(int32_t buffer) const {
        return LocalTensor<T>(source == TPosition::GM ? destination : source, twin::buffer_span(buffer),
                              buffer);
    }

    twin::Queue queue_;
};

template <TPosition position, int32_t depth, auto mask = 0>
class TQue : public TQueBind<position == TPosition::VECIN ? TPosition::GM : position,
                             position == TPosition::VECIN ? TPosition::VECIN : TPosition::GM, depth, mask> {};

template <TPosition position = TPosition::LCM>
class TBuf {
public:
    static constexpr bool isTQue = false;

    template <typename T>
    LocalTensor<T> Get() {
        return LocalTensor<T>(position, twin::buffer_span(buffer_), buffer_);
    }
    template <typename T>
    LocalTensor<T> Get(uint32_t len) {
        return GetWithOffset<T>(len, 0);
    }
    // `size` in elements, `offset` in bytes.
    template <typename T>
    LocalTensor<T> GetWithOffset(uint32_t size, uint32_t offset) {
        twin::UbSpan place = twin::buffer_span(buffer_);
        place.begin = place.address += offset;
        place.end = place.address +
                    (size * sizeof(T) + twin::kBlockBytes - 1) / twin::kBlockBytes * twin::kBlockBytes;
        return LocalTensor<T>(position, place, buffer_);
    }

    void twin_init(uint32_t num, uint32_t len, twin::Site site) {
        buffer_ = twin::init_buffers(num, len, false, site);
    }

private:
    int32_t buffer_ = -1;
};

} // namespace AscendC

inline AscendC::TPipe* GetTPipePtr() {
    return AscendC::TPipe::current();
}
