// Texture and surface objects: what of a program's description the device needs to know.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "runtime/client/memory/arrays.h"
#include "runtime/client/runtime.h"
#include "vgpu/gpu.h"

using namespace vgpu::client;
namespace wire = vgpu::wire;

namespace {

constexpr Refusal kNoObject{cudaErrorInvalidValue, "not a texture or surface object"};

struct Described {
    cudaResourceDesc resource{};
    cudaTextureDesc texture{};
};

/// By their numbers; guarded by the runtime's lock, never destroyed.
std::map<unsigned long long, Described>& objects() {
    static auto& all = *new std::map<unsigned long long, Described>;
    return all;
}

Status absent(const char* what) {
    say("%s: it would be added in grader/vgpu/runtime/client/memory/textures.cpp", what);
    return {cudaErrorNotSupported, what};
}

Status describe_format(const cudaChannelFormatDesc& f, wire::TextureFacts& facts) {
    facts.bits = static_cast<std::uint32_t>(f.x);
    facts.channels = f.w != 0 ? 4 : f.z != 0 ? 3 : f.y != 0 ? 2 : 1;
    switch (f.f) {
        case cudaChannelFormatKindSigned:
            facts.element = wire::Element::integer;
            break;
        case cudaChannelFormatKindUnsigned:
            facts.element = wire::Element::natural;
            break;
        case cudaChannelFormatKindFloat:
            facts.element = wire::Element::real;
            break;
        default:
            return absent("a texture of this format is not available");
    }
    const bool is_width = f.x == 8 || f.x == 16 || f.x == 32;
    if (!is_width || facts.channels == 3 || (facts.element == wire::Element::real && f.x == 8)) {
        return {cudaErrorInvalidChannelDescriptor,
                "elements have 1, 2 or 4 channels of 8, 16 or 32 bits"};
    }
    return {};
}

/// Where a texture of linear memory may begin, as CUDA's documentation says. (An H200 refused one
/// of an array that a race had moved by a multiple of 256 bytes.)
Status check_begin(std::uint64_t base) {
    if (base % vgpu::model::modelled_gpu().pitch_alignment_bytes == 0) return {};
    return {cudaErrorInvalidValue,
            "a texture begins on a multiple of textureAlignment (512 bytes), as what cudaMalloc "
            "returns does: not at any element"};
}

/// Where the elements lie.
Status describe_memory(const cudaResourceDesc& r, wire::TextureFacts& facts) {
    switch (r.resType) {
        case cudaResourceTypeArray: {
            const cudaArray* const array = array_of(r.res.array.array);
            if (array == nullptr) {
                return {cudaErrorInvalidResourceHandle, "not an array, or one that was freed"};
            }
            facts.base = reinterpret_cast<std::uint64_t>(array->begin);
            facts.row_bytes = array->row_bytes;
            facts.layer_bytes = array->layer_bytes();
            facts.width = static_cast<std::uint32_t>(array->extent.width);
            facts.height = static_cast<std::uint32_t>(array->rows);
            facts.depth = static_cast<std::uint32_t>(array->layers);
            return describe_format(array->format, facts);
        }
        case cudaResourceTypeLinear: {
            const auto& linear = r.res.linear;
            if (Status status = describe_format(linear.desc, facts); status.failed()) return status;
            facts.base = reinterpret_cast<std::uint64_t>(linear.devPtr);
            const std::size_t count = linear.sizeInBytes / (facts.bits / 8 * facts.channels);
            facts.width = static_cast<std::uint32_t>(std::min<std::size_t>(count, INT32_MAX));
            facts.row_bytes = facts.layer_bytes = linear.sizeInBytes;
            facts.is_linear = 1;
            if (count == 0) return {cudaErrorInvalidValue, "a texture of no elements"};
            return check_begin(facts.base);
        }
        case cudaResourceTypePitch2D: {
            const auto& rows = r.res.pitch2D;
            if (Status status = describe_format(rows.desc, facts); status.failed()) return status;
            facts.base = reinterpret_cast<std::uint64_t>(rows.devPtr);
            facts.row_bytes = rows.pitchInBytes;
            facts.layer_bytes = rows.pitchInBytes * rows.height;
            facts.width = static_cast<std::uint32_t>(rows.width);
            facts.height = static_cast<std::uint32_t>(rows.height);
            if (rows.width == 0 || rows.height == 0 ||
                rows.width * (facts.bits / 8 * facts.channels) > rows.pitchInBytes) {
                return {cudaErrorInvalidValue,
                        "a row is longer than the pitch, or has no elements"};
            }
            if (rows.pitchInBytes % vgpu::model::kTexturePitchAlignment != 0) {
                return {cudaErrorInvalidValue,
                        "the pitch of a texture is a multiple of texturePitchAlignment (32 bytes)"};
            }
            return check_begin(facts.base);
        }
        default:
            return absent("a texture of mipmaps is not available");
    }
}

Status describe_reading(const cudaTextureDesc& t, wire::TextureFacts& facts) {
    for (int axis = 0; axis < 3; ++axis) {
        if (t.addressMode[axis] > cudaAddressModeBorder) {
            return {cudaErrorInvalidValue, "no such address mode"};
        }
        // The same order in both.
        facts.edge[axis] = static_cast<wire::Edge>(t.addressMode[axis]);
        facts.border[axis] = t.borderColor[axis];
    }
    facts.border[3] = t.borderColor[3];
    facts.interpolates = t.filterMode == cudaFilterModeLinear;
    facts.is_normalized = t.normalizedCoords != 0;
    facts.to_fraction = t.readMode == cudaReadModeNormalizedFloat;
    const bool is_integer = facts.element != wire::Element::real;
    if (facts.to_fraction && is_integer && facts.bits == 32) {
        return {cudaErrorInvalidNormSetting,
                "cudaReadModeNormalizedFloat is for elements of 8 and 16 bits"};
    }
    if (facts.interpolates && is_integer && !facts.to_fraction) {
        return {cudaErrorInvalidFilterSetting,
                "the linear filter gives floats: read floats, or with "
                "cudaReadModeNormalizedFloat"};
    }
    if (t.sRGB != 0) return absent("sRGB in textures is not available");
    return {};
}

Status create(Runtime& rt, const wire::TextureFacts& facts, const Described& described,
              unsigned long long* object) {
    std::memcpy(rt.staging().data(), &facts, sizeof facts);
    wire::Request request = rt.request(wire::Op::create_texture);
    request.staged_bytes = sizeof facts;
    const wire::Reply reply = rt.exchange(request);
    if (reply.error != cudaSuccess) return Status(reply);
    *object = reply.address;
    objects()[reply.address] = described;
    return {};
}

cudaError_t destroy(const char* function, unsigned long long object) {
    return call(function, [&](Runtime& rt) -> Status {
        if (object == 0) return {};
        if (objects().erase(object) == 0) return kNoObject;
        wire::Request request = rt.request(wire::Op::destroy_texture);
        request.to = object;
        return Status(rt.exchange(request));
    });
}

template <class Part, class T>
cudaError_t look_up(const char* function, T* result, unsigned long long object, Part part) {
    return call(function, [&](Runtime&) -> Status {
        if (result == nullptr) return kNullPointer;
        const auto found = objects().find(object);
        if (found == objects().end()) return kNoObject;
        *result = found->second.*part;
        return {};
    });
}

}  // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture,
                                    const cudaResourceViewDesc* view) {
    return call("cudaCreateTextureObject", [&](Runtime& rt) -> Status {
        if (object == nullptr || resource == nullptr || texture == nullptr) return kNullPointer;
        if (view != nullptr && view->format != cudaResViewFormatNone) {
            return absent("a texture that views its elements as others is not available");
        }
        wire::TextureFacts facts{};
        Status status = describe_memory(*resource, facts);
        if (!status.failed()) status = describe_reading(*texture, facts);
        if (status.failed()) return status;
        return create(rt, facts, {*resource, *texture}, object);
    });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
    return destroy("cudaDestroyTextureObject", object);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    return call("cudaCreateSurfaceObject", [&](Runtime& rt) -> Status {
        if (object == nullptr || resource == nullptr) return kNullPointer;
        if (resource->resType != cudaResourceTypeArray) {
            return {cudaErrorInvalidValue, "a surface is that of an array"};
        }
        wire::TextureFacts facts{};
        if (Status status = describe_memory(*resource, facts); status.failed()) return status;
        if ((resource->res.array.array->flags & cudaArraySurfaceLoadStore) == 0) {
            return {cudaErrorInvalidValue, "the array was not made with cudaArraySurfaceLoadStore"};
        }
        return create(rt, facts, {*resource, {}}, object);
    });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
    return destroy("cudaDestroySurfaceObject", object);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
    return look_up("cudaGetTextureObjectResourceDesc", resource, object, &Described::resource);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
    return look_up("cudaGetTextureObjectTextureDesc", texture, object, &Described::texture);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
    return look_up("cudaGetSurfaceObjectResourceDesc", resource, object, &Described::resource);
}

/// 2^28 elements, as the H200's property maxTexture1DLinear says; kept as a fact of the modelled
/// GPU.
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* elements,
                                                 const cudaChannelFormatDesc* format, int device) {
    return call("cudaDeviceGetTexture1DLinearMaxWidth", [&](Runtime&) -> Status {
        if (elements == nullptr || format == nullptr) return kNullPointer;
        if (device != 0) return {cudaErrorInvalidDevice, "there is only device 0"};
        *elements = std::size_t{1} << 28;
        return {};
    });
}

}  // extern "C"
