// For clangd only: what nvcc declares and clang does not, or not in the versions that people have.
// Templates, because wherever clang has the function itself, the function is the better match.
#pragma once

namespace lab_editor {
template <class T>
struct Same {
    using Type = T;
};
}  // namespace lab_editor

// Loads and stores that say how long a cache should keep what they touch.
template <class T>
__device__ T __ldca(const T* from);
template <class T>
__device__ T __ldcg(const T* from);
template <class T>
__device__ T __ldcs(const T* from);
template <class T>
__device__ T __ldcv(const T* from);
template <class T>
__device__ T __ldlu(const T* from);
template <class T>
__device__ void __stcg(T* to, typename lab_editor::Same<T>::Type value);
template <class T>
__device__ void __stcs(T* to, typename lab_editor::Same<T>::Type value);
template <class T>
__device__ void __stwb(T* to, typename lab_editor::Same<T>::Type value);
template <class T>
__device__ void __stwt(T* to, typename lab_editor::Same<T>::Type value);
