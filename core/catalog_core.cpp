// One line per algorithm of the core.
#include "core/catalog.hpp"
#include "core/metrics/error_metrics.hpp"
#include "core/metrics/ssim.hpp"
#include "core/phantoms/forbild_head.hpp"
#include "core/phantoms/shepp_logan.hpp"
#include "core/projectors/distance_driven.hpp"
#include "core/projectors/joseph.hpp"
#include "core/projectors/separable_footprint.hpp"
#include "core/projectors/siddon.hpp"
#include "core/projectors/voxel_driven.hpp"
#include "core/solvers/cgls.hpp"
#include "core/solvers/fbp.hpp"
#include "core/solvers/fdk.hpp"
#include "core/solvers/sirt.hpp"

namespace gantry {

// An algorithm is a line.
// clang-format off
void add_core(Catalog& catalog) {
  auto& projectors = catalog.projectors;
  projectors.add({"distance_driven", "cpu", "Distance-driven", "A_ij = overlap of the cell's footprint with the pixel, times path length; exact pair. De Man and Basu 2004.", {}, make_distance_driven});
  projectors.add({"joseph", "cpu", "Joseph", "A_ij = linear interpolation where the ray meets each slice, times path length; exact pair. Joseph 1982.", {}, make_joseph});
  projectors.add({"separable_footprint", "cpu", "Separable footprint", "A_ij = trapezoid over the voxel's projected corners times the rectangle of its height, averaged over the cell; exact pair. Long, Fessler and Balter 2010.", {}, make_separable_footprint});
  projectors.add({"siddon", "cpu", "Siddon", "A_ij = length of the ray through the cell's centre inside the pixel; exact pair. Siddon 1985.", {}, make_siddon});
  projectors.add({"voxel_driven", "cpu", "Voxel-driven", "Forward as Siddon; backward each voxel interpolates the view where its centre projects. Not an exact pair.", {}, make_voxel_driven});

  auto& solvers = catalog.solvers;
  solvers.add({"sirt", "any", "SIRT", "x ← max(x + λ C Aᵀ R (b − A x), 0), C and R the inverse column and row sums. Gilbert 1972.", sirt_params(), make_sirt});
  solvers.add({"sart", "any", "SART", "SIRT's formula, view after view. Andersen and Kak 1984.", sart_params(), make_sart});
  solvers.add({"os_sart", "any", "OS-SART", "SIRT's formula on subsets of the views in turn. Wang and Jiang 2004.", os_sart_params(), make_os_sart});
  solvers.add({"cgls", "any", "CGLS", "min ‖A x − b‖² by conjugate gradients; needs an exact pair. Hestenes and Stiefel 1952.", cgls_params(), make_cgls});
  solvers.add({"fbp", "any", "FBP", "Ramp filter, then backprojection: f = Σ s_v Q_v; one step. Parallel and fan beams, short scans with Parker's weights. Kak and Slaney 1988.", fbp_params(), make_fbp});
  solvers.add({"fdk", "any", "FDK", "FBP for a cone beam on a circle: f = Σ s_v Q_v / U²; one step. Short scans with Parker's weights. Feldkamp, Davis and Kress 1984.", fdk_params(), make_fdk});

  auto& metrics = catalog.metrics;
  metrics.add({"rmse", "any", "RMSE", "√ mean (x − r)², 1/mm", {}, make_rmse});
  metrics.add({"ssim", "any", "SSIM", "Structural similarity, Wang et al. 2004: 11 x 11 Gaussian window, L = range of the reference", {}, make_ssim});
  metrics.add({"psnr", "any", "PSNR", "20 log₁₀(L / RMSE), dB, L = range of the reference", {}, make_psnr});
  metrics.add({"relative_error", "any", "Relative error", "‖x − r‖ / ‖r‖", {}, make_relative_error});

  auto& phantoms = catalog.phantoms;
  phantoms.add({"forbild_head", "any", "FORBILD head", "Head section with fine bone, ears and low contrasts. Yu et al. 2012.", forbild_head_params(), make_forbild_head});
  phantoms.add({"shepp_logan", "any", "Shepp-Logan", "Ten ellipses, original or modified contrast. Shepp and Logan 1974, Toft 1996.", shepp_logan_params(), make_shepp_logan});
}
// clang-format on

}  // namespace gantry
