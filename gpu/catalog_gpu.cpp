// One line per CUDA variant of an algorithm.
#include "gpu/catalog_gpu.hpp"

#include "core/base/error.hpp"
#include "core/matrix/rows/brc.hpp"
#include "core/matrix/rows/csr5.hpp"
#include "core/matrix/rows/ellr_t.hpp"
#include "core/matrix/symmetric/scsr.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "core/solvers/coordinate/icd.hpp"
#include "core/solvers/coordinate/supervoxel_icd.hpp"
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/direct/fdk.hpp"
#include "core/solvers/direct/streamed_filtered_sum.hpp"
#include "core/solvers/penalised/wls_pcg.hpp"
#include "core/solvers/row_action/parallel_art.hpp"
#include "core/streaming/streamed_projector.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/devices.hpp"
#include "gpu/base/nvml.hpp"
#include "gpu/base/page_locked_backend.hpp"
#include "gpu/base/stream_workers.hpp"
#include "gpu/matrix/block_csr/block_csr.hpp"
#include "gpu/matrix/brc/brc.hpp"
#include "gpu/matrix/bsr_half/bsr_half.hpp"
#include "gpu/matrix/bsr_half_symmetric/bsr_half_symmetric.hpp"
#include "gpu/matrix/csr5/csr5.hpp"
#include "gpu/matrix/cusparse/csr_half2.hpp"
#include "gpu/matrix/cusparse/cusparse_bell.hpp"
#include "gpu/matrix/cusparse/cusparse_csr.hpp"
#include "gpu/matrix/cusparse/cusparse_spmm.hpp"
#include "gpu/matrix/ellr_t/ellr_t.hpp"
#include "gpu/matrix/rows/row_norms.hpp"
#include "gpu/matrix/scsr/scsr.hpp"
#include "gpu/matrix/sliced_ell/sliced_ell.hpp"
#include "gpu/priors/magnitude_priors.hpp"
#include "gpu/priors/mumford_shah.hpp"
#include "gpu/priors/qggmrf.hpp"
#include "gpu/projectors/area/area_integral.hpp"
#include "gpu/projectors/distance_driven/branchless/dd_branchless_variants.hpp"
#include "gpu/projectors/distance_driven/distance_driven.hpp"
#include "gpu/projectors/separable_footprint/separable_footprint.hpp"
#include "gpu/projectors/siddon_joseph/joseph.hpp"
#include "gpu/projectors/siddon_joseph/siddon.hpp"
#include "gpu/projectors/split/split_projector.hpp"
#include "gpu/projectors/voxel/voxel_driven.hpp"
#include "gpu/solvers/filtered_backprojection.hpp"

#include <functional>
#include <mutex>
#include <utility>

