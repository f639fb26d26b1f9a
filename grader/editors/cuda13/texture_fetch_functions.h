// For clangd only. CUDA 13 no longer has this header, and clang up to version 15 includes it before
// every .cu file; without it, it stops in the middle of its own preparations.
