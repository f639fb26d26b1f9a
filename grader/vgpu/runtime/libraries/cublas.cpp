// cuBLAS: handles and their settings, and copies of vectors and matrices. It computes nothing.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "runtime/libraries/stand_in.h"

#pragma weak cudaMemcpy2D

namespace {

enum Status : int { success = 0, not_initialized = 1, invalid_value = 7, mapping_error = 11 };

struct Handle {
    cudaStream_t stream = nullptr;
    int pointer_mode = 0, math_mode = 0, atomics_mode = 0, multiprocessors = 0;
};

template <class T>
Status give(void* handle, T Handle::*member, T* value) {
    if (handle == nullptr) return not_initialized;
    if (value == nullptr) return invalid_value;
    *value = static_cast<Handle*>(handle)->*member;
    return success;
}

template <class T>
Status take(void* handle, T Handle::*member, T value) {
    if (handle == nullptr) return not_initialized;
    static_cast<Handle*>(handle)->*member = value;
    return success;
}

/// `columns` times `rows` elements; a column begins every `ld` elements.
int copy(const char* function, cudaMemcpyKind kind, std::int64_t rows, std::int64_t columns,
         std::int64_t element, const void* from, std::int64_t from_ld, void* to,
         std::int64_t to_ld) {
    if (rows < 0 || columns < 0 || element <= 0 || from_ld <= 0 || to_ld <= 0) return invalid_value;
    if (cudaMemcpy2D == nullptr) return vgpu::stand_in::missing(function);
    const auto bytes = [&](std::int64_t count) {
        return static_cast<std::size_t>(count * element);
    };
    const cudaError_t error = cudaMemcpy2D(to, bytes(to_ld), from, bytes(from_ld), bytes(rows),
                                           static_cast<std::size_t>(columns), kind);
    return error == cudaSuccess ? success : mapping_error;
}

const char* name_of(int status) {
    switch (status) {
        case success:
            return "CUBLAS_STATUS_SUCCESS";
        case not_initialized:
            return "CUBLAS_STATUS_NOT_INITIALIZED";
        case invalid_value:
            return "CUBLAS_STATUS_INVALID_VALUE";
        case mapping_error:
            return "CUBLAS_STATUS_MAPPING_ERROR";
        case VGPU_STATUS:
            return "CUBLAS_STATUS_NOT_SUPPORTED";
        default:
            return "an unknown cuBLAS status";
    }
}

}  // namespace

extern "C" {

int cublasCreate_v2(void** handle) {
    if (handle == nullptr) return invalid_value;
    *handle = new Handle;
    return success;
}
int cublasDestroy_v2(void* handle) {
    delete static_cast<Handle*>(handle);
    return handle != nullptr ? success : not_initialized;
}
int cublasGetVersion_v2(void*, int* version) {
    if (version == nullptr) return invalid_value;
    *version = VGPU_VERSION * 10000;
    return success;
}

int cublasSetStream_v2(void* h, cudaStream_t stream) {
    return take(h, &Handle::stream, stream);
}
int cublasGetStream_v2(void* h, cudaStream_t* stream) {
    return give(h, &Handle::stream, stream);
}
int cublasSetPointerMode_v2(void* h, int mode) {
    return take(h, &Handle::pointer_mode, mode);
}
int cublasGetPointerMode_v2(void* h, int* mode) {
    return give(h, &Handle::pointer_mode, mode);
}
int cublasSetMathMode(void* h, int mode) {
    return take(h, &Handle::math_mode, mode);
}
int cublasGetMathMode(void* h, int* mode) {
    return give(h, &Handle::math_mode, mode);
}
int cublasSetAtomicsMode(void* h, int mode) {
    return take(h, &Handle::atomics_mode, mode);
}
int cublasGetAtomicsMode(void* h, int* mode) {
    return give(h, &Handle::atomics_mode, mode);
}
int cublasSetSmCountTarget(void* h, int n) {
    return take(h, &Handle::multiprocessors, n);
}
int cublasGetSmCountTarget(void* h, int* n) {
    return give(h, &Handle::multiprocessors, n);
}
int cublasSetWorkspace_v2(void* h, void*, std::size_t) {
    return h ? success : not_initialized;
}

const char* cublasGetStatusName(int status) {
    return name_of(status);
}
const char* cublasGetStatusString(int status) {
    return name_of(status);
}

int cublasSetVector(int n, int element, const void* from, int from_step, void* to, int to_step) {
    return copy(__func__, cudaMemcpyHostToDevice, 1, n, element, from, from_step, to, to_step);
}
int cublasGetVector(int n, int element, const void* from, int from_step, void* to, int to_step) {
    return copy(__func__, cudaMemcpyDeviceToHost, 1, n, element, from, from_step, to, to_step);
}
int cublasSetMatrix(int rows, int columns, int element, const void* from, int from_ld, void* to,
                    int to_ld) {
    return copy(__func__, cudaMemcpyHostToDevice, rows, columns, element, from, from_ld, to, to_ld);
}
int cublasGetMatrix(int rows, int columns, int element, const void* from, int from_ld, void* to,
                    int to_ld) {
    return copy(__func__, cudaMemcpyDeviceToHost, rows, columns, element, from, from_ld, to, to_ld);
}

}  // extern "C"
