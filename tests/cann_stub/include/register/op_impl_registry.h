// The contexts in which inference and tiling run. CANN's are views of a block of memory; these hold what a
// test puts into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <graph/types.h>
#include <string>
#include <vector>

namespace fe {
struct PlatFormInfos; // of a product: what platform_ascendc.h reads from it
} // namespace fe

namespace gert {

class Shape {
public:
    size_t GetDimNum() const { return dims_.size(); }
    int64_t GetDim(size_t dim) const { return dims_[dim]; }
    void SetDimNum(size_t count) { dims_.resize(count); }
    void SetDim(size_t dim, int64_t value) { dims_[dim] = value; }

private:
    std::vector<int64_t> dims_;
};

class StorageShape {
public:
    const Shape& GetOriginShape() const { return origin; }
    const Shape& GetStorageShape() const { return storage; }
    Shape origin;
    Shape storage;
};

template <class T>
class TypedContinuousVector {
public:
    size_t GetSize() const { return items.size(); }
    const T* GetData() const { return items.data(); }
    std::vector<T> items;
};

// An attribute that is not set is a null pointer.
class RuntimeAttrs {
public:
    const TypedContinuousVector<int64_t>* GetListInt(size_t index) const { return value(index, lists); }
    const bool* GetBool(size_t index) const { return value(index, bools); }
    const char* GetStr(size_t index) const {
        const std::string* found = value(index, strings);
        return found == nullptr ? nullptr : found->c_str();
    }
    size_t GetAttrNum() const { return count; }

    template <class T>
    struct Slot {
        size_t index;
        T value;
    };
    std::deque<Slot<TypedContinuousVector<int64_t>>> lists;
    std::deque<Slot<std::string>> strings;
    std::deque<Slot<bool>> bools;
    size_t count = 0;

private:
    template <class T>
    static const T* value(size_t index, const std::deque<Slot<T>>& slots) {
        for (const Slot<T>& slot : slots) {
            if (slot.index == index) {
                return &slot.value;
            }
        }
        return nullptr;
    }
};

class CompileTimeTensorDesc {
public:
    ge::DataType GetDataType() const { return dtype; }
    ge::DataType dtype = ge::DT_UNDEFINED;
};

class ExtendedKernelContext {
public:
    const char* GetNodeName() const { return name.c_str(); }
    const RuntimeAttrs* GetAttrs() const { return &attrs; }
    const CompileTimeTensorDesc* GetInputDesc(size_t index) const { return at(descs, index); }

    std::string name;
    RuntimeAttrs attrs;
    std::deque<CompileTimeTensorDesc> descs;

protected:
    template <class T>
    static const T* at(const std::deque<T>& items, size_t index) {
        return index < items.size() ? &items[index] : nullptr;
    }
};

class InferShapeContext : public ExtendedKernelContext {
public:
    const Shape* GetInputShape(size_t index) const { return at(inputs, index); }
    Shape* GetOutputShape(size_t index) { return index == 0 ? &output : nullptr; }
    std::deque<Shape> inputs;
    Shape output;
};

class InferDataTypeContext : public ExtendedKernelContext {
public:
    ge::DataType GetInputDataType(size_t index) const {
        const CompileTimeTensorDesc* desc = GetInputDesc(index);
        return desc == nullptr ? ge::DT_UNDEFINED : desc->dtype;
    }
    ge::graphStatus SetOutputDataType(size_t index, ge::DataType dtype) {
        output = dtype;
        return index == 0 ? ge::GRAPH_SUCCESS : ge::GRAPH_FAILED;
    }
    ge::DataType output = ge::DT_UNDEFINED;
};

class TilingData {
public:
    explicit TilingData(size_t capacity) : bytes(capacity) {}
    size_t GetCapacity() const { return bytes.size(); }
    size_t GetDataSize() const { return size; }
    void SetDataSize(size_t count) { size = count; }
    void* GetData() { return bytes.data(); }
    std::vector<unsigned char> bytes;
    size_t size = 0;
};

class TilingContext : public ExtendedKernelContext {
public:
    const StorageShape* GetInputShape(size_t index) const { return at(inputs, index); }
    fe::PlatFormInfos* GetPlatformInfo() const { return platform; }
    TilingData* GetRawTilingData() { return &tiling_data; }
    ge::graphStatus SetTilingKey(uint64_t key) { return set(tiling_key, key); }
    ge::graphStatus SetBlockDim(uint32_t dim) { return set(block_dim, dim); }
    ge::graphStatus SetScheduleMode(uint32_t mode) { return set(schedule_mode, mode); }
    ge::graphStatus SetLocalMemorySize(uint32_t size) { return set(local_memory, size); }
    size_t* GetWorkspaceSizes(size_t count) {
        workspaces.resize(count);
        return workspaces.data();
    }

    std::deque<StorageShape> inputs;
    fe::PlatFormInfos* platform = nullptr;
    TilingData tiling_data{2048};
    uint64_t tiling_key = 0;
    uint32_t block_dim = 0;
    uint32_t schedule_mode = 0;
    uint32_t local_memory = 0;
    std::vector<size_t> workspaces;

private:
    template <class T>
    static ge::graphStatus set(T& place, T value) {
        place = value;
        return ge::GRAPH_SUCCESS;
    }
};

class OpImplRegisterV2 {
public:
    using InferShapeKernelFunc = uint32_t (*)(InferShapeContext*);
    using InferDataTypeKernelFunc = uint32_t (*)(InferDataTypeContext*);
    using TilingKernelFunc = uint32_t (*)(TilingContext*);
};

} // namespace gert
