#include "line_cache.h"

namespace twin::simt {

void LineCache::resize(uint32_t lines) {
    if (lines_.size() == lines + std::size_t{1}) {
        return;
    }
    lines_.assign(lines + std::size_t{1}, Line{});
    places_.reserve(lines);
    drop_all();
}

void LineCache::drop_all() {
    places_.clear();
    free_.clear();
    for (uint32_t at = static_cast<uint32_t>(lines_.size()) - 1; at > 0; --at) {
        free_.push_back(at);
    }
    lines_[0].newer = lines_[0].older = 0;
}

void LineCache::unlink(uint32_t at) {
    lines_[lines_[at].newer].older = lines_[at].older;
    lines_[lines_[at].older].newer = lines_[at].newer;
}

void LineCache::push_front(uint32_t at) {
    lines_[at].newer = 0;
    lines_[at].older = lines_[0].older;
    lines_[lines_[0].older].newer = at;
    lines_[0].older = at;
}

LineCache::Line* LineCache::find(LineKey key) {
    const uint32_t front = lines_[0].older;
    if (front != 0 && lines_[front].key == number(key)) {
        return &lines_[front];
    }
    const auto found = places_.find(number(key));
    if (found == places_.end()) {
        return nullptr;
    }
    unlink(found->second);
    push_front(found->second);
    return &lines_[found->second];
}

LineCache::Line& LineCache::add(LineKey key) {
    uint32_t at = 0;
    if (free_.empty()) {
        at = lines_[0].newer;
        places_.erase(lines_[at].key);
        unlink(at);
    } else {
        at = free_.back();
        free_.pop_back();
    }
    lines_[at].key = number(key);
    places_[number(key)] = at;
    push_front(at);
    return lines_[at];
}

void LineCache::drop(LineKey key) {
    const auto found = places_.find(number(key));
    if (found != places_.end()) {
        unlink(found->second);
        free_.push_back(found->second);
        places_.erase(found);
    }
}

} // namespace twin::simt
