// Plans random poolings for A2 and A3 and walks their segments, tiles and bands as the kernel does.
//
//   arch22_plans SEED COUNT    prints JSON: how many plans were made of each strategy, what is wrong with any
//   of them,
//                              the most of the unified buffer that one takes, and how long planning takes
#include <algorithm>
#include <arch22/max_pool_v3_grad.h> // the kernel, for its walk and for what its slow search takes
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <plan.h>
#include <random>
#include <string>

using namespace maxpoolgrad;
using arch22::Span;

namespace {

constexpr int64_t kUbBytes = 192 * 1024 - 256, kScratch = 8 * 1024;
constexpr int64_t kMostTiles = 20000; // that are walked

using Rng = std::mt19937_64;

int64_t pick(Rng& rng, int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(rng);
}
// Small ones more often than large ones.
int64_t pick_size(Rng& rng, int64_t most) {
    const double power = std::uniform_real_distribution<double>(0, 1)(rng);
    return static_cast<int64_t>(std::pow(static_cast<double>(most), power));
}

maxpoolgrad::Axis random_axis(Rng& rng, int64_t most) {
    const int64_t kernel = pick(rng, 0, 9) == 0 ? pick(rng, 1, 255) : pick(rng, 1, 13);
    const int64_t stride = pick(rng, 0, 9) == 0 ? pick(rng, 1, 63) : pick(rng, 1, 4);
    const Window window{kernel, stride, pick(rng, 0, 1) * pick(rng, 0, kernel),
                        pick(rng, 0, 1) * pick(rng, 0, kernel)};
    const Rounding rounding{PaddingMode::kCalculated, pick(rng, 0, 1) == 1};
    const int64_t input =
        std::max(pick_size(rng, most), pick(rng, 0, 9) == 0 ? int64_t{1} : std::min<int64_t>(kernel, 60));
    const int64_t output = pick(rng, 0, 1) == 1 ? formula_output(rounding, input, window)
                                                : forward_output(rounding, input, window);
    return {input, output, kernel, stride, window.pad_begin};
}

Pooling random_pooling(Rng& rng) {
    Pooling pooling;
    pooling.format = pick(rng, 0, 1) == 1 ? DataFormat::kNhwc : DataFormat::kNchw;
    const int64_t most = pick(rng, 0, 19) == 0 ? 100000 : 300;
    pooling.batch = pick_size(rng, 64);
    pooling.channels = pick_size(rng, pick(rng, 0, 19) == 0 ? 20000 : 600);
    pooling.h = random_axis(rng, most);
    pooling.w = random_axis(rng, most);
    return pooling;
}

// Spans that must follow on each other from 0 to `end`.
struct Row {
    int64_t reached = 0;
    bool gap = false;

    void add(Span span) {
        if (span.size() > 0) {
            gap = gap || span.begin != reached;
            reached = span.end;
        }
    }
    bool covers(int64_t end) const { return !gap && reached == end; }
};

class Check {
public:
    Check(const Pooling& pooling, const KernelPlan& kernel, int64_t cores)
        : pooling_(pooling), kernel_(kernel) {
        std::memcpy(&plan_, kernel.tiling_data.data(), sizeof plan_);
        require(kernel.block_dim >= 1 && kernel.block_dim <= cores, "blocks");
        require(kernel.tiling_data.size() <= 2048, "tiling data");
        const int64_t format = pooling.format == DataFormat::kNhwc ? arch22::kNhwc : arch22::kNchw;
        require(kernel.tiling_key == arch22::tiling_key(plan_.main.strategy, format), "tiling key");
        if (plan_.main.strategy != arch22::kZeros) {
            lanes();
            stage(plan_.main);
            stage(plan_.fallback);
            walk();
        }
    }

    std::string wrong;
    int64_t ub = 0;

private:
    void require(bool holds, const char* what) {
        if (!holds && wrong.find(what) == std::string::npos) {
            wrong += std::string(wrong.empty() ? "" : ", ") + what;
        }
    }

    void lanes() {
        const bool channels_last = pooling_.format == DataFormat::kNhwc;
        const int64_t images = channels_last ? pooling_.batch : 1;
        const int64_t all = channels_last ? pooling_.channels : pooling_.planes();
        const int64_t parts = plan_.groups / images;
        const int64_t even = parts * plan_.depth; // lanes that are not dealt out 16 at a time
        require(plan_.groups % images == 0 && (parts - 1) * plan_.depth < all, "groups");
        require(plan_.few > 0 ? images == 1 && even == 16 * plan_.few_first &&
                                    (all + 15) / 16 == plan_.few_first + plan_.few
                              : even >= all,
                "groups of 16");
        require(plan_.lanes % 16 == 0 && plan_.lanes >= plan_.depth && plan_.lanes < plan_.depth + 16,
                "lanes");
    }

    void stage(const arch22::Stage& stage) {
        const int64_t bytes =
            stage.strategy == arch22::kSearch ? arch22::Search<float>::kMemory : stage.at.all;
        ub = std::max(ub, bytes);
        require(bytes <= kUbBytes - kScratch, "unified buffer");
    }

