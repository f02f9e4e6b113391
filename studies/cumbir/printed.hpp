#pragma once

// The printed numbers of Li, Liang, Zhang, Liu, Li, Luo and Jiang, "cuMBIR: An efficient framework
// for low-dose X-ray CT image reconstruction on GPUs", Proc. ICS 2018, doi 10.1145/3205289.3205309,
// measured on a Tesla V100 (PCIe).
#include <array>

namespace gantry::cumbir::printed {

/// Table 2: voxels, and the number of projection measurements (rays) in millions. The detector and
/// the number of views are chosen here, so that they multiply to the printed number; print says 90
/// to 180 views and a detector of 512 x 512 of typical scans.
struct Scan {
  const char *name, *phantom;
  int nx, ny, nz;
  double million_rays;
  int columns, rows, views;
};
constexpr std::array<Scan, 5> table_2 = {
    {{"Shepp-Logan", "shepp_logan_ks", 256, 256, 256, 11.8, 256, 256, 180},
     {"Hip", "forbild_hip", 512, 256, 256, 18.0, 512, 256, 137},
     {"Abdomen", "forbild_abdomen", 512, 512, 256, 23.6, 512, 512, 90},
     {"Jaw", "forbild_jaw", 128, 192, 256, 11.7, 256, 256, 179},
     {"Forbild", "forbild_head_3d", 512, 640, 512, 23.6, 512, 512, 90}}};

/// Section 7.2: SGD_Thd is faster to converge than the others by these factors.
constexpr double over_sgd_block = 1.5, over_icd_block = 4.2, over_icd_thread = 8.3;
/// Section 7.3: the mapping's gain of time, and the transactions that remain.
constexpr double mapping_gain = 1.4, transactions_left = 0.5;
/// Section 7.4: gains of convergence, %: of special function units, of double units further, on top
/// of these, of the texture, and of all of mixed precision together ("about").
constexpr double fast_functions = 30, double_units = 13, texture = 4, mixed_precision = 43;
/// Section 7.5: SGD with the Mumford-Shah prior over GPU-ICD, mean of the five phantoms.
constexpr double over_gpu_icd = 1.48;
/// Section 4.2 and Fig. 3: memory utilisation of the example, %.
constexpr double utilisation_thread = 71.43, utilisation_block = 55.56;

}  // namespace gantry::cumbir::printed
