// The string that crosses CANN's interfaces whatever the C++ ABI of either side.
#pragma once

#include "types.h"

#include <cstddef>
#include <memory>
#include <string>

namespace ge {

class AscendString {
public:
    AscendString() = default;
    AscendString(const char_t* const name);
    const char_t* GetString() const;
    size_t GetLength() const;
    bool operator<(const AscendString& other) const;

private:
    std::shared_ptr<std::string> name_;
};

} // namespace ge
