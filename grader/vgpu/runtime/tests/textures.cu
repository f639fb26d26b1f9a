// Textures, surfaces and arrays: values that follow from "Texture Fetching" in the CUDA C++
// Programming Guide, worked out by hand. Prints what differs; the mistakes are modes of their own.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

int wrong = 0;

void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    ++wrong;
}
#define CHECK(call) check(call, #call)

void expect(const char* what, const std::vector<float>& got, const std::vector<float>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (got[i] == expected[i]) continue;
        std::printf("%s: element %zu is %.9g instead of %.9g\n", what, i, got[i], expected[i]);
        ++wrong;
    }
}

constexpr int kMost = 64;
__managed__ float coordinates[3][kMost];
__managed__ float results[4 * kMost];

std::vector<float> taken(int count) {
    CHECK(cudaDeviceSynchronize());
    return {results, results + count};
}

void set(int axis, const std::vector<float>& values) {
    std::memcpy(coordinates[axis], values.data(), values.size() * sizeof(float));
}

__global__ void fetch_1d(cudaTextureObject_t t) {
    const int i = threadIdx.x;
    results[i] = tex1D<float>(t, coordinates[0][i]);
}
__global__ void fetch_2d(cudaTextureObject_t t) {
    const int i = threadIdx.x;
    results[i] = tex2D<float>(t, coordinates[0][i], coordinates[1][i]);
}
__global__ void fetch_3d(cudaTextureObject_t t) {
    const int i = threadIdx.x;
    results[i] = tex3D<float>(t, coordinates[0][i], coordinates[1][i], coordinates[2][i]);
}
__global__ void fetch_layer(cudaTextureObject_t t) {
    const int i = threadIdx.x;
    results[i] = tex2DLayered<float>(t, coordinates[0][i], coordinates[1][i],
                                     static_cast<int>(coordinates[2][i]));
}
__global__ void fetch_cube(cudaTextureObject_t t) {
    const int i = threadIdx.x;
    results[i] = texCubemap<float>(t, coordinates[0][i], coordinates[1][i], coordinates[2][i]);
}
__global__ void fetch_level(cudaTextureObject_t t) {
    results[threadIdx.x] = tex2DLod<float>(t, coordinates[0][threadIdx.x], 0.5f, 3.0f);
}
__global__ void gather(cudaTextureObject_t t) {
    const float4 v = tex2Dgather<float4>(t, coordinates[0][0], coordinates[1][0], 0);
    results[0] = v.x;
    results[1] = v.y;
    results[2] = v.z;
    results[3] = v.w;
}
__global__ void fetch_whole(cudaTextureObject_t t) {
    const int i = threadIdx.x;
    results[i] = static_cast<float>(tex1Dfetch<unsigned>(t, i - 2));
}
__global__ void fetch_colour(cudaTextureObject_t t) {
    const float4 v = tex2D<float4>(t, 0.5f, 0.5f);
    results[0] = v.x;
    results[1] = v.y;
    results[2] = v.z;
    results[3] = v.w;
}
__global__ void fetch_bytes(cudaTextureObject_t t) {
    const uchar4 v = tex2D<uchar4>(t, 0.5f, 0.5f);
    results[0] = v.x;
    results[1] = v.y;
    results[2] = v.z;
    results[3] = v.w;
}
__global__ void fetch_signed(cudaTextureObject_t t) {
    results[threadIdx.x] = static_cast<float>(tex1D<short>(t, threadIdx.x + 0.5f));
}

/// Every other lane fetches, each from an object of its own.
__global__ void fetch_apart(cudaTextureObject_t a, cudaTextureObject_t b) {
    const int i = threadIdx.x;
    results[i] = -1;
    if (i % 2 == 0) results[i] = tex2D<float>(i % 4 == 0 ? a : b, 1.5f, 1.5f);
}

