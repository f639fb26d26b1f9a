// Operations that nothing orders, and the same programs put right. The argument says which: NAME is
// the wrong one, NAME-... are right. Half of the right ones look wrong to a tool that guesses.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

__global__ void scale(float* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2;
}
__global__ void sum(const float* p, float* result, int n) {
    float s = 0;
    for (int i = 0; i < n; ++i) s += p[i];
    *result = s;
}

constexpr int kCount = 4096;
constexpr size_t kBytes = kCount * sizeof(float);
__managed__ float managed_variable[kCount];

static std::string mode;
static bool is(const char* name) {
    return mode == name;
}

/// A copy to the device in one stream, a copy from there in another.
static void copies() {
    float *device, *in, *out;
    cudaMalloc(&device, kBytes);
    cudaMallocHost(&in, kBytes), cudaMallocHost(&out, kBytes);
    std::memset(in, 0, kBytes);
    cudaStream_t first, second, third;
    const unsigned flags = is("copies-blocking") ? cudaStreamDefault : cudaStreamNonBlocking;
    cudaStreamCreateWithFlags(&first, flags), cudaStreamCreateWithFlags(&second, flags);
    cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
    cudaEvent_t event, other;
    cudaEventCreate(&event), cudaEventCreateWithFlags(&other, cudaEventDisableTiming);
    const size_t half = kBytes / 2;
    if (is("copies-halves")) {
        for (int i = 0; i < 2; ++i) {
            cudaStream_t s = i == 0 ? first : second;
            cudaMemcpyAsync(device + i * kCount / 2, in + i * kCount / 2, half,
                            cudaMemcpyHostToDevice, s);
            cudaMemcpyAsync(out + i * kCount / 2, device + i * kCount / 2, half,
                            cudaMemcpyDeviceToHost, s);
        }
        cudaDeviceSynchronize();
        return;
    }
    cudaMemcpyAsync(device, in, kBytes, cudaMemcpyHostToDevice, first);
    if (is("copies-event")) {
        cudaEventRecord(event, first);
        cudaStreamWaitEvent(second, event, 0);
    } else if (is("copies-events")) {  // by way of a third stream
        cudaEventRecord(event, first);
        cudaStreamWaitEvent(third, event, 0);
        cudaEventRecord(other, third);
        cudaStreamWaitEvent(second, other, 0);
    } else if (is("copies-host-event")) {
        cudaEventRecord(event, first);
        cudaEventSynchronize(event);
    } else if (is("copies-synchronised")) {
        cudaStreamSynchronize(first);
    } else if (is("copies-device")) {
        cudaDeviceSynchronize();
    } else if (is("copies-polled")) {
        while (cudaStreamQuery(first) == cudaErrorNotReady) {
        }
    } else if (is("copies-blocking")) {
        cudaMemsetAsync(device, 0, 4, nullptr);  // the default stream, between the two
    } else if (is("copies-same")) {
        second = first;
    } else if (is("copies-too-early")) {  // recorded before the copy
        cudaEventRecord(event, third);
        cudaStreamWaitEvent(second, event, 0);
    }
    cudaMemcpyAsync(out, device, kBytes, cudaMemcpyDeviceToHost, second);
    cudaDeviceSynchronize();
    std::printf("%g\n", out[0]);
}

/// The default stream and one that does not wait for it.
static void default_stream() {
    float* device;
    float host[16];
    cudaMalloc(&device, kBytes);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream,
                              is("default-blocking") ? cudaStreamDefault : cudaStreamNonBlocking);
    cudaMemset(device, 0, kBytes);
    if (is("default-synchronised")) cudaDeviceSynchronize();
    cudaMemcpyAsync(host, device, sizeof(host), cudaMemcpyDeviceToHost, stream);
    cudaDeviceSynchronize();
}

