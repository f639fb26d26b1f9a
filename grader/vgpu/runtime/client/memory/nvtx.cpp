// What programs say about their own memory with NVTX's memory extension: pools that they divide
// themselves, what may be done with memory, and names for it. NVTX looks for a tool when it is
// first used: it loads the library that NVTX_INJECTION64_PATH names, and `lab vgpu run` names this
// one. It then asks InitializeInjectionNvtxExtension for functions, and does nothing where it gets
// none: those about threads and streams of their own are not here.
//
// NVTX's functions return no errors, and must not change the program's last error either. The
// device process records calls that make no sense as failed ones.
#if __has_include(<nvtx3/nvToolsExtMemCudaRt.h>)

#include <cstdint>
#include <cstring>

#include "runtime/client/runtime.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExtMem.h>

#include <nvtx3/nvToolsExtMemCudaRt.h>

using namespace vgpu::client;
namespace wire = vgpu::wire;
using wire::Note;

namespace {

struct Words {
    Note note{};
    const void* at = nullptr;
    std::uint64_t bytes = 0;
    std::uint64_t permissions = 0;
    std::string_view text{};
};

void tell(const char* function, const Words& words) {
    const cudaError_t before = last_error();
    call(function, [&](Runtime& rt) {
        wire::Request request = rt.request(wire::Op::annotate);
        request.value = static_cast<std::uint32_t>(words.note);
        request.to = reinterpret_cast<std::uint64_t>(words.at);
        request.bytes = words.bytes;
        request.from = words.permissions;
        return Status(rt.exchange_text(request, words.text.substr(0, wire::kMaxNameBytes)));
    });
    last_error() = before;
}

/// Calls `visit` for each element of an array whose elements may be larger than we know them.
template <class Element, class Visit>
void for_each(const void* elements, std::size_t count, std::size_t element_bytes, Visit visit) {
    if (elements == nullptr || element_bytes < sizeof(Element)) return;
    for (std::size_t i = 0; i < count; ++i) {
        Element element;
        std::memcpy(&element, static_cast<const char*>(elements) + i * element_bytes,
                    sizeof element);
        visit(i, element);
    }
}

/// Ranges of virtual addresses; no other memory is known here.
template <class Visit>
void for_each_range(std::uint32_t type, const void* elements, std::size_t count,
                    std::size_t element_bytes, Visit visit) {
    if (type != NVTX_MEM_TYPE_VIRTUAL_ADDRESS) return;
    for_each<nvtxMemVirtualRangeDesc_t>(elements, count, element_bytes, visit);
}

// Handles of pools and parts are their addresses.

nvtxMemHeapHandle_t register_heap(nvtxDomainHandle_t, const nvtxMemHeapDesc_t* heap) {
    if (heap == nullptr || heap->type != NVTX_MEM_TYPE_VIRTUAL_ADDRESS ||
        heap->typeSpecificDesc == nullptr)
        return nullptr;
    const auto* range = static_cast<const nvtxMemVirtualRangeDesc_t*>(heap->typeSpecificDesc);
    // A layout only describes; what is outside of its regions may be used all the same.
    if (heap->usage == NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR)
        tell("nvtxMemHeapRegister", {Note::open_pool, range->ptr, range->size});
    return static_cast<nvtxMemHeapHandle_t>(const_cast<void*>(range->ptr));
}

void unregister_heap(nvtxDomainHandle_t, nvtxMemHeapHandle_t heap) {
    tell("nvtxMemHeapUnregister", {Note::close_pool, heap});
}

void reset_heap(nvtxDomainHandle_t, nvtxMemHeapHandle_t heap) {
    tell("nvtxMemHeapReset", {Note::empty_pool, heap});
}

void register_regions(nvtxDomainHandle_t, const nvtxMemRegionsRegisterBatch_t* batch) {
    if (batch == nullptr) return;
    for_each_range(batch->regionType, batch->regionDescElements, batch->regionCount,
                   batch->regionDescElementSize,
                   [&](std::size_t i, const nvtxMemVirtualRangeDesc_t& range) {
                       tell("nvtxMemRegionsRegister", {Note::hand_out, range.ptr, range.size});
                       if (batch->regionHandleElementsOut != nullptr)
                           batch->regionHandleElementsOut[i] =
                               static_cast<nvtxMemRegionHandle_t>(const_cast<void*>(range.ptr));
                   });
}

void resize_regions(nvtxDomainHandle_t, const nvtxMemRegionsResizeBatch_t* batch) {
    if (batch == nullptr) return;
    for_each_range(batch->regionType, batch->regionDescElements, batch->regionDescCount,
                   batch->regionDescElementSize,
                   [](std::size_t, const nvtxMemVirtualRangeDesc_t& range) {
                       tell("nvtxMemRegionsResize", {Note::resize, range.ptr, range.size});
                   });
}

void unregister_regions(nvtxDomainHandle_t, const nvtxMemRegionsUnregisterBatch_t* batch) {
    if (batch == nullptr) return;
    for_each<nvtxMemRegionRef_t>(
        batch->refElements, batch->refCount, batch->refElementSize,
        [](std::size_t, const nvtxMemRegionRef_t& region) {
            tell("nvtxMemRegionsUnregister", {Note::take_back, region.pointer});
        });
}

void name_regions(nvtxDomainHandle_t, const nvtxMemRegionsNameBatch_t* batch) {
    if (batch == nullptr) return;
    for_each<nvtxMemRegionNameDesc_t>(
        batch->regionElements, batch->regionCount, batch->regionElementSize,
        [](std::size_t, const nvtxMemRegionNameDesc_t& region) {
            if (region.nameType != NVTX_MESSAGE_TYPE_ASCII || region.name.ascii == nullptr) return;
            tell("nvtxMemRegionsName",
                 {Note::name, region.region.pointer, 0, 0, region.name.ascii});
        });
}

static_assert(wire::kMayRead == NVTX_MEM_PERMISSIONS_REGION_FLAGS_READ &&
              wire::kMayWrite == NVTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE &&
              wire::kMayUseAtomics == NVTX_MEM_PERMISSIONS_REGION_FLAGS_ATOMIC);

void assign_permissions(nvtxDomainHandle_t, const nvtxMemPermissionsAssignBatch_t* batch) {
    if (batch == nullptr) return;
    for_each<nvtxMemPermissionsAssignRegionDesc_t>(
        batch->regionElements, batch->regionCount, batch->regionElementSize,
        [](std::size_t, const nvtxMemPermissionsAssignRegionDesc_t& region) {
            const bool resets = (region.flags & NVTX_MEM_PERMISSIONS_REGION_FLAGS_RESET) != 0;
            tell("nvtxMemPermissionsAssign",
                 {Note::permit, region.region.pointer, 0,
                  resets ? wire::kMayDoAll : region.flags & wire::kMayDoAll});
        });
}

void reset_permissions(nvtxDomainHandle_t, nvtxMemPermissionsHandle_t) {
    tell("nvtxMemPermissionsReset", {Note::permit_all});
}

/// There is one device, and what holds in the process holds there.
nvtxMemPermissionsHandle_t process_permissions(nvtxDomainHandle_t) {
    return NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE;
}
nvtxMemPermissionsHandle_t device_permissions(nvtxDomainHandle_t, int) {
    return NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE;
}

void mark_initialized(nvtxDomainHandle_t, cudaStream_t, std::uint8_t,
                      const nvtxMemMarkInitializedBatch_t* batch) {
    if (batch == nullptr) return;
    for_each_range(batch->regionType, batch->regionDescElements, batch->regionDescCount,
                   batch->regionDescElementSize,
                   [](std::size_t, const nvtxMemVirtualRangeDesc_t& range) {
                       tell("nvtxMemCudaMarkInitialized", {Note::written, range.ptr, range.size});
                   });
}

}  // namespace

