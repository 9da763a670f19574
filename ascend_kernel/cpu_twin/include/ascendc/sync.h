// Flags and barriers between pipes, SyncAll between cores, and the scalar unit's cache.
#pragma once

#include "pipe.h"

namespace AscendC {

template <HardEvent event>
void SetFlag(int32_t eventID, twin::Site site = twin::Site::here()) {
    constexpr twin_detail::EventPipes pipes = twin_detail::pipes_of(event);
    twin::set_flag(static_cast<uint8_t>(event), pipes.from, pipes.to, eventID, site);
}
template <HardEvent event>
void WaitFlag(int32_t eventID, twin::Site site = twin::Site::here()) {
    constexpr twin_detail::EventPipes pipes = twin_detail::pipes_of(event);
    twin::wait_flag(static_cast<uint8_t>(event), pipes.from, pipes.to, eventID, site);
}

template <pipe_t pipe>
void PipeBarrier(twin::Site site = twin::Site::here()) {
    static_assert(pipe == PIPE_V || pipe == PIPE_MTE2 || pipe == PIPE_MTE3 || pipe == PIPE_ALL,
                  "a vector core has barriers of PIPE_V, PIPE_MTE2, PIPE_MTE3 and PIPE_ALL");
    twin::pipe_barrier(pipe == PIPE_V ? 1 : pipe == PIPE_MTE2 ? 2 : pipe == PIPE_MTE3 ? 3 : -1, site);
}

template <MemDsbT kind>
void DataSyncBarrier(twin::Site site = twin::Site::here()) {
    twin::pipe_barrier(-1, site);
}

template <pipe_t source, pipe_t destination>
class TQueSync {
public:
    void SetFlag(TEventID id, twin::Site site = twin::Site::here()) {
        twin::set_flag(event(), number(source), number(destination), id, site);
    }
    void WaitFlag(TEventID id, twin::Site site = twin::Site::here()) {
        twin::wait_flag(event(), number(source), number(destination), id, site);
    }

private:
    static constexpr int number(pipe_t pipe) {
        return pipe == PIPE_S ? 0 : pipe == PIPE_V ? 1 : pipe == PIPE_MTE2 ? 2 : pipe == PIPE_MTE3 ? 3 : -1;
    }
    static constexpr uint8_t event() {
        for (int i = 0; i < static_cast<int>(HardEvent::MAX); ++i) {
            const twin_detail::EventPipes pipes = twin_detail::pipes_of(static_cast<HardEvent>(i));
            if (pipes.from >= 0 && pipes.from == number(source) && pipes.to == number(destination)) {
                return static_cast<uint8_t>(i);
            }
        }
        return static_cast<uint8_t>(HardEvent::MAX);
    }
};

template <bool isAIVOnly = true>
void SyncAll(twin::Site site = twin::Site::here()) {
    static_assert(isAIVOnly, "a kernel without cube cores syncs with isAIVOnly: it hangs otherwise");
    twin::sync_all(site);
}

template <typename T, CacheLine entireType, DcciDst dcciDst = DcciDst::CACHELINE_ALL>
void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst, twin::Site site = twin::Site::here()) {
    twin::clean_cache(dst.twin_place(), entireType == CacheLine::ENTIRE_DATA_CACHE, site);
}

} // namespace AscendC
