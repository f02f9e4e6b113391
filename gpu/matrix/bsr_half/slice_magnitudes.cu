#include "gpu/base/launch.hpp"
#include "gpu/matrix/bsr_half/slice_magnitudes.cuh"
#include "gpu/matrix/bsr_half/slice_magnitudes.hpp"

#include <algorithm>

namespace gantry {

namespace {

void find(const CudaBackend& cuda, int slices, const float* value, const device::SliceLines& lines,
          DeviceBuffer<int>& bits) {
  check(cudaMemsetAsync(bits.data(), 0, bits.size() * sizeof(int), cuda.stream()), "a product");
  const unsigned share = blocks(8 * cuda.multiprocessors(), slices);
  const dim3 grid(std::clamp(blocks(lines.lines, 8), 1U, std::max(share, 1U)),
                  static_cast<unsigned>(slices));
  device::find_slice_magnitudes<<<grid, 256, 0, cuda.stream()>>>(value, lines, bits.data());
  check_launch("find_slice_magnitudes");
}

}  // namespace

SliceMagnitudes::SliceMagnitudes(const CudaBackend& cuda, const device::SliceLayout& layout, int nx)
    : cuda_(cuda),
      layout_(layout),
      nx_(nx),
      bits_(cuda, static_cast<std::size_t>(layout.slices), "vectors as halves") {}

void SliceMagnitudes::find_of_images(const float* x) {
  find(cuda_, layout_.slices, x, device::image_lines(layout_, nx_), bits_);
}

void SliceMagnitudes::find_of_rays(const float* y, ViewSubset subset) {
  const device::ViewRange views{subset.first, subset.stride, subset.count, layout_.cells};
  find(cuda_, layout_.slices, y, device::ray_lines(layout_, views), bits_);
}

}  // namespace gantry