namespace gantry {

namespace {

// One line for each algorithm: the CUDA version of an algorithm of the core, or an algorithm that
// exists on CUDA only.
// clang-format off
void add_algorithms(Catalog& catalog) {
  auto& projectors = catalog.projectors;
  const auto on_cuda = [&projectors](const std::string& key, const auto& make, EstimateMemory memory, bool gives_weights = false) {
    ProjectorTraits traits = projectors.at(key).traits;
    traits.memory = memory;
    traits.has_columns = traits.has_columns && gives_weights;
    traits.has_rows = gives_weights;
    projectors.add_on("cuda", key, make, {}, traits);
  };
  on_cuda("distance_driven", make_cuda_distance_driven, cuda_distance_driven_memory, true);
  projectors.add({"dd_gpu_bl", "Distance-driven GPU-BL", "Sums over rectangles from summed-area tables in textures, interpolated by the hardware (fractions of 8 bits). Not an exact pair.", "Liu et al. 2017", dd_branchless_params(), {}, Audience::studies}, "cuda", make_dd_gpu_bl, {.is_exact_pair = false, .has_single_weights = false, .has_columns = false, .has_rows = false, .scans = turning_scans, .memory = dd_gpu_bl_memory});
  projectors.add({"dd_gpu_bz", "Distance-driven GPU-BZ", "As GPU-BL, but the backprojection computes 16 voxels of a line along z together and looks up their common edges once. Not an exact pair.", "Liu et al. 2017", dd_branchless_params(), {}, Audience::studies}, "cuda", make_dd_gpu_bz, {.is_exact_pair = false, .has_single_weights = false, .has_columns = false, .has_rows = false, .scans = turning_scans, .memory = dd_gpu_bz_memory});
  projectors.add({"dd_gpu_db", "Distance-driven GPU-DB", "GPU-BL's tables in double precision, interpolated in software. Not an exact pair.", "Liu et al. 2017", {}, {}, Audience::studies}, "cuda", make_dd_gpu_db, {.is_exact_pair = false, .has_single_weights = false, .has_columns = false, .has_rows = false, .scans = turning_scans, .memory = dd_gpu_db_memory});
  projectors.add({"dd_gpu_bs", "Distance-driven GPU-BS", "GPU-BL's footprints, summed by loops with branches. Not an exact pair.", "Liu et al. 2017", {}, {}, Audience::studies}, "cuda", make_dd_gpu_bs, {.is_exact_pair = false, .has_single_weights = false, .has_columns = false, .has_rows = false, .scans = turning_scans, .memory = dd_gpu_bs_memory});
  on_cuda("area_integral", make_cuda_area_integral, cuda_area_integral_memory, true);
  on_cuda("joseph", make_cuda_joseph, cuda_joseph_memory, true);
  on_cuda("separable_footprint", make_cuda_separable_footprint, cuda_separable_footprint_memory, true);
  on_cuda("siddon", make_cuda_siddon, cuda_siddon_memory, true);
  on_cuda("voxel_driven", make_cuda_voxel_driven, cuda_voxel_driven_memory);

  auto& formats = catalog.matrix_formats;
  formats.add_on("cuda", "csr", make_cuda_csr);
  formats.add({"cusparse", "CSR, cuSPARSE", "CSR multiplied by NVIDIA's cuSPARSE, with a choice of how the transpose is computed; the reference for the other formats.", "", cusparse_csr_params(), {}, Audience::studies}, "cuda", make_cusparse_csr);
  formats.add({"cusparse_spmm", "CSR, cuSPARSE SpMM", "CSR of one slice and of its transpose, multiplied with the slices of a stack by NVIDIA's cuSPARSE, in float32 or half precision; the reference for Tensor Cores.", "", cusparse_spmm_params(), {}, Audience::studies}, "cuda", make_cusparse_spmm);
  formats.add({"cusparse_bell", "Blocked-ELL, cuSPARSE", "Square blocks of half-precision weights, rows of blocks padded to the longest, of W and its transpose, multiplied with all slices of a stack by cuSPARSE on Tensor Cores; takes far more memory than BSR.", "", cusparse_bell_params(), {}, Audience::studies}, "cuda", make_cusparse_bell);
  formats.add({"csr_half2", "CSR, half2", "CSR of half-precision weights, of W and its transpose, multiplied with pairs of slices in half2 arithmetic; our implementation, a reference for Tensor Cores.", "Nourazar and Goossens 2021", {}, {}, Audience::studies}, "cuda", make_csr_half2);
  formats.add_on("cuda", "sliced_ell", make_cuda_sliced_ell);
  formats.add_on("cuda", "block_csr", make_cuda_block_csr);
  formats.add_on("cuda", "ellr_t", make_cuda_ellr_t);
  formats.add({"ellr_t_pair", "ELLR-T, both ways", "W and its transpose with all rows padded to the longest; T threads add up a row; our implementation.", "Vazquez et al. 2010", cuda_ellr_t_pair_params(), {}, Audience::studies}, "cuda", make_cuda_ellr_t_pair);
  formats.add_on("cuda", "brc", make_cuda_brc);
  formats.add({"bsr_half", "BSR on Tensor Cores", "Blocks of half precision weights, rays and pixels in pseudo-Morton order, both products by Tensor Cores for all slices of a stack at once.", "Nourazar and Goossens 2021", bsr_half_params()}, "cuda", make_bsr_half);
  formats.add({"bsr_half_symmetric", "Symmetric BSR on Tensor Cores", "Blocks of half precision for an eighth of a slice (some of the views, or an octant of the image) or a sixteenth of a circular cone beam; the rest follows by symmetry. Both products run on Tensor Cores.", "Nourazar and Goossens 2021, section 3.4", bsr_half_symmetric_params()}, "cuda", make_bsr_half_symmetric);
  formats.add_on("cuda", "csr5", make_cuda_csr5);
  formats.add_on("cuda", "scsr", make_cuda_scsr);

  auto& priors = catalog.priors;
  priors.add_on("cuda", "tv", make_cuda_total_variation);
  priors.add_on("cuda", "huber", make_cuda_huber);
  priors.add_on("cuda", "qggmrf", make_cuda_qggmrf);
  priors.add_on("cuda", "tikhonov", make_cuda_tikhonov);
  priors.add_on("cuda", "smoothed_tv", make_cuda_smoothed_variation);
  priors.add_on("cuda", "mumford_shah", make_cuda_ambrosio_tortorelli);
  priors.add_on("cuda", "weak_membrane", make_cuda_weak_membrane);

  auto& solvers = catalog.solvers;
  solvers.add_on("cuda", "parallel_art", make_cuda_parallel_art);
  solvers.add_on("cuda", "icd", [](const Params& params) { return make_icd_with(params, make_cuda_filtered_sum); });
  solvers.add_on("cuda", "supervoxel_icd", [](const Params& params) { return make_supervoxel_icd_with(params, make_cuda_filtered_sum); });
  solvers.add_on("cuda", "wls_pcg", [](const Params& params) { return make_wls_pcg_with(params, make_cuda_filtered_sum); });
  solvers.add_on("cuda", "fbp", make_cuda_fbp);
  solvers.add_on("cuda", "fdk", make_cuda_fdk);
}
// clang-format on

/// Returns the parameter that limits the number of GPUs, for measurements of scaling.
ParamSpec gpus_param(int most) {
  return {.key = "gpus",
          .label = "GPUs",
          .unit = {},
          .fallback = std::int64_t{most},
          .min = 1,
          .max = 1.0 * most,
          .help =
              "Number of GPUs of this computer that divide the views among them, beginning with "
              "the first."};
}

using Chosen = std::shared_ptr<ChosenCudaDevice>;

std::string name_of_all(const ChosenCudaDevice& chosen) {
  return chosen.count() == 1 ? chosen.name()
                             : std::to_string(chosen.count()) + " GPUs, first " + chosen.name();
}

/// The GPUs of the host except the chosen one, whose backends are made when first needed.
class LazyGroup {
 public:
  explicit LazyGroup(Chosen chosen) : chosen_(std::move(chosen)) {}
  std::shared_ptr<const CudaGroup> get() {
    const std::scoped_lock lock(mutex_);
    if (group_ == nullptr) {
      std::vector<int> others = chosen_->chosen_first();
      others.erase(others.begin());
      group_ = std::make_shared<const CudaGroup>(others);
    }
    return group_;
  }

