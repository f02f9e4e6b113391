// One line per algorithm of the core.
#include "core/catalog/catalog.hpp"
#include "core/corrections/bad_cells.hpp"
#include "core/corrections/beam_hardening.hpp"
#include "core/corrections/beam_hardening_bimodal.hpp"
#include "core/corrections/drift.hpp"
#include "core/corrections/phase_retrieval.hpp"
#include "core/corrections/rings.hpp"
#include "core/corrections/rings_wavelet.hpp"
#include "core/corrections/scale.hpp"
#include "core/corrections/scatter.hpp"
#include "core/corrections/zingers.hpp"
#include "core/matrix/rows/block_csr.hpp"
#include "core/matrix/rows/brc.hpp"
#include "core/matrix/rows/csr.hpp"
#include "core/matrix/rows/csr5.hpp"
#include "core/matrix/rows/ellr_t.hpp"
#include "core/matrix/rows/sliced_ell.hpp"
#include "core/matrix/symmetric/scsr.hpp"
#include "core/matrix/tiles/bsr.hpp"
#include "core/matrix/tiles/bsr_symmetric.hpp"
#include "core/metal/metal_nmar.hpp"
#include "core/metrics/contrast_to_noise.hpp"
#include "core/metrics/edge_response.hpp"
#include "core/metrics/error_metrics.hpp"
#include "core/metrics/ssim.hpp"
#include "core/phantoms/bar_pattern.hpp"
#include "core/phantoms/contrast_inserts.hpp"
#include "core/phantoms/discs.hpp"
#include "core/phantoms/forbild_abdomen.hpp"
#include "core/phantoms/forbild_head.hpp"
#include "core/phantoms/forbild_head_3d.hpp"
#include "core/phantoms/forbild_hip.hpp"
#include "core/phantoms/forbild_jaw.hpp"
#include "core/phantoms/forbild_thorax.hpp"
#include "core/phantoms/orientation.hpp"
#include "core/phantoms/random_ellipses.hpp"
#include "core/phantoms/resolution_inserts.hpp"
#include "core/phantoms/shepp_logan.hpp"
#include "core/phantoms/shepp_logan_3d.hpp"
#include "core/priors/huber.hpp"
#include "core/priors/mumford_shah.hpp"
#include "core/priors/qggmrf.hpp"
#include "core/priors/smoothed_variation.hpp"
#include "core/priors/tikhonov.hpp"
#include "core/priors/total_variation.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "core/projectors/distance_driven/distance_driven.hpp"
#include "core/projectors/distance_driven/distance_driven_branchless.hpp"
#include "core/projectors/separable_footprint/separable_footprint.hpp"
#include "core/projectors/siddon_joseph/joseph.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/projectors/voxel/voxel_driven.hpp"
#include "core/solvers/coordinate/icd.hpp"
#include "core/solvers/coordinate/supervoxel_icd.hpp"
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/direct/fdk.hpp"
#include "core/solvers/krylov/cg_normal.hpp"
#include "core/solvers/krylov/cgls.hpp"
#include "core/solvers/krylov/lsqr.hpp"
#include "core/solvers/penalised/fista.hpp"
#include "core/solvers/penalised/homogeneous.hpp"
#include "core/solvers/penalised/os_fista.hpp"
#include "core/solvers/penalised/wls_pcg.hpp"
#include "core/solvers/row_action/art.hpp"
#include "core/solvers/row_action/parallel_art.hpp"
#include "core/solvers/row_action/sgd.hpp"
#include "core/solvers/sirt_family/cimmino.hpp"
#include "core/solvers/sirt_family/fista_sart.hpp"
#include "core/solvers/sirt_family/landweber.hpp"
#include "core/solvers/sirt_family/sirt.hpp"
#include "core/solvers/statistical/mlem.hpp"

