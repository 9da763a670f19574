// The products that run the operator.
#pragma once

#include "words.h"

#include <array>
#include <string>

namespace maxpoolgrad {

// A family of soc_version names: `prefix` followed by at least one digit.
struct Product {
    const char* soc_prefix;
    const char* name;
};

inline constexpr std::array<Product, 4> kSupportedProducts = {{
    {"Ascend910B", "Atlas A2 (Ascend910B1 and the like)"},
    {"Ascend910_93", "Atlas A3 (Ascend910_9391 and the like)"},
    {"Ascend950PR_", "Ascend 950PR (Ascend950PR_9579 and the like)"},
    {"Ascend950DT_", "Ascend 950DT (Ascend950DT_9571 and the like)"},
}};

// The product that a soc_version belongs to; null where it is not supported.
inline const Product* product_of(const std::string& soc_version) {
    for (const Product& product : kSupportedProducts) {
        const std::string prefix = product.soc_prefix;
        const bool numbered = soc_version.size() > prefix.size() && soc_version[prefix.size()] >= '0' &&
                              soc_version[prefix.size()] <= '9';
        if (numbered && soc_version.compare(0, prefix.size(), prefix) == 0) {
            return &product;
        }
    }
    return nullptr;
}

inline std::string check_soc_version(const std::string& soc_version) {
    if (product_of(soc_version) != nullptr) {
        return "";
    }
    std::string supported;
    for (const Product& product : kSupportedProducts) {
        supported += (supported.empty() ? "" : ", ") + std::string(product.name);
    }
    return "soc_version " + detail::text(soc_version) + " is not supported by " + kOpType +
           "; supported are " + supported;
}

} // namespace maxpoolgrad