 private:
  Chosen chosen_;
  std::mutex mutex_;
  std::shared_ptr<const CudaGroup> group_;
};

/// Adds the backend of all GPUs of the host, on which projectors divide the views among the GPUs.
void add_group(Catalog& catalog, BackendList& backends, const Chosen& chosen) {
  if (chosen->count() < 2) return;
  const auto group = std::make_shared<LazyGroup>(chosen);
  backends.add_lazily("cuda-all", BackendKind::cuda, name_of_all(*chosen),
                      [chosen] { return std::make_unique<CudaBackend>(chosen->index()); });
  for (const auto* entry : catalog.projectors.on("cuda")) {
    ProjectorTraits traits = entry->traits_on("cuda");
    traits.memory = nullptr;  // depends on the free memory of the other GPUs
    traits.has_columns = traits.has_rows = false;
    catalog.projectors.add_on(
        "cuda-all", entry->key,
        [group, make = entry->maker("cuda")->make](Backend& backend,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid, const Params& params) {
          return make_split_projector(
              backend, geometry, grid, group->get(), params.integer("gpus"),
              [&](Backend& device) { return make(device, geometry, grid, params); });
        },
        {gpus_param(static_cast<int>(chosen->count()))}, traits);
  }
  catalog.solvers.add_on("cuda-all", "parallel_art", make_cuda_parallel_art);
  for (const auto* entry : catalog.priors.on("cuda"))
    catalog.priors.also_on("cuda-all", entry->key, "cuda");
}

/// Adds the backend for runs that exceed the memory of every device: vectors lie in host memory,
/// and products stream parts of them through the devices.
void add_stream(Catalog& catalog, BackendList& backends, const Chosen& chosen,
                const std::shared_ptr<LazyBackend>& first) {
  const std::string name = name_of_all(*chosen);
  const auto workers = std::make_shared<StreamWorkers>(first, chosen);
  const StreamDevices through{name, [workers] { return workers->workers(); }};
  backends.add_lazily("cuda-stream", BackendKind::cpu, "host memory with " + name, [chosen, name] {
    return std::make_unique<PageLockedBackend>(chosen->index(), "host memory with " + name);
  });
  for (const auto* entry : catalog.projectors.on("cuda")) {
    catalog.projectors.add_on(
        "cuda-stream", entry->key,
        [through, make = entry->maker("cuda")->make](Backend& host,
                                                     std::shared_ptr<const ScanGeometry> geometry,
                                                     const VolumeGrid& grid, const Params& params) {
          return make_streamed_projector(
              host, std::move(geometry), grid, through,
              [make, params](Backend& worker, std::shared_ptr<const ScanGeometry> part,
                             const VolumeGrid& slab) {
                return make(worker, std::move(part), slab, params);
              });
        },
        {}, streamed_traits(entry->traits));
  }
  // Priors work on vectors of the host.
  auto& priors = catalog.priors;
  for (const auto* entry : priors.on("cpu")) priors.also_on("cuda-stream", entry->key, "cpu");
  auto& solvers = catalog.solvers;
  // Filtered backprojection in parts, and the solvers that use it.
  const FilteredSumMaker in_parts = make_streamed_filtered_sum(make_cuda_filtered_sum);
  solvers.add_on("cuda-stream", "fbp",
                 [=](const Params& params) { return make_fbp_with(params, in_parts); });
  solvers.add_on("cuda-stream", "fdk",
                 [=](const Params& params) { return make_fdk_with(params, in_parts); });
  solvers.add_on("cuda-stream", "wls_pcg",
                 [=](const Params& params) { return make_wls_pcg_with(params, in_parts); });
}

}  // namespace

void add_gpu(Catalog& catalog, BackendList& backends) {
  CudaDevices found = find_cuda_devices();
  const std::string name = found.devices.empty() ? "CUDA" : found.devices.front().name;
  try {
    const auto chosen = std::make_shared<ChosenCudaDevice>(std::move(found));
    const auto cuda = backends.add_lazily(
        "cuda", BackendKind::cuda, chosen->name(),
        [chosen] { return std::make_unique<CudaBackend>(chosen->index()); },
        chosen->multiprocessors());
    backends.add_energy("cuda", [chosen] { return make_nvml_energy(chosen->index()); });
    add_algorithms(catalog);
    add_group(catalog, backends, chosen);
    add_stream(catalog, backends, chosen, cuda);
  } catch (const DeviceError& error) {
    backends.add_unavailable("cuda", name, error.what());
  }
}

}  // namespace gantry
