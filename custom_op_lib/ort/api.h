// Calls into ONNX Runtime, with its statuses as C++ exceptions; and back, at the border.
#pragma once

#include "ort_abi.h"

#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace maxpoolgrad::ort {

// A failed status, of ONNX Runtime's or ours.
class StatusError : public std::runtime_error {
public:
    StatusError(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    ErrorCode code() const { return code_; }

private:
    ErrorCode code_;
};

// Throws the contract's sentence, if there is one.
inline void require(const std::string& sentence) {
    if (!sentence.empty()) {
        throw StatusError(kInvalidArgument, sentence);
    }
}

// The error that a status stands for; releases the status.
inline StatusError taken(const OrtApi* api, OrtStatus* status) {
    const StatusError error(entry<GetErrorCode>(api)(status), entry<GetErrorMessage>(api)(status));
    entry<ReleaseStatus>(api)(status);
    return error;
}

template <class E, class... Arguments>
void call(const OrtApi* api, Arguments... arguments) {
    if (OrtStatus* status = entry<E>(api)(arguments...)) {
        throw taken(api, status);
    }
}

// Runs `body` and gives what it throws as a status, since no exception may pass through C.
template <class Body>
OrtStatus* guarded(const OrtApi* api, const Body& body) noexcept {
    const auto status = [api](ErrorCode code, const char* message) {
        return entry<CreateStatus>(api)(code, message);
    };
    try {
        body();
        return nullptr;
    } catch (const StatusError& error) {
        return status(error.code(), error.what());
    } catch (const std::bad_alloc&) {
        return status(kFail, "out of memory");
    } catch (const std::exception& error) {
        return status(kFail, error.what());
    } catch (...) {
        return status(kFail, "unknown error");
    }
}

// An object of ONNX Runtime's that is released with the entry Release.
template <class Object, class Release>
struct Releaser {
    const OrtApi* api;
    void operator()(Object* object) const { entry<Release>(api)(object); }
};

using OwnedTypeInfo = std::unique_ptr<OrtTypeInfo, Releaser<OrtTypeInfo, ReleaseTypeInfo>>;
using OwnedTensorInfo = std::unique_ptr<OrtTensorTypeAndShapeInfo,
                                        Releaser<OrtTensorTypeAndShapeInfo, ReleaseTensorTypeAndShapeInfo>>;

inline std::vector<int64_t> dims_of(const OrtApi* api, const OrtTensorTypeAndShapeInfo* info) {
    size_t rank = 0;
    call<GetDimensionsCount>(api, info, &rank);
    std::vector<int64_t> dims(rank);
    call<GetDimensions>(api, info, dims.data(), rank);
    return dims;
}

inline ElementType element_type_of(const OrtApi* api, const OrtTensorTypeAndShapeInfo* info) {
    ElementType type = kUndefined;
    call<GetTensorElementType>(api, info, &type);
    return type;
}

} // namespace maxpoolgrad::ort
