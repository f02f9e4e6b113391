// One line per CUDA variant of an algorithm.
#include "gpu/catalog_gpu.hpp"

#include "core/base/error.hpp"
#include "core/matrix/brc.hpp"
#include "core/matrix/csr5.hpp"
#include "core/matrix/ellr_t.hpp"
#include "core/matrix/scsr.hpp"
#include "core/projectors/area_integral.hpp"
#include "core/projectors/streamed_projector.hpp"
#include "core/regularizers/qggmrf.hpp"
#include "core/solvers/fbp.hpp"
#include "core/solvers/fdk.hpp"
#include "core/solvers/fista_tv.hpp"
#include "core/solvers/parallel_art.hpp"
#include "core/solvers/streamed_filtered_sum.hpp"
#include "core/solvers/wls_pcg.hpp"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/devices.hpp"
#include "gpu/base/nvml.hpp"
#include "gpu/base/page_locked_backend.hpp"
#include "gpu/base/stream_lanes.hpp"
#include "gpu/matrix/block_csr.hpp"
#include "gpu/matrix/brc.hpp"
#include "gpu/matrix/bsr_half.hpp"
#include "gpu/matrix/bsr_half_symmetric.hpp"
#include "gpu/matrix/csr5.hpp"
#include "gpu/matrix/csr_half2.hpp"
#include "gpu/matrix/cusparse_bell.hpp"
#include "gpu/matrix/cusparse_csr.hpp"
#include "gpu/matrix/cusparse_spmm.hpp"
#include "gpu/matrix/ellr_t.hpp"
#include "gpu/matrix/row_norms.hpp"
#include "gpu/matrix/scsr.hpp"
#include "gpu/matrix/sliced_ell.hpp"
#include "gpu/projectors/area_integral.hpp"
#include "gpu/projectors/dd_branchless_variants.hpp"
#include "gpu/projectors/distance_driven.hpp"
#include "gpu/projectors/joseph.hpp"
#include "gpu/projectors/separable_footprint.hpp"
#include "gpu/projectors/siddon.hpp"
#include "gpu/projectors/split_projector.hpp"
#include "gpu/projectors/voxel_driven.hpp"
#include "gpu/regularizers/qggmrf.hpp"
#include "gpu/regularizers/total_variation.hpp"
#include "gpu/solvers/filtered_backprojection.hpp"

#include <functional>
#include <mutex>
#include <utility>