namespace gantry {

// One line per algorithm.
// clang-format off
void add_core(Catalog& catalog) {
  auto& projectors = catalog.projectors;
  projectors.add({"distance_driven", "Distance-driven", "A_ij = overlap of the cell's footprint with the pixel, times path length; exact pair.", "De Man and Basu 2004", {}}, "cpu", make_distance_driven, {.scans = turning_scans, .memory = distance_driven_memory});
  projectors.add({"distance_driven_branchless", "Distance-driven, branchless", "The distance-driven matrix by differences of prefix sums; exact pair.", "Basu and De Man 2006, Liu et al. 2017", {}}, "cpu", make_distance_driven_branchless, {.scans = turning_scans, .memory = distance_driven_branchless_memory});
  // Of those for free poses, the fastest comes first: suitable_projector takes it.
  projectors.add({"siddon", "Siddon", "A_ij = length of the ray through the cell's centre inside the pixel; exact pair.", "Siddon 1985", {}}, "cpu", make_siddon, {.memory = siddon_memory});
  projectors.add({"joseph", "Joseph", "A_ij = linear interpolation where the ray meets each layer, times path length; exact pair.", "Joseph 1982", {}}, "cpu", make_joseph, {.memory = joseph_memory});
  projectors.add({"separable_footprint", "Separable footprint", "A_ij = trapezoid over the voxel's projected corners times the rectangle of its height, averaged over the cell; exact pair.", "Long, Fessler and Balter 2010", {}}, "cpu", make_separable_footprint, {.scans = turning_scans, .memory = separable_footprint_memory});
  projectors.add({"area_integral", "Area integral", "A_ij = area of strip i and pixel j in common, over the strip's width there; exact pair. Parallel and fan beams.", "Zhang et al. 2014", area_integral_params()}, "cpu", make_area_integral, {.scans = {.cone = false, .free_poses = false}, .memory = area_integral_memory});
  projectors.add({"voxel_driven", "Voxel-driven", "Forward as Siddon; backward each voxel interpolates the view where its centre projects. Not an exact pair.", "", {}}, "cpu", make_voxel_driven, {.is_exact_pair = false, .has_columns = false, .scans = turning_scans, .memory = voxel_driven_memory});

  auto& formats = catalog.matrix_formats;
  formats.add({"csr", "CSR", "Compressed sparse rows: weight and voxel of every nonzero, 8 bytes, row after row.", "", {}}, "cpu", make_csr);
  formats.add({"sliced_ell", "Sliced ELL", "SELL-32: the rows of a view are sorted by length and padded in chunks of 32 to the longest row of the chunk.", "Kreutzer et al. 2014", {}}, "cpu", make_sliced_ell);
  formats.add({"block_csr", "Block CSR", "CSR with rows of fewer than 16 nonzeros for one thread and the others for half a warp.", "Chen et al.", {}}, "cpu", make_block_csr);
  formats.add({"ellr_t", "Block CSR + ELLR-T", "A as block CSR and Aᵀ as ELLR-T, T threads a voxel: both stored.", "Vazquez et al. 2010, Chen et al.", ellr_t_params()}, "cpu", make_ellr_t);
  formats.add({"brc", "BRC", "Blocked row-column, a simplified implementation of our own: rows of a view by length, in blocks of 32 rows and limited width.", "Ashari et al. 2014", brc_params(), {}, Audience::studies}, "cpu", make_brc);
  formats.add({"bsr", "BSR", "Block sparse rows of reordered rays and pixels, blocks of 8, 16 or 32 rays by 16 pixels, for all slices of a stack at once; the operand of Tensor Cores.", "Nourazar and Goossens 2021", bsr_params()}, "cpu", make_bsr);
  formats.add({"bsr_symmetric", "Symmetric BSR", "BSR of an eighth of a slice: some views, or an octant of the image, as rotations and mirrors of the scan give the rest. A slice is up to 8 columns, and a circular cone beam, with the axial mirror, up to 16.", "Nourazar and Goossens 2021, section 3.4", bsr_symmetric_params()}, "cpu", make_bsr_symmetric);
  formats.add({"csr5", "CSR5", "A simplified implementation of our own: nonzeros in tiles of 32 lanes, bits where rows begin, segmented sums.", "Liu and Vinter 2015", csr5_params(), {}, Audience::studies}, "cpu", make_csr5);
  formats.add({"scsr", "SCSR", "Symmetric CSR: the rows of the views that no rotation or mirror of the scan gives, an eighth of all (cone beam: a sixteenth), for as many vectors at once.", "Yu et al. 2019 (cuART)", scsr_params()}, "cpu", make_scsr);

  auto& solvers = catalog.solvers;
  solvers.add({"sirt", "SIRT", "All rays at once: x ← max(x + λ C Aᵀ R (b − A x), 0), C and R the inverse column and row sums.", "Gilbert 1972", sirt_params(), "corrects all views at once"}, "any", make_sirt, sirt_traits);
  solvers.add({"sart", "SART", "SIRT's formula, view after view.", "Andersen and Kak 1984", sart_params(), "corrects view after view"}, "any", make_sart, sart_traits);
  solvers.add({"os_sart", "OS-SART", "SIRT's formula on subsets of the views in turn.", "Wang and Jiang 2004", os_sart_params(), "corrects subset after subset of views"}, "any", make_os_sart, sart_traits);
  solvers.add({"art", "ART", "Ray after ray: x ← max(x + λ (bᵢ − ⟨aᵢ, x⟩)/‖aᵢ‖² aᵢ, 0); needs the rows of A.", "Kaczmarz 1937, Gordon, Bender and Herman 1970", art_params(), "corrects ray after ray"}, "any", make_art, art_traits);
  solvers.add({"parallel_art", "Parallel ART", "All rays of a view at once: x ← max(x + Aᵀ C (b − A x), 0), cᵢ = λ/(M ‖aᵢ‖²), M rays of a view, view after view, or of all; needs an exact pair and the rows' norms.", "Yu et al. 2019", parallel_art_params(), "averages ART's steps over each view"}, "cpu", make_parallel_art, parallel_art_traits);
  solvers.add({"landweber", "Landweber", "Steps down the gradient: x ← max(x + λ/‖A‖² Aᵀ (b − A x), 0); needs an exact pair.", "Landweber 1951", landweber_params(), "steps down the slope of the misfit"}, "any", make_landweber, landweber_traits);
  solvers.add({"cimmino", "Cimmino", "The mean of the projections onto all rays: x ← max(x + λ/M Aᵀ R (b − A x), 0), R = diag(1/‖aᵢ‖²), M rays; needs an exact pair and the rows' norms.", "Cimmino 1938", cimmino_params(), "averages the corrections of all rays"}, "any", make_cimmino, cimmino_traits);
  solvers.add({"cav", "CAV", "Component averaging: x ← max(x + λ Aᵀ R (b − A x), 0), R = diag(1/Σ nⱼ aᵢⱼ²), nⱼ rays hit voxel j; needs an exact pair and the rows' norms.", "Censor, Gordon and Gordon 2001", cav_params(), "averages at each voxel over its rays"}, "any", make_cav, cimmino_traits);
  solvers.add({"drop", "DROP", "SIRT scaled by the rays through each voxel: x ← max(x + λ diag(1/nⱼ) Aᵀ diag(1/‖aᵢ‖²) (b − A x), 0), nⱼ rays hit voxel j; needs an exact pair and the rows' norms.", "Censor et al. 2008", drop_params(), "weighs each voxel by its rays"}, "any", make_drop, cimmino_traits);
  solvers.add({"cgls", "CGLS", "min ‖A x − b‖² + μ ‖x‖² by conjugate gradients; needs an exact pair.", "Hestenes and Stiefel 1952", cgls_params(), "fits the data by conjugate steps"}, "any", make_cgls, cgls_traits);
  solvers.add({"lsqr", "LSQR", "min ‖A x − b‖² by Golub and Kahan's bidiagonalisation; in exact arithmetic CGLS's iterates; needs an exact pair.", "Paige and Saunders 1982", {}, "follows CGLS's path with less rounding"}, "any", make_lsqr, lsqr_traits);
  solvers.add({"cg_normal", "CG (normal equations)", "CGLS in the form of Nourazar and Goossens, on AᵀA x = Aᵀ b with all vectors but one in the image: the same iterates, more rounding; needs an exact pair.", "Nourazar and Goossens 2021", cg_normal_params(), "follows CGLS's path in image space", Audience::studies}, "any", make_cg_normal, cg_normal_traits);
  solvers.add({"mlem", "MLEM", "A factor for each voxel: x ← x / (Aᵀ 1) · Aᵀ (b / (A x)); raises the Poisson likelihood of b, x ≥ 0.", "Shepp and Vardi 1982", mlem_params(), "raises the likelihood of the counts"}, "any", make_mlem, mlem_traits);
  solvers.add({"osem", "OSEM", "MLEM's formula on subsets of the views in turn.", "Hudson and Larkin 1994", osem_params(), "raises the likelihood, subset by subset"}, "any", make_osem, mlem_traits);
  solvers.add({"fista_sart", "FISTA-SART", "x' ← OS-SART's sweep from y, y ← x' + (t − 1)/t' (x' − x), t' = (1 + √(1 + 4t²))/2: SART with Nesterov's momentum.", "Liu et al. 2017", fista_sart_params(), "corrects by subsets, with momentum"}, "any", make_fista_sart, fista_sart_traits);
  solvers.add({"fista", "FISTA", "min ½ ‖A x − b‖² + λ R(x), x ≥ 0, by monotone FISTA, with any prior R that has a proximal map; needs an exact pair.", "Beck and Teboulle 2009", fista_params(), "fits data and prior with momentum"}, "any", make_fista, fista_traits);
  solvers.add({"os_fista", "OS-FISTA", "min ½ ‖A x − b‖²_W + λ R(x), x ≥ 0, by FISTA with the gradients of one subset of the views after another; R has a proximal map; needs an exact pair.", "Kim, Ramani, Fessler 2015", os_fista_params(), "fits data and prior by subsets"}, "any", make_os_fista, os_fista_traits);
  solvers.add({"homogeneous", "Homogeneous object", "min ½ ‖A x − p‖² + λ R(x) + m Σ xⱼ (c − xⱼ), 0 ≤ x ≤ c, for an object of one material c in air from few views or a limited angle; finds c and corrects the beam hardening; needs an exact pair.", "Schüle et al. 2005, Chambolle and Pock 2011", homogeneous_params(), "seeks an object of one material in air"}, "any", make_homogeneous, homogeneous_traits);
  solvers.add({"wls_pcg", "WLS-PCG", "min ½ ‖b − A x‖²_W + λ R(x) by preconditioned conjugate gradients, with any prior R that has a gradient; needs an exact pair.", "Thibault et al. 2007, Fu et al. 2012", wls_pcg_params(), "fits weighted data and prior"}, "cpu", make_wls_pcg, wls_pcg_traits);
  solvers.add({"icd", "ICD", "Voxel after voxel: x_j ← max(x_j + (⟨a_j, W (b − A x)⟩ − λ ∂R/∂x_j)/(c_j + λ h_j), 0), colour after colour of voxels that lie apart; needs an exact pair and the columns of A.", "Sauer and Bouman 1993, Li et al. 2018 (cuMBIR)", icd_params(), "adjusts one voxel after another"}, "cpu", make_icd, icd_traits);
  solvers.add({"supervoxel_icd", "Super-voxel ICD", "ICD's Newton steps, one after another within super-voxels, of which a batch is worked on at the same time; needs an exact pair and the columns of A.", "Wang et al. 2016, Sabne et al. 2017 (GPU-ICD)", supervoxel_icd_params(), "adjusts many blocks of voxels at once"}, "cpu", make_supervoxel_icd, supervoxel_icd_traits);
  solvers.add({"sgd", "SGD", "A gradient step for each ray: x ← max(x + γᵢ (wᵢ (bᵢ − ⟨aᵢ, x⟩) aᵢ − λ ∇R(x)/n), 0), ray after ray, nⱼ rays hit voxel j; at the normalised rate ray i counts by 1/‖aᵢ‖²; needs the rows of A.", "Li et al. 2018 (cuMBIR)", sgd_params(), "steps down the slope, ray after ray"}, "any", make_sgd, sgd_traits);
  solvers.add({"fbp", "FBP", "Ramp filter, then backprojection: f = Σ s_v Q_v; one step. Parallel and fan beams, short scans with Parker's weights.", "Kak and Slaney 1988", fbp_params(), "filters each view and smears it back"}, "cpu", make_fbp, fbp_traits);
  solvers.add({"fdk", "FDK", "FBP for a cone beam on a circle: f = Σ s_v Q_v / U²; one step. Short scans with Parker's weights.", "Feldkamp, Davis and Kress 1984", fdk_params(), "filters and smears back a cone beam"}, "cpu", make_fdk, fdk_traits);

  auto& priors = catalog.priors;
  priors.add({"tv", "Total variation", "R(x) = Σ |(∇x)_j|: flat regions with sharp edges.", "Rudin, Osher and Fatemi 1992", total_variation_params()}, "cpu", make_total_variation, total_variation_traits);
  priors.add({"huber", "Huber", "R(x) = Σ h(|(∇x)_j|), h(t) = t²/2c below the edge height c, t − c/2 above: like total variation, but noise does not become steps.", "Huber 1964", huber_params()}, "cpu", make_huber, huber_traits);
  priors.add({"qggmrf", "q-GGMRF", "R(x) = Σ b_jk ρ(x_j − x_k) over all pairs of neighbours, ρ(t) = t²/2 / (1 + |t/c|^(2−q)).", "Thibault et al. 2007", qggmrf_params()}, "cpu", make_qggmrf_prior, qggmrf_traits);
  priors.add({"tikhonov", "Tikhonov", "R(x) = ½ Σ |(∇x)_j|²: smooths noise and edges alike.", "Tikhonov 1963", tikhonov_params()}, "cpu", make_tikhonov, tikhonov_traits);

  priors.add({"smoothed_tv", "Total variation, smoothed", "R(x) = Σ √(|(∇x)_j|² + s²) − s: total variation for methods that need a gradient.", "Rudin, Osher and Fatemi 1992", smoothed_variation_params()}, "cpu", make_smoothed_variation, smoothed_variation_traits);
  priors.add({"mumford_shah", "Mumford-Shah, edge field", "R(x) = ½ Σ v_j² |(∇x)_j|² + τ² (1 − v_j)² + 4 ε² τ² |(∇v)_j|²: smooth regions, with edges above the threshold τ in an image v of their own. Not convex.", "Mumford and Shah 1989, Ambrosio and Tortorelli 1992", ambrosio_tortorelli_params()}, "cpu", make_ambrosio_tortorelli, ambrosio_tortorelli_traits);
  priors.add({"weak_membrane", "Mumford-Shah, weak membrane", "R(x) = ½ Σ min(|(∇x)_j|², τ²): smooth regions with edges above the threshold τ. Not convex.", "Mumford and Shah 1989, Blake and Zisserman 1987", weak_membrane_params()}, "cpu", make_weak_membrane, weak_membrane_traits);

  auto& metrics = catalog.metrics;
  metrics.add({"rmse", "RMSE", "√ mean (x − r)², 1/mm.", "", {}}, "any", make_rmse);
  metrics.add({"ssim", "SSIM", "Structural similarity: 11 x 11 Gaussian window, L = range of the reference.", "Wang et al. 2004", {}}, "any", make_ssim);
  metrics.add({"psnr", "PSNR", "20 log₁₀(L / RMSE), dB, L = range of the reference.", "", {}}, "any", make_psnr);
  metrics.add({"relative_error", "Relative error", "‖x − r‖ / ‖r‖: the NRMSE by the euclidean norm.", "", {}}, "any", make_relative_error);
  metrics.add({"mae", "MAE", "mean |x − r|, 1/mm.", "", {}}, "any", make_mean_absolute_error);
  metrics.add({"nrmse_range", "NRMSE (range)", "RMSE / (max r − min r).", "", {}}, "any", make_nrmse(Normalisation::range));
  metrics.add({"nrmse_mean", "NRMSE (mean)", "RMSE / mean r.", "", {}}, "any", make_nrmse(Normalisation::mean));
  metrics.add({"nrmse_euclidean", "NRMSE (euclidean)", "RMSE / (‖r‖ / √N).", "", {}}, "any", make_nrmse(Normalisation::euclidean));
  metrics.add({"nrmse_deviation", "NRMSE (deviation)", "RMSE / standard deviation of r.", "", {}}, "any", make_nrmse(Normalisation::deviation));
  metrics.add({"cnr", "CNR", "|mean of the region − mean of the background| / σ of the background; no reference.", "Bushberg et al. 2012", {}}, "any", make_contrast_to_noise);
  metrics.add({"edge_width", "Edge width 10-90 %", "2.563 σ of the error function fitted across an edge, mm; no reference.", "Smith 1997, Judy 1976", {}}, "any", make_edge_width);

  auto& phantoms = catalog.phantoms;
  phantoms.add({"forbild_head", "FORBILD head", "Head section with fine bone, ears and low contrasts.", "Yu et al. 2012", forbild_head_params()}, "any", make_forbild_head);
  phantoms.add({"shepp_logan", "Shepp-Logan", "Ten ellipses, original or modified contrast.", "Shepp and Logan 1974, Toft 1996", shepp_logan_params()}, "any", make_shepp_logan);
  phantoms.add({"shepp_logan_ks", "Shepp-Logan 3D (Kak-Slaney)", "Ten ellipsoids with the published contrast: skull 2, brain 1.02.", "Kak and Slaney 1988, table 3.2", shepp_logan_3d_params()}, "any", make_shepp_logan_ks);
  phantoms.add({"shepp_logan_yyw", "Shepp-Logan 3D (Yu-Ye-Wang)", "Kak and Slaney's ellipsoids with higher contrast: skull 1, brain 0.2.", "Yu, Ye and Wang", shepp_logan_3d_params()}, "any", make_shepp_logan_yyw);
  phantoms.add({"shepp_logan_ts", "Shepp-Logan 3D (Toft-Schabel)", "Other ellipsoids than Kak and Slaney's: the 2D table with heights, as MATLAB's phantom3d draws it.", "Toft 1996, Schabel", shepp_logan_ts_params()}, "any", make_shepp_logan_ts);
  phantoms.add({"forbild_head_3d", "FORBILD head 3D", "Head with fine bone, an ear with air cells and low contrasts.", "Lauritsch and Bruder", forbild_head_3d_params()}, "any", make_forbild_head_3d);
  phantoms.add({"forbild_thorax", "FORBILD thorax", "Lungs, heart, aorta, spine, ribs and shoulders: all 271 solids of the published list.", "", forbild_thorax_params()}, "any", make_forbild_thorax);
  phantoms.add({"forbild_abdomen", "FORBILD abdomen", "Liver with rows of small lesions, spine, liquid under air, bar patterns.", "Schaller and Flohr 1999", forbild_abdomen_params()}, "any", make_forbild_abdomen);
  phantoms.add({"forbild_hip", "FORBILD hip", "Femora and pelvis. The table is unfinished and from a single source (CONRAD); body is taken as water, bone as 1.92; moved by -77.5 mm along z to the middle.", "", forbild_hip_params()}, "any", make_forbild_hip);
  phantoms.add({"forbild_jaw", "FORBILD jaw", "Teeth, jaws, spine and mouth. The table is unfinished and from a single source (CONRAD); body is taken as water, bone as 1.92, cartilage as 1.1; moved to the middle.", "", forbild_jaw_params()}, "any", make_forbild_jaw);
  phantoms.add({"discs", "Discs", "Equal discs on a ring in water.", "", discs_params()}, "any", make_discs);
  phantoms.add({"bar_pattern", "Bar pattern", "Groups of four bars from coarse to fine, across x above and across y below.", "", bar_pattern_params()}, "any", make_bar_pattern);
  phantoms.add({"resolution_inserts", "Resolution inserts", "Six sectors of rods, two diameters apart, from large to small.", "Derenzo et al. 1977", resolution_inserts_params()}, "any", make_resolution_inserts);
  phantoms.add({"contrast_inserts", "Low-contrast inserts", "Three groups of discs from 15 to 2 mm with falling contrast, like the Catphan's supra-slice targets.", "", contrast_inserts_params()}, "any", make_contrast_inserts);
  phantoms.add({"random_ellipses", "Random ellipses", "Ellipses or ellipsoids of random position, shape and density, chosen by the seed.", "", random_ellipses_params()}, "any", make_random_ellipses);
  phantoms.add({"orientation", "Orientation", "A letter F with one ball on +x, two cubes on +y and a cone on +z: shows every flip, rotation and exchange of axes.", "", orientation_params()}, "any", make_orientation);

  auto& corrections = catalog.corrections;
  corrections.add({"bad_cells", "Bad cells", "Dead, stuck and wild cells of the detector, found over the views against their neighbours, get the mean of the living ones.", "After ASTM E2597", bad_cells_params()}, "cpu", make_bad_cells);
  corrections.add({"zingers", "Zingers", "Bright or dark values of single views, in spots up to 2 x 2, that stand out of the cells around and of the views before and after get the median of the sound cells.", "", zingers_params()}, "cpu", make_zingers);
  corrections.add({"rings", "Rings", "Stripes of the sinograms: dead and fluctuating columns interpolated, offsets alike in all views taken off, large stripes bridged, all sorted columns smoothed (algorithms 6, 5, 4, 3).", "Vo, Atwood and Drakopoulos 2018", rings_params()}, "cpu", make_rings);
  corrections.add({"rings_wavelet", "Rings by wavelets", "Stripes of the sinograms: the coefficients of a wavelet transform that are smooth along the views lose their slow waves, k of them the part exp(-k² / 2σ²).", "Münch et al. 2009", rings_wavelet_params()}, "cpu", make_rings_wavelet);
  corrections.add({"beam_hardening", "Beam hardening", "p ← a1 p + a2 p² + a3 p³, for one material.", "Herman 1979", beam_hardening_params()}, "cpu", make_beam_hardening);
  corrections.add({"beam_hardening_bimodal", "Beam hardening, two energies", "p = -ln(s exp(-r q) + (1 - s) exp(-q)) is solved for q, and p ← (1 + s (r - 1)) q: for one material, such as water, and a beam of a soft and a hard part.", "Van de Casteele et al. 2002", beam_hardening_bimodal_params()}, "cpu", make_beam_hardening_bimodal);
  corrections.add({"scatter", "Scatter", "p ← -ln((exp(-p) - s) / (1 - s)): the same scatter in all cells, a part s of the beam.", "Siewerdsen and Jaffray 2001", scatter_params()}, "cpu", make_scatter);
  corrections.add({"drift", "Drift", "p ← p minus the median of the air cells of the same view, those of the outermost columns: changes of the beam's intensity vanish.", "", drift_params()}, "cpu", make_drift);
  corrections.add({"phase_retrieval", "Phase retrieval", "The transmission is divided by 1 + z λ (δ/β) k² / 4π in Fourier space: fringes at edges vanish, for one material and a coherent beam.", "Paganin et al. 2002", phase_retrieval_params()}, "cpu", make_phase_retrieval);
  corrections.add({"metal_nmar", "Metal (NMAR)", "The shadow of metal in the projections is bridged: p ← q · (p/q interpolated from the cells beside it), q is the projection of a prior image of air, soft material and bone. The data are then those of an object without metal.", "Meyer et al. 2010", metal_nmar_params()}, "cpu", make_metal_nmar);
  corrections.add({"scale", "Scale", "p ← factor · p, for line integrals in another unit.", "", scale_params()}, "cpu", make_scale);
}
// clang-format on

}  // namespace gantry
