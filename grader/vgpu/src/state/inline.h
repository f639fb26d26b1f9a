// Functions that are inlined everywhere: hot paths are compiled for several instruction sets, and a
// copy that is shared between them would run on none but the best.
#pragma once

#define VGPU_INLINE [[gnu::always_inline]] inline