/// A copy from an array to itself: moved by one element, or to where it does not read.
static void overlap() {
    float* device;
    cudaMalloc(&device, kBytes);
    cudaMemset(device, 0, kBytes);
    if (is("overlap")) {
        cudaMemcpy(device + 1, device, 16 * sizeof(float), cudaMemcpyDeviceToDevice);
    } else if (is("overlap-apart")) {
        cudaMemcpy(device + 16, device, 16 * sizeof(float), cudaMemcpyDeviceToDevice);
    } else if (is("overlap rows")) {  // one row further on, where the next one is read
        cudaMemcpy2D(device + 16, 16 * sizeof(float), device, 16 * sizeof(float),
                     16 * sizeof(float), 8, cudaMemcpyDeviceToDevice);
    } else if (is("overlap-itself")) {
        cudaMemcpy(device, device, kBytes, cudaMemcpyDeviceToDevice);
    } else if (is("overlap-part rows")) {
        cudaMemcpy2D(device + 16, 16 * sizeof(float), device, 16 * sizeof(float), 8 * sizeof(float),
                     8, cudaMemcpyDeviceToDevice);
    } else if (is("overlap-columns")) {  // of the same rows
        cudaMemcpy2D(device + 1, 16 * sizeof(float), device, 16 * sizeof(float), sizeof(float), 8,
                     cudaMemcpyDeviceToDevice);
    }
    cudaDeviceSynchronize();
    cudaFree(device);
}

/// cudaMallocAsync and cudaFreeAsync order their memory as operations of a stream.
static void pool() {
    float *device, *host;
    cudaMallocHost(&host, kBytes);
    cudaStream_t first, second;
    cudaStreamCreate(&first), cudaStreamCreate(&second);
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaMallocAsync(&device, kBytes, first);
    cudaMemsetAsync(device, 0, kBytes, first);
    cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, first);
    if (is("pool-event")) {
        cudaEventRecord(event, first);
        cudaStreamWaitEvent(second, event, 0);
    }
    cudaFreeAsync(device, is("pool-same") ? first : second);
    cudaDeviceSynchronize();
}

static float seen = 0;

/// The host reads what a copy is still writing.
static void host_reads() {
    float *device, *host;
    cudaMalloc(&device, kBytes), cudaMallocHost(&host, 2 * kBytes);
    cudaMemset(device, 0, kBytes);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, stream);
    if (is("host-reads-synchronised")) cudaStreamSynchronize(stream);
    if (is("host-reads-freed")) cudaFree(device);
    if (is("host-reads-callback")) {
        cudaLaunchHostFunc(
            stream, [](void* p) { seen = *static_cast<float*>(p); }, host);
        cudaDeviceSynchronize();
    }
    if (is("host-reads-elsewhere")) {
        seen = host[kCount];
        host[kCount + 1] = 1;
    } else {
        seen = host[7];
        seen += host[8];
    }
    cudaDeviceSynchronize();
    std::printf("%g\n", seen + host[3]);
}

/// Memory of the program's own, registered: the runtime itself touches it while a copy is under
/// way.
static void registered() {
    float *device, *host = static_cast<float*>(std::aligned_alloc(4096, kBytes));
    cudaMalloc(&device, kBytes);
    cudaMemset(device, 0, kBytes);
    cudaHostRegister(host, kBytes, cudaHostRegisterDefault);
    cudaMemcpyAsync(host, device, kBytes, cudaMemcpyDeviceToHost, nullptr);
    std::printf("%d\n", cudaHostUnregister(host));
    std::printf("%g\n", host[0]);
}

/// The host overwrites what a copy is still reading.
static void host_writes() {
    float *device, *host;
    cudaMalloc(&device, kBytes), cudaMallocHost(&host, kBytes);
    std::memset(host, 0, kBytes);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(device, host, kBytes, cudaMemcpyHostToDevice, stream);
    if (is("host-writes-synchronised")) cudaDeviceSynchronize();
    if (is("host-writes-only-reads")) {
        seen = host[1];
    } else {
        host[1] = 5;
    }
    cudaDeviceSynchronize();
    cudaMemcpy(host, device, kBytes, cudaMemcpyDeviceToHost);
    std::printf("%g\n", host[1]);
}

