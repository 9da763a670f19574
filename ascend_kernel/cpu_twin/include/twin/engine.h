// The instruction model as the Ascend C headers call it. Every function acts on the core of the calling
// thread.
#pragma once

#include "instruction.h"
#include "op.h"

#include <cstddef>
#include <cstdint>

namespace twin {

// ---- Scalar access
uint64_t load_scalar(UbSpan tensor, uint64_t byte_offset, uint32_t bytes, Site site);
void store_scalar(UbSpan tensor, uint64_t byte_offset, uint32_t bytes, uint64_t bits, Site site);
GmSpan place_of(const void* address);
uint8_t* address_of(GmSpan place);
uint64_t load_scalar(GmSpan tensor, uint32_t bytes, Site site);
void store_scalar(GmSpan tensor, uint32_t bytes, uint64_t bits, Site site);
void clean_cache(GmSpan tensor, bool entire, Site site);

// ---- Transfers
struct Transfer {
    Op op;
    DType type;
    Field16 blocks = 1;
    Field32 block_bytes = 0; // of real data
    int64_t gm_gap = 0;      // bytes between the end of a block and the next one, in global memory
    int64_t ub_gap = 0;      // the same in the unified buffer, in blocks of 32 B
    bool wrapped = false;    // a gap did not fit its field
};

struct Padding {
    bool defined = false; // with `value`; otherwise what lies in the padding is undefined
    Field8 left = 0;      // elements
    Field8 right = 0;
    ScalarBits value;
    bool compact = false; // pad the end of all blocks, not of each one
};

void copy_in(UbSpan destination, GmSpan source, const Transfer& transfer, const Padding& padding, Site site);
void copy_out(GmSpan destination, UbSpan source, const Transfer& transfer, bool compact, Site site);
void copy_local(UbSpan destination, UbSpan source, Transfer transfer, int64_t source_gap, Site site);
void set_pad_value(DType type, ScalarBits value);
void set_atomic(int mode, DType type, Site site); // 0 none, 1 add, 2 max, 3 min

// ---- Vector
struct VectorCall {
    Op op;
    DType type; // of the sources
    Lanes lanes;
    Field8 repeats = 1; // not used where lanes are counted
    Site site;
};

void vector_unary(const VectorCall& call, VectorOperand destination, VectorOperand source);
void vector_binary(const VectorCall& call, VectorOperand destination, VectorOperand first,
                   VectorOperand second);
void vector_scalar(const VectorCall& call, VectorOperand destination, VectorOperand source,
                   ScalarBits scalar);
void vector_axpy(const VectorCall& call, DType to, VectorOperand destination, VectorOperand source,
                 ScalarBits scalar);
void vector_fill(const VectorCall& call, VectorOperand destination, ScalarBits scalar);
void vector_index(const VectorCall& call, VectorOperand destination, ScalarBits first);
void vector_copy(const VectorCall& call, VectorOperand destination, VectorOperand source);
void vector_cast(const VectorCall& call, DType to, int round_mode, VectorOperand destination,
                 VectorOperand source);
void vector_broadcast(const VectorCall& call, VectorOperand destination, UbSpan source);

enum class CompareMode : uint8_t { kLess, kGreater, kEqual, kLessEqual, kGreaterEqual, kNotEqual };
void vector_compare(const VectorCall& call, CompareMode mode, UbSpan destination, VectorOperand first,
                    VectorOperand second);
void vector_compare_scalar(const VectorCall& call, CompareMode mode, UbSpan destination, VectorOperand source,
                           ScalarBits scalar);
void vector_compare_to_register(const VectorCall& call, CompareMode mode, VectorOperand first,
                                VectorOperand second);
void get_compare_mask(UbSpan destination, Site site);
void set_compare_mask(UbSpan source, Site site);

void vector_select(const VectorCall& call, int mode, VectorOperand destination, const UbSpan* mask,
                   VectorOperand first, VectorOperand second, ScalarBits scalar);

void trans_data_to_5hd(DType type, const UbSpan (&destinations)[16], const UbSpan (&sources)[16],
                       Field8 repeats, Field16 destination_stride, Field16 source_stride,
                       bool destination_high, bool source_high, Site site);
// A byte of the unified buffer as kernels see it: on arch 2201 its number, on arch 3510, whose SIMT code uses
// such addresses as pointers, a pointer of the host.
uint64_t physical_address(uint32_t byte);
UbSpan span_at(uint64_t physical_address); // of the buffer that holds the address
void transpose_16(DType type, UbSpan destination, UbSpan source, Site site);

void vector_gather(const VectorCall& call, VectorOperand destination, UbSpan source, UbSpan offsets,
                   uint32_t base);
void vector_gather_blocks(const VectorCall& call, VectorOperand destination, UbSpan source, UbSpan offsets);
uint64_t vector_gather_mask(const VectorCall& call, UbSpan destination, VectorOperand source,
                            const UbSpan* pattern, uint8_t fixed_pattern, Field8 pattern_stride,
                            bool counter);

void set_vector_mask(bool counter, uint64_t high, uint64_t low);
void set_mask_mode(bool counter);
void reset_vector_mask();

// ---- Order
void set_flag(uint8_t event, int from, int to, int id, Site site);  // pipes as numbers of Pipe, -1 for one
void wait_flag(uint8_t event, int from, int to, int id, Site site); // that a vector core has not
void pipe_barrier(int pipe, Site site);                             // -1: all
void sync_all(Site site);

// ---- Buffers and queues
void pipe_init(Site site);
void pipe_destroy(Site site);
// The first of `count` buffers of `bytes` each, one after the other.
int32_t init_buffers(uint32_t count, uint32_t bytes, bool in_queue, Site site);
UbSpan buffer_span(int32_t buffer);
bool buffer_is_free(int32_t buffer);
int alloc_event(uint8_t event, Site site);
int fetch_event(uint8_t event, Site site);
void release_event(uint8_t event, int id, Site site);

struct QueueEvents { // the flags of a queue between two pipes
    uint8_t filled;
    int8_t producer, consumer;
    uint8_t freed;
};

struct Queue {
    int32_t first = -1; // of its buffers
    uint32_t count = 0;
    uint32_t cursor = 0;
    uint32_t depth = 1;
    uint32_t used = 0; // entries that wait
    int32_t waiting[64] = {};
};

int32_t queue_alloc(Queue& queue, const QueueEvents& events, Site site);
bool queue_push(Queue& queue, const QueueEvents& events, int32_t buffer, Site site);
int32_t queue_pop(Queue& queue, const QueueEvents& events, Site site);
void queue_free(Queue& queue, const QueueEvents& events, int32_t buffer, Site site);

// ---- The block and its launch
int64_t block_index();
int64_t block_count();
uint64_t tiling_key();
uint8_t* user_workspace(uint8_t* workspace, Site site);
void read_tiling(void* out, size_t bytes, const uint8_t* tiling, Site site);
void set_kernel_type(int type);
int arch();

} // namespace twin
