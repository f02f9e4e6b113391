#include "gpu/kernels/slice_magnitudes.cuh"
#include "gpu/matrix/slice_magnitudes.hpp"
#include "gpu/projectors/launch.hpp"

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
  const int lines = static_cast<int>(layout_.pixels / nx_);
  find(cuda_, layout_.slices, x, {nx_, layout_.pixels, nx_, lines, 0, 1}, bits_);
}

void SliceMagnitudes::find_of_rays(const float* y, ViewSubset subset) {
  const std::int64_t view = std::int64_t{layout_.cells} * layout_.slices;
  find(cuda_, layout_.slices, y,
       {view, layout_.cells, layout_.cells, subset.count, subset.first, subset.stride}, bits_);
}

}  // namespace gantry