__global__ void write_surface(cudaSurfaceObject_t s, int width) {
    const int x = threadIdx.x, y = threadIdx.y;
    surf2Dwrite(10.0f * static_cast<float>(y) + static_cast<float>(x), s,
                x * static_cast<int>(sizeof(float)), y);
    (void)width;
}
__global__ void read_surface(cudaSurfaceObject_t s) {
    const int i = threadIdx.x;
    surf2Dread(&results[2 * i], s, (i - 1) * static_cast<int>(sizeof(float)), 1,
               cudaBoundaryModeClamp);
    surf2Dread(&results[2 * i + 1], s, (i - 1) * static_cast<int>(sizeof(float)), 1,
               cudaBoundaryModeZero);
}
__global__ void write_outside(cudaSurfaceObject_t s) {
    surf2Dwrite(1.0f, s, static_cast<int>(threadIdx.x), 0);  // x in elements, not bytes
    surf2Dwrite(1.0f, s, 16, 0);
}

struct Image {
    cudaArray_t array = nullptr;
    cudaTextureObject_t texture = 0;
};

struct Reading {
    cudaTextureAddressMode edge = cudaAddressModeClamp;
    cudaTextureFilterMode filter = cudaFilterModePoint;
    cudaTextureReadMode read = cudaReadModeElementType;
    bool is_normalized = false;
    float border = 0;
};

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, const Reading& reading) {
    cudaTextureDesc desc{};
    for (auto& mode : desc.addressMode) mode = reading.edge;
    desc.filterMode = reading.filter;
    desc.readMode = reading.read;
    desc.normalizedCoords = reading.is_normalized;
    desc.borderColor[0] = reading.border;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    return texture;
}

cudaTextureObject_t texture_of(cudaArray_t array, const Reading& reading = {}) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return texture_of(resource, reading);
}

template <class T>
cudaArray_t array_of(const std::vector<T>& values, std::size_t width, std::size_t height,
                     unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, width, height, flags));
    const std::size_t rows = height == 0 ? 1 : height;
    CHECK(cudaMemcpy2DToArray(array, 0, 0, values.data(), width * sizeof(T), width * sizeof(T),
                              rows, cudaMemcpyHostToDevice));
    return array;
}

/// Element x of row y is 10 y + x.
std::vector<float> ramp(int width, int height) {
    std::vector<float> values;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) values.push_back(static_cast<float>(10 * y + x));
    return values;
}

void points() {
    cudaArray_t array = array_of(ramp(4, 3), 4, 3);
    const cudaTextureObject_t clamped = texture_of(array);
    set(0, {0.5f, 3.5f, 1.0f, 1.999f, -5.0f, 99.0f, 2.5f});
    set(1, {0.5f, 2.5f, 1.0f, 0.0f, 1.5f, 1.5f, -7.0f});
    fetch_2d<<<1, 7>>>(clamped);
    expect("clamped", taken(7), {0, 23, 11, 1, 10, 13, 2});

    const cudaTextureObject_t border = texture_of(
        array, {cudaAddressModeBorder, cudaFilterModePoint, cudaReadModeElementType, false, 7});
    set(0, {-0.5f, 0.5f, 4.0f, 3.5f});
    set(1, {0.5f, 0.5f, 0.5f, 3.5f});
    fetch_2d<<<1, 4>>>(border);
    expect("border", taken(4), {7, 0, 7, 7});

    set(0, {0.5f, 2.5f});
    fetch_level<<<1, 2>>>(clamped);
    expect("a level of detail", taken(2), {0, 2});

    fetch_apart<<<1, 6>>>(clamped, border);
    expect("two objects in a warp", taken(6), {11, -1, 11, -1, 11, -1});
    for (const auto texture : {clamped, border}) CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
}

