// Attributes of streams: hints about caches and waiting, remembered and handed back.
#include <cstring>
#include <map>

#include "runtime/client/alias.h"
#include "runtime/client/streams.h"

using namespace vgpu::client;

namespace {

constexpr Refusal kNullValue{cudaErrorInvalidValue, "the pointer to the value is null"};

using Values = std::map<cudaStreamAttrID, cudaStreamAttrValue>;

/// Guarded by the runtime's lock; never destroyed, as programs may call until their very end.
std::map<cudaStream_t, Values>& attribute_table() {
    static auto& values = *new std::map<cudaStream_t, Values>;
    return values;
}

Status check(cudaStream_t stream, cudaStreamAttrID attribute, const void* value) {
    if (value == nullptr) return kNullValue;
    if (!is_stream(stream)) return kNoStream;
    switch (attribute) {
        case cudaStreamAttributeAccessPolicyWindow:
        case cudaStreamAttributeSynchronizationPolicy:
        case cudaStreamAttributeMemSyncDomainMap:
        case cudaStreamAttributeMemSyncDomain:
            return {};
        default:
            return {cudaErrorInvalidValue, "not an attribute of a stream that can be set"};
    }
}

}  // namespace

extern "C" {

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
    return call("cudaStreamSetAttribute", [&](Runtime&) -> Status {
        const Status status = check(stream, attribute, value);
        if (!status.failed()) attribute_table()[stream][attribute] = *value;
        return status;
    });
}
VGPU_ALIAS(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
    return call("cudaStreamGetAttribute", [&](Runtime&) -> Status {
        const Status status = check(stream, attribute, value);
        if (status.failed()) return status;
        std::memset(value, 0, sizeof(*value));
        if (const auto set = attribute_table()[stream].find(attribute);
            set != attribute_table()[stream].end()) {
            *value = set->second;
        }
        return {};
    });
}
VGPU_ALIAS(cudaStreamGetAttribute_ptsz, cudaStreamGetAttribute);

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return call("cudaStreamCopyAttributes", [&](Runtime&) -> Status {
        if (!is_stream(to) || !is_stream(from)) return kNoStream;
        attribute_table()[to] = attribute_table()[from];
        return {};
    });
}
VGPU_ALIAS(cudaStreamCopyAttributes_ptsz, cudaStreamCopyAttributes);

}  // extern "C"
