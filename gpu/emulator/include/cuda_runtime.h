/* cuda_runtime.h of the emulated GPU: stands in for CUDA's, so that a kernel file compiles with the host's C++17
 * compiler and runs on the machine of gpu/emulator/. It covers what kernels of this project use and grows with them;
 * names and meanings are CUDA's. Not covered: textures, inline PTX, cooperative groups, dynamic parallelism. */
#ifndef EMULATED_CUDA_RUNTIME_H
#define EMULATED_CUDA_RUNTIME_H

/* Before our macros: the system's own headers must not see them. */
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "emulated/flops.h"
#include "emulated/language.h"
#include "emulated/vectors.h"

#include "emulated/async.h"
#include "emulated/atomics.h"
#include "emulated/host.h"
#include "emulated/math.h"
#include "emulated/threads.h"

#include "emulated/warp.h"

#endif
