// For clangd only, which includes this header of cuRAND before every .cu file; the toolkit that
// NVIDIA's wheels make has no cuRAND, and without the header clang stops in the middle of its own
// preparations.
#if __has_include_next("curand_mtgp32_kernel.h")
#include_next "curand_mtgp32_kernel.h"
#endif
