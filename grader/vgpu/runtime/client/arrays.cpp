// Arrays and textures: so far, how a texel is described.
#include <cuda_runtime_api.h>

extern "C" cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                       cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
