# Cross-compiles for 64-bit Arm with Debian's own GCC; ./arm64 next to this file uses it. ARM64_SYSTEM is
# the folder of a Debian for arm64, with the libraries that CUDA Labs needs.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(ARM64_SYSTEM "" CACHE PATH "A Debian for arm64")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ARM64_SYSTEM)
set(CMAKE_SYSROOT "${ARM64_SYSTEM}")
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
# Libraries and headers of Arm; programs, and the toolkit's headers, of this machine.
set(CMAKE_FIND_ROOT_PATH "${ARM64_SYSTEM}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
# The toolkit's headers and nvcc are this machine's, its libraries those of the wheels for Arm.
set(arm64_cuda "${ARM64_SYSTEM}/opt/toolchain/nvidia/cu13/lib")
set(CUDA_CUDART "${arm64_cuda}/libcudart.so" CACHE FILEPATH "")
set(CUDA_cudart_static_LIBRARY "${arm64_cuda}/libcudart_static.a" CACHE FILEPATH "")
