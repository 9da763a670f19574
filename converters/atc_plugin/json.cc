#include "json.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace maxpoolgrad::atc {

namespace {

constexpr int kDeepest = 64;

class Reader {
public:
    explicit Reader(const std::string& text) : text_(text) {}

    bool document(Json* value) { return read_value(value, 0) && (skip_space(), at_ == text_.size()); }

private:
    void skip_space() {
        while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr && text_[at_] != '\0') {
            ++at_;
        }
    }

    bool take(const char* word) {
        const size_t length = std::strlen(word);
        const bool here = text_.compare(at_, length, word) == 0;
        at_ += here ? length : 0;
        return here;
    }

    // Whether the next token is `word`, which is then taken.
    bool next(const char* word) {
        skip_space();
        return take(word);
    }

    bool read_value(Json* value, int depth) {
        if (depth > kDeepest) {
            return false;
        }
        if (next("{")) {
            return read_object(value, depth);
        }
        if (take("[")) {
            return read_array(value, depth);
        }
        if (take("\"")) {
            value->kind = Json::Kind::kString;
            return read_string(&value->text);
        }
        for (const char* word : {"null", "true", "false"}) {
            if (take(word)) {
                value->kind = *word == 'n' ? Json::Kind::kNull : Json::Kind::kBool;
                value->text = word;
                return true;
            }
        }
        return read_number(value);
    }

    bool read_object(Json* value, int depth) {
        value->kind = Json::Kind::kObject;
        if (next("}")) {
            return true;
        }
        do {
            std::string key;
            Json item;
            if (!next("\"") || !read_string(&key) || !next(":") || !read_value(&item, depth + 1)) {
                return false;
            }
            value->keys.push_back(std::move(key));
            value->items.push_back(std::move(item));
        } while (next(","));
        return next("}");
    }

    bool read_array(Json* value, int depth) {
        value->kind = Json::Kind::kArray;
        if (next("]")) {
            return true;
        }
        do {
            Json item;
            if (!read_value(&item, depth + 1)) {
                return false;
            }
            value->items.push_back(std::move(item));
        } while (next(","));
        return next("]");
    }

    bool read_number(Json* value) {
        const size_t end = text_.find_first_not_of("+-.0123456789eE", at_);
        const size_t length = (end == std::string::npos ? text_.size() : end) - at_;
        value->kind = Json::Kind::kNumber;
        value->text = text_.substr(at_, length);
        at_ += length;
        return length != 0;
    }

    // The rest of a string whose opening quote has been taken.
    bool read_string(std::string* out) {
        while (at_ < text_.size() && text_[at_] != '"') {
            if (text_[at_] != '\\') {
                *out += text_[at_++];
            } else if (!read_escape(out)) {
                return false;
            }
        }
        return take("\"");
    }

    bool read_escape(std::string* out) {
        static constexpr const char* kLetters = "\"\\/bfnrt";
        static constexpr const char* kMeanings = "\"\\/\b\f\n\r\t";
        const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
        at_ += 2;
        if (letter == 'u') {
            return read_code_point(out);
        }
        const char* found = letter == '\0' ? nullptr : std::strchr(kLetters, letter);
        if (found != nullptr) {
            *out += kMeanings[found - kLetters];
        }
        return found != nullptr;
    }

    bool read_hex(uint32_t* value) {
        *value = 0;
        for (int digit = 0; digit < 4; ++digit, ++at_) {
            const char c = at_ < text_.size() ? text_[at_] : 'x';
            const bool decimal = c >= '0' && c <= '9';
            const char lower = static_cast<char>(c | 0x20);
            if (!decimal && (lower < 'a' || lower > 'f')) {
                return false;
            }
            *value = *value * 16 + static_cast<uint32_t>(decimal ? c - '0' : lower - 'a' + 10);
        }
        return true;
    }

    // \uXXXX, or two of them for a code point beyond the first 65,536, as UTF-8.
    bool read_code_point(std::string* out) {
        uint32_t code = 0;
        if (!read_hex(&code)) {
            return false;
        }
        if (code >= 0xD800 && code < 0xDC00) {
            uint32_t low = 0;
            if (!take("\\u") || !read_hex(&low) || low < 0xDC00 || low > 0xDFFF) {
                return false;
            }
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        static constexpr uint32_t kLeads[] = {0x00, 0xC0, 0xE0, 0xF0};
        *out += static_cast<char>(kLeads[more] | (code >> (6 * more)));
        for (int rest = more - 1; rest >= 0; --rest) {
            *out += static_cast<char>(0x80 | ((code >> (6 * rest)) & 0x3F));
        }
        return true;
    }

    const std::string& text_;
    size_t at_ = 0;
};

} // namespace

const Json* Json::find(const std::string& key) const {
    for (size_t i = 0; i < keys.size(); ++i) {
        if (keys[i] == key) {
            return &items[i];
        }
    }
    return nullptr;
}

std::optional<Json> parse_json(const std::string& text) {
    Json value;
    return Reader(text).document(&value) ? std::optional<Json>(std::move(value)) : std::nullopt;
}

} // namespace maxpoolgrad::atc
