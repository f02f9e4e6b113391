#include "gpu/kernels/area_row_model.hpp"
#include "gpu/kernels/interval_row_model.hpp"
#include "gpu/kernels/zone_columns.cuh"
#include "gpu/matrix/device_sums.hpp"
#include "gpu/matrix/zone_columns.hpp"
#include "gpu/matrix/zone_tiles.hpp"
#include "gpu/projectors/launch.hpp"

namespace gantry {

template <>
device::ColumnEntries<true> SlicedColumns<true>::entries() const {
  return {const_cast<uint4*>(words_.data())};
}
template <>
device::ColumnEntries<false> SlicedColumns<false>::entries() const {
  return {const_cast<ushort4*>(steps_.data()), const_cast<float4*>(weights_.data())};
}

template <bool Half>
SlicedColumns<Half>::SlicedColumns(const CudaBackend& cuda, const DeviceRows& rows, int nx, int ny)
    : cuda_(cuda) {
  constexpr const char* purpose = "the transpose of a symmetric matrix";
  const DeviceScope scope(cuda.device());
  const auto slices = device::ColumnSlices::of(nx, ny);
  const unsigned grid = blocks(slices.count, 8);
  start_ = DeviceBuffer<std::int64_t>(cuda, static_cast<std::size_t>(slices.count) + 1, purpose);
  DeviceBuffer<unsigned long long> nonzeros(cuda, 1, purpose);
  check(cudaMemsetAsync(start_.data(), 0, start_.size() * sizeof(std::int64_t), cuda.stream()),
        "building a matrix on the GPU");
  check(cudaMemsetAsync(nonzeros.data(), 0, sizeof(unsigned long long), cuda.stream()),
        "building a matrix on the GPU");
  std::visit(
      [&](const auto& model) {
        device::count_slices<<<grid, 256, 0, cuda.stream()>>>(model, slices, start_.data(),
                                                              nonzeros.data());
      },
      rows.model());
  check_launch("count_slices");
  groups_ = counts_to_starts(cuda, start_);
  nonzeros_ = static_cast<std::int64_t>(nonzeros.download().front());
  const auto lanes = static_cast<std::size_t>(32 * groups_);
  if constexpr (Half) {
    words_ = DeviceBuffer<uint4>(cuda, lanes, purpose);
  } else {
    steps_ = DeviceBuffer<ushort4>(cuda, lanes, purpose);
    weights_ = DeviceBuffer<float4>(cuda, lanes, purpose);
  }
  const double per_unit = 1.0 / weight_unit(rows.unit(), Half);
  std::visit(
      [&](const auto& model) {
        device::fill_slices<Half>
            <<<grid, 256, 0, cuda.stream()>>>(model, slices, start_.data(), entries(), per_unit);
      },
      rows.model());
  check_launch("fill_slices");
}

template <bool Half>
std::vector<MatrixPart> SlicedColumns<Half>::parts() const {
  const auto entries = static_cast<std::size_t>(128 * groups_);
  return {{"transposed weights", entries * (Half ? 2 : sizeof(float)), PartOf::transpose},
          {"transposed rows", entries * sizeof(std::uint16_t), PartOf::transpose},
          {"transposed slices", start_.size() * sizeof(std::int64_t), PartOf::transpose}};
}

template class SlicedColumns<false>;
template class SlicedColumns<true>;

}  // namespace gantry