/// Kernels in two streams, on one buffer.
static void kernels() {
    float* device;
    cudaMalloc(&device, kBytes + 4);
    cudaMemset(device, 0, kBytes + 4);
    cudaStream_t first, second;
    cudaStreamCreate(&first), cudaStreamCreate(&second);
    cudaEvent_t event;
    cudaEventCreate(&event);
    const bool halves = is("kernels-halves");
    scale<<<kCount / 256, 256, 0, first>>>(device, halves ? kCount / 2 : kCount);
    if (is("kernels-event")) {
        cudaEventRecord(event, first);
        cudaStreamWaitEvent(second, event, 0);
    }
    if (is("kernels-twice")) {  // both begin at the same place
        scale<<<kCount / 256, 256, 0, second>>>(device, kCount);
    } else if (halves) {
        sum<<<1, 1, 0, second>>>(device + kCount / 2, device + kCount, kCount / 2);
    } else {
        sum<<<1, 1, 0, second>>>(device, device + kCount, kCount);
    }
    cudaDeviceSynchronize();
}

/// Two kernels that only read the same.
static void readers() {
    float* device;
    cudaMalloc(&device, kBytes + 8);
    cudaMemset(device, 0, kBytes + 8);
    cudaStream_t first, second;
    cudaStreamCreate(&first), cudaStreamCreate(&second);
    sum<<<1, 1, 0, first>>>(device, device + kCount, kCount);
    sum<<<1, 1, 0, second>>>(device, device + kCount + 1, kCount);
    cudaDeviceSynchronize();
}

__global__ void count(int* counter) {
    atomicAdd(counter, 1);
}
__global__ void publish(float* data, volatile int* flag) {
    data[threadIdx.x] = 7;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
}

/// Two kernels that count in one place; a kernel that tells the host by a flag.
static void atomics() {
    int *counter, *flag;
    float* data;
    cudaMalloc(&counter, sizeof(int)), cudaMallocManaged(&data, 4096);
    cudaMallocHost(&flag, sizeof(int));
    cudaMemset(counter, 0, sizeof(int));
    *flag = 0;
    cudaStream_t stream[2];
    for (cudaStream_t& s : stream) {
        cudaStreamCreate(&s);
        count<<<1, 32, 0, s>>>(counter);
    }
    publish<<<1, 1024>>>(data, flag);
    while (*static_cast<volatile int*>(flag) == 0) {
    }
    std::printf("%g\n", data[5]);
    cudaDeviceSynchronize();
}

/// Managed memory while a kernel is at it.
static void managed() {
    float *memory, *other;
    cudaMallocManaged(&memory, kBytes), cudaMallocManaged(&other, kBytes);
    if (is("managed-variable") || is("managed-variable-synchronised")) memory = managed_variable;
    for (int i = 0; i < kCount; ++i) memory[i] = other[i] = 1;
    scale<<<kCount / 256, 256>>>(memory, kCount);
    if (is("managed-synchronised") || is("managed-variable-synchronised")) cudaDeviceSynchronize();
    if (is("managed-other")) memory = other;
    std::printf("%g\n", memory[5]);
    cudaDeviceSynchronize();
}

int main(int, char** arguments) {
    mode = arguments[1];
    const auto begins = [](const char* name) { return mode.rfind(name, 0) == 0; };
    if (begins("copies")) copies();
    if (begins("default")) default_stream();
    if (begins("pool")) pool();
    if (begins("overlap")) overlap();
    if (begins("host-reads")) host_reads();
    if (begins("host-writes")) host_writes();
    if (begins("registered")) registered();
    if (begins("kernels")) kernels();
    if (begins("atomics")) atomics();
    if (begins("readers")) readers();
    if (begins("managed")) managed();
}