void normalized() {
    cudaArray_t array = array_of(ramp(4, 1), 4, 0);
    const auto along = [&](cudaTextureAddressMode edge, const std::vector<float>& at) {
        const cudaTextureObject_t t =
            texture_of(array, {edge, cudaFilterModePoint, cudaReadModeElementType, true, 0});
        set(0, at);
        fetch_1d<<<1, static_cast<unsigned>(at.size())>>>(t);
        const std::vector<float> result = taken(static_cast<int>(at.size()));
        CHECK(cudaDestroyTextureObject(t));
        return result;
    };
    const std::vector<float> at{0.125f, 0.875f, 1.125f, 2.375f, -0.125f, -1.125f};
    expect("wrap", along(cudaAddressModeWrap, at), {0, 3, 0, 1, 3, 3});
    expect("mirror", along(cudaAddressModeMirror, at), {0, 3, 3, 1, 0, 3});
    expect("normalized clamp", along(cudaAddressModeClamp, at), {0, 3, 3, 3, 0, 0});
    CHECK(cudaFreeArray(array));
}

void filtered() {
    cudaArray_t line = array_of(ramp(4, 1), 4, 0);
    const Reading linear{cudaAddressModeClamp, cudaFilterModeLinear};
    const cudaTextureObject_t t = texture_of(line, linear);
    // Elements' middles are at .5; the fraction has 8 bits: 0.3 becomes 77 / 256.
    set(0, {0.5f, 1.0f, 0.8f, 0.0f, 3.75f, 2.25f});
    fetch_1d<<<1, 6>>>(t);
    expect("linear", taken(6), {0, 0.5f, 77.0f / 256, 0, 3, 1.75f});

    cudaArray_t plane = array_of(ramp(4, 3), 4, 3);
    const cudaTextureObject_t t2 = texture_of(plane, linear);
    set(0, {1.0f, 2.0f, 2.25f});
    set(1, {0.5f, 1.0f, 2.0f});
    fetch_2d<<<1, 3>>>(t2);
    expect("bilinear", taken(3), {0.5f, 6.5f, 16.75f});

    const cudaTextureObject_t wrapped = texture_of(
        line, {cudaAddressModeWrap, cudaFilterModeLinear, cudaReadModeElementType, true});
    set(0, {0.0f, 1.0f, 0.125f});
    fetch_1d<<<1, 3>>>(wrapped);
    expect("linear and wrapped", taken(3), {1.5f, 1.5f, 0});

    cudaArray_t square = array_of(ramp(4, 4), 4, 4, cudaArrayTextureGather);
    const cudaTextureObject_t t3 = texture_of(square);
    set(0, {2.0f});
    set(1, {1.0f});
    gather<<<1, 1>>>(t3);
    expect("gather", taken(4), {11, 12, 2, 1});
}

void formats() {
    cudaArray_t bytes = array_of(std::vector<uchar4>{{255, 51, 0, 128}}, 1, 1);
    const Reading fractions{cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat};
    fetch_colour<<<1, 1>>>(texture_of(bytes, fractions));
    expect("bytes as fractions", taken(4), {1, 0.2f, 0, 128.0f / 255});
    fetch_bytes<<<1, 1>>>(texture_of(bytes));
    expect("bytes", taken(4), {255, 51, 0, 128});

    cudaArray_t shorts = array_of(std::vector<short>{-32768, -32767, 32767, 5}, 4, 0);
    fetch_signed<<<1, 4>>>(texture_of(shorts));
    expect("signed", taken(4), {-32768, -32767, 32767, 5});
    set(0, {0.5f, 1.5f, 2.5f});
    fetch_1d<<<1, 3>>>(texture_of(shorts, fractions));
    expect("signed fractions", taken(3), {-1, -1, 1});

    cudaTextureDesc desc{};
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = shorts;
    desc.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t none = 0;
    if (cudaCreateTextureObject(&none, &resource, &desc, nullptr) != cudaErrorInvalidFilterSetting)
        std::printf("a linear filter of integers is no error\n"), ++wrong;
    cudaGetLastError();
}

