#include "core/projectors/dd_kernels.hpp"

#define GANTRY_ISA dd_baseline
#include "core/projectors/dd_kernels.inl"
