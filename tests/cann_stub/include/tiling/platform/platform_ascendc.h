// What a tiling function asks of the product it plans for.
#pragma once

#include <cstdint>

namespace fe {
struct PlatFormInfos {
    uint32_t vector_cores = 0;
    uint64_t ub_bytes = 0; // as GetCoreMemSize gives it
    int soc_version = 0;
    uint32_t system_workspace = 16 * 1024 * 1024;
};
} // namespace fe

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5 };

enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B,
    ASCEND310P,
    ASCEND310B,
    ASCEND950,
    RESERVED_VERSION = 99999
};

class PlatformAscendC {
public:
    explicit PlatformAscendC(fe::PlatFormInfos* infos) : infos_(infos) {}
    uint32_t GetCoreNumAiv() const { return infos_->vector_cores; }
    void GetCoreMemSize(const CoreMemType& type, uint64_t& size) const {
        size = type == CoreMemType::UB ? infos_->ub_bytes : 0;
    }
    uint32_t GetLibApiWorkSpaceSize() const { return infos_->system_workspace; }
    SocVersion GetSocVersion() const { return static_cast<SocVersion>(infos_->soc_version); }

private:
    fe::PlatFormInfos* infos_;
};

} // namespace platform_ascendc
