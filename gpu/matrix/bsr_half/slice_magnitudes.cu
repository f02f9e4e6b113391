#include "core/base/error.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/bsr_half/slice_lines.cuh"
#include "gpu/matrix/bsr_half/slice_magnitudes.hpp"
#include "gpu/matrix/bsr_half/tuning.hpp"

#include <algorithm>
#include <string>

namespace gantry::device {

/// Computes bits[slice] = max |value|, as the bits of a float (ordered like an integer). Warps own
/// lines as in largest_of_lines, and combine their maxima by atomics. Grid (any, slices), blocks of
/// 256.
__global__ void __launch_bounds__(usual_threads)
    find_slice_magnitudes(const float* __restrict__ value, SliceLines of, int* __restrict__ bits) {
  const float most = largest_of_lines(value, of);
  if (lane_of_warp() == 0 && most > 0) atomicMax(bits + blockIdx.y, __float_as_int(most));
}

}  // namespace gantry::device

namespace gantry {

namespace {

void find(const CudaBackend& cuda, int slices, const float* value, const device::SliceLines& lines,
          DeviceBuffer<int>& bits) {
  check(cudaMemsetAsync(bits.data(), 0, bits.size() * sizeof(int), cuda.stream()), "a product");
  const unsigned share = blocks(bsr_half::magnitude_blocks * cuda.multiprocessors(), slices);
  const dim3 grid(std::clamp(blocks(lines.lines, usual_warps), 1U, std::max(share, 1U)),
                  static_cast<unsigned>(slices));
  device::find_slice_magnitudes<<<grid, usual_threads, 0, cuda.stream()>>>(value, lines,
                                                                           bits.data());
  check_launch("find_slice_magnitudes");
}

}  // namespace

void require_slices_in_launch(int slices) {
  if (slices > most_along_grid)
    throw UsageError("the stack has " + std::to_string(slices) +
                         " slices; this format takes at most " + std::to_string(most_along_grid) +
                         " on a GPU",
                     "format", "reconstruct fewer slices");
}

SliceMagnitudes::SliceMagnitudes(const CudaBackend& cuda, const device::SliceLayout& layout, int nx)
    : cuda_(cuda),
      layout_(layout),
      nx_(nx),
      bits_(cuda, static_cast<std::size_t>(layout.slices), "vectors as halves") {
  require_slices_in_launch(layout.slices);
}

void SliceMagnitudes::find_of_images(const float* x) {
  find(cuda_, layout_.slices, x, device::image_lines(layout_, nx_), bits_);
}

void SliceMagnitudes::find_of_rays(const float* y, ViewSubset subset) {
  const device::ViewRange views{subset.first, subset.stride, subset.count, layout_.cells};
  find(cuda_, layout_.slices, y, device::ray_lines(layout_, views), bits_);
}

}  // namespace gantry