namespace gantry {

namespace {

// An algorithm is a line; key, label and parameters are those of its twin on the CPU.
// clang-format off
void add_algorithms(Catalog& catalog) {
  auto& projectors = catalog.projectors;
  projectors.add({"distance_driven", "cuda", "Distance-driven", "A_ij = overlap of the cell's footprint with the pixel, times path length; exact pair. De Man and Basu 2004.", {}, make_cuda_distance_driven});
  projectors.add({"dd_gpu_bl", "cuda", "Distance-driven GPU-BL", "Tables of sums over both directions, interpolated by the texture hardware (fractions of 8 bits). Not an exact pair. Liu et al. 2017.", dd_branchless_params(), make_dd_gpu_bl});
  projectors.add({"dd_gpu_bz", "cuda", "Distance-driven GPU-BZ", "GPU-BL, going back along lines of 16 voxels that share their edges. Not an exact pair. Liu et al. 2017.", dd_branchless_params(), make_dd_gpu_bz});
  projectors.add({"dd_gpu_db", "cuda", "Distance-driven GPU-DB", "GPU-BL's tables in double precision, interpolated in software. Not an exact pair. Liu et al. 2017.", {}, make_dd_gpu_db});
  projectors.add({"dd_gpu_bs", "cuda", "Distance-driven GPU-BS", "GPU-BL's footprints, summed by loops with branches. Not an exact pair. Liu et al. 2017.", {}, make_dd_gpu_bs});
  projectors.add({"area_integral", "cuda", "Area integral", "A_ij = area of strip i and pixel j in common, over the strip's width there; exact pair. Parallel and fan beams. Zhang et al. 2014.", area_integral_params(), make_cuda_area_integral});
  projectors.add({"joseph", "cuda", "Joseph", "A_ij = linear interpolation where the ray meets each slice, times path length; exact pair. Joseph 1982.", {}, make_cuda_joseph});
  projectors.add({"separable_footprint", "cuda", "Separable footprint", "A_ij = trapezoid over the voxel's projected corners times the rectangle of its height, averaged over the cell; exact pair. Long, Fessler and Balter 2010.", {}, make_cuda_separable_footprint});
  projectors.add({"siddon", "cuda", "Siddon", "A_ij = length of the ray through the cell's centre inside the pixel; exact pair. Siddon 1985.", {}, make_cuda_siddon});
  projectors.add({"voxel_driven", "cuda", "Voxel-driven", "Forward as Siddon; backward each voxel interpolates the view where its centre projects. Not an exact pair.", {}, make_cuda_voxel_driven});

  auto& formats = catalog.matrix_formats;
  formats.add({"csr", "cuda", "CSR", "Compressed sparse rows: weight and voxel of every nonzero, 8 bytes; the transpose beside it, products by cuSPARSE.", {}, make_cuda_csr});
  formats.add({"cusparse", "cuda", "CSR, cuSPARSE", "CSR with the ways that NVIDIA's library has for the transpose; what other formats are held against.", cusparse_csr_params(), make_cusparse_csr});
  formats.add({"cusparse_spmm", "cuda", "CSR, cuSPARSE SpMM", "CSR of one slice and its transpose, times the slices of a stack by NVIDIA's library, in float32 or half precision; what Tensor Cores are held against.", cusparse_spmm_params(), make_cusparse_spmm});
  formats.add({"cusparse_bell", "cuda", "Blocked-ELL, cuSPARSE", "Square blocks of half precision weights, rows of blocks padded to the longest, and the transpose, times all slices of a stack by NVIDIA's library on Tensor Cores; far larger than BSR.", cusparse_bell_params(), make_cusparse_bell});
  formats.add({"csr_half2", "cuda", "CSR, half2", "CSR of half precision weights and its transpose, times pairs of slices by half2 arithmetic, our kernel; what Tensor Cores are held against. Nourazar and Goossens 2021.", {}, make_csr_half2});
  formats.add({"sliced_ell", "cuda", "Sliced ELL", "W and its transpose in slices of 32 rows, sorted by length inside each view; ours, for cuART's view-level blocking.", {}, make_cuda_sliced_ell});
  formats.add({"block_csr", "cuda", "Block CSR", "CSR of W and its transpose; rows of fewer than 16 entries by one thread, the others by half a warp. Chen et al., matrix approach for cone beam CT.", {}, make_cuda_block_csr});
  formats.add({"ellr_t", "cuda", "Block CSR + ELLR-T", "A as block CSR and Aᵀ as ELLR-T, T threads a voxel: both stored. Vazquez et al. 2010; Chen et al.", ellr_t_params(), make_cuda_ellr_t});
  formats.add({"ellr_t_pair", "cuda", "ELLR-T, both ways", "W and its transpose padded to their longest rows, T threads a row; our implementation. Vazquez et al. 2010.", cuda_ellr_t_pair_params(), make_cuda_ellr_t_pair});
  formats.add({"brc", "cuda", "BRC", "Blocked row-column, an own simplified implementation: rows by length, in blocks of 32 rows and limited width; the transpose too. Ashari et al. 2014.", brc_params(), make_cuda_brc});
  formats.add({"bsr_half", "cuda", "BSR on Tensor Cores", "Blocks of half precision weights, rays and pixels in pseudo-Morton order, both products by Tensor Cores for all slices of a stack at once. Nourazar and Goossens 2021.", bsr_half_params(), make_bsr_half});
  formats.add({"bsr_half_symmetric", "cuda", "Symmetric BSR on Tensor Cores", "An eighth of a slice in blocks of half precision, some views or an octant of the image, or a sixteenth of a circular cone beam; the others are columns of both products. Nourazar and Goossens 2021, 3.4.", bsr_half_symmetric_params(), make_bsr_half_symmetric});
  formats.add({"csr5", "cuda", "CSR5", "An own simplified implementation: nonzeros in tiles of 32 lanes, bits where rows begin, segmented sums; the transpose too. Liu and Vinter 2015.", csr5_params(), make_cuda_csr5});
  formats.add({"scsr", "cuda", "SCSR", "Rows of one view of each orbit of the scan's symmetry; the others are images of these: up to 8 products in one pass, of a cone beam 16. Yu et al. 2019.", scsr_params(), make_cuda_scsr});

  auto& solvers = catalog.solvers;
  solvers.add({"parallel_art", "cuda", "Parallel ART", "x ← max(x + Aᵀ C (b − A x), 0), cᵢ = λ/(M ‖aᵢ‖²), M rays of a view, view after view, or of all; needs an exact pair and the rows' norms. Yu et al. 2019.", parallel_art_params(), make_cuda_parallel_art});
  solvers.add({"fista_tv", "cuda", "FISTA-TV", "min ½ ‖A x − b‖² + λ TV(x), x ≥ 0, by monotone FISTA; needs an exact pair. Beck and Teboulle 2009.", fista_tv_params(), make_cuda_fista_tv});
  solvers.add({"wls_pcg", "cuda", "WLS-PCG", "min ½ ‖b − A x‖²_W + β Σ b_jk ρ(x_j − x_k), ρ q-GGMRF over all neighbours, by preconditioned conjugate gradients; needs an exact pair. Thibault et al. 2007, Fu et al. 2012.", wls_pcg_params(), make_cuda_wls_pcg});
  solvers.add({"fbp", "cuda", "FBP", "Ramp filter, then backprojection: f = Σ s_v Q_v; one step. Parallel and fan beams, short scans with Parker's weights. Kak and Slaney 1988.", fbp_params(), make_cuda_fbp});
  solvers.add({"fdk", "cuda", "FDK", "FBP for a cone beam on a circle: f = Σ s_v Q_v / U²; one step. Short scans with Parker's weights. Feldkamp, Davis and Kress 1984.", fdk_params(), make_cuda_fdk});
}
// clang-format on

/// For scaling to be measured; not offered where a key has an entry on the CPU or one GPU.
ParamSpec gpus_param(int most) {
  return {.key = "gpus",
          .label = "GPUs",
          .unit = {},
          .fallback = std::int64_t{most},
          .min = 1,
          .max = 1.0 * most,
          .help = "How many of the host's GPUs share the views, the first ones."};
}

using Chosen = std::shared_ptr<ChosenCudaDevice>;

std::string name_of_all(const ChosenCudaDevice& chosen) {
  return chosen.count() == 1 ? chosen.name()
                             : std::to_string(chosen.count()) + " GPUs, first " + chosen.name();
}

/// The others of the host, started when they are first needed.
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

/// All devices of the host as one backend: every projector with its views shared out.
void add_group(Catalog& catalog, BackendList& backends, const Chosen& chosen) {
  if (chosen->count() < 2) return;
  const auto group = std::make_shared<LazyGroup>(chosen);
  backends.add_lazily("cuda-all", BackendKind::cuda, name_of_all(*chosen),
                      [chosen] { return std::make_unique<CudaBackend>(chosen->index()); });
  const auto entries = catalog.projectors.entries();
  for (auto entry : entries) {
    if (entry.backend != "cuda") continue;
    entry.backend = "cuda-all";
    entry.params.push_back(gpus_param(static_cast<int>(chosen->count())));
    entry.make = [group, make = entry.make](Backend& backend,
                                            std::shared_ptr<const ScanGeometry> geometry,
                                            const VolumeGrid& grid, const Params& params) {
      return make_split_projector(
          backend, geometry, grid, group->get(), params.integer("gpus"),
          [&](Backend& device) { return make(device, geometry, grid, params); });
    };
    catalog.projectors.add(entry);
  }
  auto art = catalog.solvers.at("parallel_art", "cuda");
  art.backend = "cuda-all";
  catalog.solvers.add(art);
}

/// The host's memory with the devices' products: for runs that no device can hold.
void add_stream(Catalog& catalog, BackendList& backends, const Chosen& chosen,
                const std::shared_ptr<LazyBackend>& first) {
  const std::string name = name_of_all(*chosen);
  const auto lanes = std::make_shared<StreamLanes>(first, chosen);
  const StreamDevices through{name, [lanes] { return lanes->lanes(); }};
  backends.add_lazily("cuda-stream", BackendKind::cpu, "host memory with " + name, [chosen, name] {
    return std::make_unique<PageLockedBackend>(chosen->index(), "host memory with " + name);
  });
  const auto entries = catalog.projectors.entries();
  for (auto entry : entries) {
    if (entry.backend != "cuda") continue;
    entry.backend = "cuda-stream";
    entry.make = [through, make = entry.make](Backend& host,
                                              std::shared_ptr<const ScanGeometry> geometry,
                                              const VolumeGrid& grid, const Params& params) {
      return make_streamed_projector(
          host, std::move(geometry), grid, through,
          [make, params](Backend& lane, std::shared_ptr<const ScanGeometry> part,
                         const VolumeGrid& slab) {
            return make(lane, std::move(part), slab, params);
          });
    };
    catalog.projectors.add(entry);
  }
  // Of the methods that the CPU alone has, those that need no more of an operator than products.
  for (const char* key : {"fista_tv"}) {
    auto entry = catalog.solvers.at(key, "cpu");
    entry.backend = "cuda-stream";
    catalog.solvers.add(entry);
  }
  // Filtered backprojection in parts, and what starts from it.
  const FilteredSumMaker in_parts = make_streamed_filtered_sum(make_cuda_filtered_sum);
  const auto add_solver = [&](const char* key,
                              const std::function<std::unique_ptr<Solver>(const Params&)>& make) {
    auto entry = catalog.solvers.at(key, "cpu");
    entry.backend = "cuda-stream";
    entry.make = make;
    catalog.solvers.add(entry);
  };
  add_solver("fbp", [=](const Params& params) { return make_fbp_with(params, in_parts); });
  add_solver("fdk", [=](const Params& params) { return make_fdk_with(params, in_parts); });
  add_solver("wls_pcg", [=](const Params& params) {
    return make_wls_pcg_with(params, make_qggmrf, in_parts);
  });
}

}  // namespace

void add_gpu(Catalog& catalog, BackendList& backends) {
  CudaDevices found = find_cuda_devices();
  const std::string name = found.devices.empty() ? "CUDA" : found.devices.front().name;
  try {
    const auto chosen = std::make_shared<ChosenCudaDevice>(std::move(found));
    const auto cuda = backends.add_lazily("cuda", BackendKind::cuda, chosen->name(), [chosen] {
      return std::make_unique<CudaBackend>(chosen->index());
    });
    backends.add_energy("cuda", [chosen] { return make_nvml_energy(chosen->index()); });
    add_algorithms(catalog);
    add_group(catalog, backends, chosen);
    add_stream(catalog, backends, chosen, cuda);
  } catch (const DeviceError& error) {
    backends.add_unavailable("cuda", name, error.what());
  }
}

}  // namespace gantry