    // Every row and column of positions has one owner, and tiles and bands fit what is planned for them.
    void walk() {
        const int64_t tiles =
            plan_.groups * plan_.strips * (plan_.h.cells / std::max<int64_t>(1, plan_.main.tile_rows) + 2);
        if (tiles > kMostTiles) {
            return;
        }
        Row columns;
        for (int64_t i = 0; i < plan_.strips; ++i) {
            columns.add(arch22::strip_of(plan_, i).out);
        }
        require(columns.covers(pooling_.w.input), "columns");
        std::map<std::pair<int64_t, int64_t>, Row> rows;
        for (int64_t block = 0; block < kernel_.block_dim; ++block) {
            arch22::Walk walk(plan_, plan_.main, block, kernel_.block_dim);
            arch22::Tile tile;
            while (walk.next(tile)) {
                rows[{tile.segment.group, tile.segment.index}].add(tile.out_rows);
                visit(tile);
            }
        }
        require(static_cast<int64_t>(rows.size()) == plan_.groups * plan_.strips, "segments");
        for (const auto& [key, row] : rows) {
            require(row.covers(pooling_.h.input), "rows");
        }
    }

    void visit(const arch22::Tile& tile) {
        const arch22::Axis& h = plan_.h;
        require(tile.rows.size() >= 1 && tile.rows.size() <= plan_.main.tile_rows + plan_.main.more_rows,
                "tile");
        require(tile.x_rows.begin >= 0 && tile.x_rows.end <= h.input && tile.windows.end <= h.windows,
                "tile rows");
        require(tile.x_rows.size() <= arch22::most_rows(plan_, plan_.main.tile_rows), "tile rows read");
        require(tile.out_rows.size() <=
                    std::max(arch22::most_rows(plan_, plan_.main.tile_rows), plan_.main.tile_rows * h.stride),
                "tile rows written");
        const arch22::Strip& strip = tile.segment.strip;
        require(strip.x.begin >= 0 && strip.x.end <= plan_.w.input && strip.windows <= plan_.w.windows,
                "strip");
        if (plan_.main.strategy == arch22::kSearch) {
            return;
        }
        Row read{tile.x_rows.begin}, written{tile.out_rows.begin};
        for (int64_t row = tile.rows.begin; row < tile.rows.end; row += plan_.main.band_rows) {
            const arch22::Band band = arch22::band_of(plan_, tile, row, plan_.main.band_rows);
            read.add(band.x_rows);
            written.add(band.out_rows);
        }
        require(read.covers(std::max(tile.x_rows.begin, tile.x_rows.end)), "band rows read");
        require(written.covers(std::max(tile.out_rows.begin, tile.out_rows.end)), "band rows");
    }

    const Pooling& pooling_;
    const KernelPlan& kernel_;
    arch22::Tiling plan_;
};

std::string text(const maxpoolgrad::Axis& axis) {
    return std::to_string(axis.input) + "->" + std::to_string(axis.output) + " k" +
           std::to_string(axis.kernel) + " s" + std::to_string(axis.stride) + " p" + std::to_string(axis.pad);
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: arch22_plans SEED COUNT\n";
        return 2;
    }
    const uint64_t seed = std::strtoull(argv[1], nullptr, 10), count = std::strtoull(argv[2], nullptr, 10);
    std::map<std::string, int64_t> strategies;
    std::string wrong;
    int64_t ub = 0;
    double slowest = 0, all = 0;
    for (uint64_t index = 0; index < count; ++index) {
        std::seed_seq sequence{seed, index};
        Rng rng(sequence);
        const Pooling pooling = random_pooling(rng);
        const Dtype dtype = pick(rng, 0, 1) == 1 ? Dtype::kFloat32 : Dtype::kFloat16;
        const int64_t cores = std::array<int64_t, 4>{1, 3, 40, 48}[static_cast<size_t>(pick(rng, 0, 3))];
        const auto begin = std::chrono::steady_clock::now();
        const KernelPlan plan = plan_kernel(pooling, dtype, {2201, cores, kUbBytes});
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        slowest = std::max(slowest, seconds);
        all += seconds;
        ++strategies[plan.strategy];
        const Check check(pooling, plan, cores);
        ub = std::max(ub, check.ub);
        if (!check.wrong.empty()) {
            wrong += (wrong.empty() ? "\"" : ", \"") + std::to_string(index) + ": " + check.wrong + " (h " +
                     text(pooling.h) + ", w " + text(pooling.w) + ")\"";
        }
    }
    std::cout << "{\"wrong\": [" << wrong << "], \"ub\": " << ub << ", \"seconds\": " << all
              << ", \"slowest\": " << slowest << ", \"strategies\": {";
    const char* comma = "";
    for (const auto& [name, plans] : strategies) {
        std::cout << comma << "\"" << name << "\": " << plans;
        comma = ", ";
    }
    std::cout << "}}\n";
    return 0;
}