// NVTX's headers leave their own visibility behind.
extern "C" [[gnu::visibility("default")]] int InitializeInjectionNvtxExtension(
    nvtxExtModuleInfo_t* module) {
    if (module == nullptr || module->moduleId != NVTX_EXT_MODULEID_MEM ||
        module->compatId != NVTX_EXT_COMPATID_MEM || module->segmentsCount == 0)
        return 0;
    const nvtxExtModuleSegment_t& segment = module->segments[0];
    const auto give = [&](std::size_t slot, auto* function) {
        if (slot < segment.slotCount)
            segment.functionSlots[slot] = reinterpret_cast<std::intptr_t>(function);
    };
    give(NVTX3EXT_CBID_nvtxMemHeapRegister, &register_heap);
    give(NVTX3EXT_CBID_nvtxMemHeapUnregister, &unregister_heap);
    give(NVTX3EXT_CBID_nvtxMemHeapReset, &reset_heap);
    give(NVTX3EXT_CBID_nvtxMemRegionsRegister, &register_regions);
    give(NVTX3EXT_CBID_nvtxMemRegionsResize, &resize_regions);
    give(NVTX3EXT_CBID_nvtxMemRegionsUnregister, &unregister_regions);
    give(NVTX3EXT_CBID_nvtxMemRegionsName, &name_regions);
    give(NVTX3EXT_CBID_nvtxMemPermissionsAssign, &assign_permissions);
    give(NVTX3EXT_CBID_nvtxMemPermissionsReset, &reset_permissions);
    give(NVTX3EXT_CBID_nvtxMemCudaGetProcessWidePermissions, &process_permissions);
    give(NVTX3EXT_CBID_nvtxMemCudaGetDeviceWidePermissions, &device_permissions);
    give(NVTX3EXT_CBID_nvtxMemCudaMarkInitialized, &mark_initialized);
    return 1;
}

#endif