void memory() {
    const std::vector<unsigned> values{5, 6, 7, 8};
    unsigned* linear = nullptr;
    CHECK(cudaMalloc(&linear, values.size() * sizeof(unsigned)));
    CHECK(cudaMemcpy(linear, values.data(), 16, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.desc = cudaCreateChannelDesc<unsigned>();
    resource.res.linear.sizeInBytes = 16;
    fetch_whole<<<1, 8>>>(texture_of(resource, {}));
    expect("linear memory", taken(8), {0, 0, 5, 6, 7, 8, 0, 0});

    float* rows = nullptr;
    std::size_t pitch = 0;
    CHECK(cudaMallocPitch(reinterpret_cast<void**>(&rows), &pitch, 4 * sizeof(float), 3));
    CHECK(cudaMemcpy2D(rows, pitch, ramp(4, 3).data(), 16, 16, 3, cudaMemcpyHostToDevice));
    cudaResourceDesc pitched{};
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D = {rows, cudaCreateChannelDesc<float>(), 4, 3, pitch};
    set(0, {3.5f, 0.5f, 9.0f});
    set(1, {2.5f, 1.5f, 0.5f});
    fetch_2d<<<1, 3>>>(texture_of(pitched, {}));
    expect("pitched memory", taken(3), {23, 10, 3});

    // A texture cannot begin at any element, nor have any pitch.
    const auto expect_invalid = [](const char* what, const cudaResourceDesc& refused) {
        const cudaTextureDesc desc{};
        cudaTextureObject_t none = 0;
        if (cudaCreateTextureObject(&none, &refused, &desc, nullptr) != cudaErrorInvalidValue)
            std::printf("%s is no error\n", what), ++wrong;
        cudaGetLastError();
    };
    resource.res.linear = {linear + 1, cudaCreateChannelDesc<unsigned>(), 12};
    expect_invalid("linear memory from its second element on", resource);
    pitched.res.pitch2D.devPtr = rows + 1;
    expect_invalid("pitched memory from its second element on", pitched);
    pitched.res.pitch2D = {rows, cudaCreateChannelDesc<float>(), 3, 3, 20};
    expect_invalid("a pitch of 20 bytes", pitched);
    CHECK(cudaFree(linear));
    CHECK(cudaFree(rows));
}

/// Element (x, y, z) is 100 z + 10 y + x.
cudaArray_t box(int side, int depth, unsigned flags) {
    std::vector<float> values;
    for (int z = 0; z < depth; ++z)
        for (const float v : ramp(side, side)) values.push_back(100.0f * static_cast<float>(z) + v);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const auto n = static_cast<std::size_t>(side), layers = static_cast<std::size_t>(depth);
    cudaArray_t array = nullptr;
    CHECK(cudaMalloc3DArray(&array, &format, {n, n, layers}, flags));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = {values.data(), n * sizeof(float), n, n};
    copy.dstArray = array;
    copy.extent = {n, n, layers};  // elements, because of the array
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

void boxes() {
    cudaArray_t volume = box(3, 4, 0);
    set(0, {0.5f, 2.5f, 1.5f});
    set(1, {1.5f, 0.5f, 2.5f});
    set(2, {3.5f, 2.5f, 9.5f});
    fetch_3d<<<1, 3>>>(texture_of(volume));
    expect("a volume", taken(3), {310, 202, 321});
    set(0, {1.0f});
    set(1, {1.0f});
    set(2, {1.0f});
    fetch_3d<<<1, 1>>>(texture_of(volume, {cudaAddressModeClamp, cudaFilterModeLinear}));
    expect("trilinear", taken(1), {55.5f});

    cudaArray_t layers = box(3, 4, cudaArrayLayered);
    set(0, {0.5f, 2.5f, 1.5f});
    set(1, {1.5f, 0.5f, 2.5f});
    set(2, {3, 2, 99});
    fetch_layer<<<1, 3>>>(texture_of(layers));
    expect("layers", taken(3), {310, 202, 321});

    cudaArray_t cube = box(2, 6, cudaArrayCubemap);
    // Towards the middle of each face, a little to the side that s and t say.
    set(0, {1, -1, 0.4f, 0.4f, 0.4f, 0.4f});
    set(1, {0.5f, 0.5f, 1, -1, 0.5f, 0.5f});
    set(2, {0.4f, 0.4f, 0.5f, 0.5f, 1, -1});
    fetch_cube<<<1, 6>>>(texture_of(cube));
    expect("a cube map", taken(6), {0, 101, 211, 301, 401, 500});
}

void surfaces() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CHECK(cudaMallocArray(&array, &format, 4, 3, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    write_surface<<<1, dim3(4, 3)>>>(surface, 4);
    std::vector<float> back(12);
    CHECK(cudaMemcpy2DFromArray(back.data(), 16, array, 0, 0, 16, 3, cudaMemcpyDeviceToHost));
    expect("a surface", back, ramp(4, 3));
    read_surface<<<1, 6>>>(surface);
    expect("a surface's edges", taken(12), {10, 0, 10, 10, 11, 11, 12, 12, 13, 13, 13, 0});

    cudaArray_t plain = array_of(ramp(4, 3), 4, 3);
    resource.res.array.array = plain;
    cudaSurfaceObject_t none = 0;
    if (cudaCreateSurfaceObject(&none, &resource) != cudaErrorInvalidValue)
        std::printf("a surface of an array without its flag is no error\n"), ++wrong;
    cudaGetLastError();
}

void copies() {
    cudaArray_t a = array_of(ramp(4, 3), 4, 3);
    cudaArray_t b = array_of(std::vector<float>(12, -1), 4, 3);
    CHECK(cudaMemcpy2DArrayToArray(b, 4, 1, a, 0, 0, 8, 2, cudaMemcpyDeviceToDevice));
    std::vector<float> back(12);
    CHECK(cudaMemcpy2DFromArray(back.data(), 16, b, 0, 0, 16, 3, cudaMemcpyDeviceToHost));
    expect("between arrays", back, {-1, -1, -1, -1, -1, 0, 1, -1, -1, 10, 11, -1});
    if (cudaMemcpy2DToArray(a, 8, 0, back.data(), 16, 16, 1, cudaMemcpyHostToDevice) !=
        cudaErrorInvalidValue)
        std::printf("a row that leaves the array is no error\n"), ++wrong;
    cudaGetLastError();
    cudaChannelFormatDesc format{};
    cudaExtent extent{};
    unsigned flags = 1;
    CHECK(cudaArrayGetInfo(&format, &extent, &flags, a));
    if (format.x != 32 || format.y != 0 || extent.width != 4 || extent.height != 3 || flags != 0)
        std::printf("cudaArrayGetInfo\n"), ++wrong;
    CHECK(cudaFreeArray(a));
    if (cudaFreeArray(a) != cudaErrorInvalidResourceHandle)
        std::printf("an array can be freed twice\n"), ++wrong;
    cudaGetLastError();
}

/// What a program can do wrong; each ends its context.
int mistake(const std::string& which) {
    cudaArray_t array = array_of(ramp(4, 3), 4, 3, cudaArraySurfaceLoadStore);
    if (which == "destroyed") {
        const cudaTextureObject_t texture = texture_of(array);
        CHECK(cudaDestroyTextureObject(texture));
        fetch_2d<<<1, 4>>>(texture);
    } else if (which == "freed") {
        const cudaTextureObject_t texture = texture_of(array);
        CHECK(cudaFreeArray(array));
        fetch_2d<<<1, 4>>>(texture);
    } else {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaSurfaceObject_t surface = 0;
        CHECK(cudaCreateSurfaceObject(&surface, &resource));
        write_outside<<<1, 1>>>(surface);
    }
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? wrong : 100;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) return mistake(argv[1]);
    points();
    normalized();
    filtered();
    formats();
    memory();
    boxes();
    surfaces();
    copies();
    return wrong;
}
