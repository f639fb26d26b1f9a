// The functions that nvcc's generated code calls before main. They only take notes; a program that
// never uses the device never talks to it.
#include "runtime/client/program/program.h"

using namespace vgpu::client;

namespace {
/// The generated code hands back what it was given, as a void**.
Fatbin* fatbin_of(void** handle) {
    return reinterpret_cast<Fatbin*>(handle);
}
}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
    Runtime::instance();  // notes which process this is, before the program can fork
    return reinterpret_cast<void**>(Program::instance().add_fatbin(wrapper));
}

void __cudaRegisterFatBinaryEnd(void**) {}

/// Called when the program ends, and with it the device's memory of the module.
void __cudaUnregisterFatBinary(void**) {}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
    Program::instance().add_function(fatbin_of(handle), host, name);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int,
                       int) {
    Program::instance().add_variable(fatbin_of(handle), host, name, bytes);
}

void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int,
                              size_t bytes, int, int) {
    Program::instance().add_managed(fatbin_of(handle), pointer, name, bytes);
}

/// Host code is about to touch a managed variable: its memory must be there.
char __cudaInitModule(void** handle) {
    const cudaError_t error = call("__cudaInitModule", [&](Runtime& rt) {
        return Program::instance().load(rt, *fatbin_of(handle));
    });
    return error == cudaSuccess ? 1 : 0;
}

}  // extern "C"
