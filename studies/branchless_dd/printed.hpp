#pragma once

#include "studies/printed_number.hpp"
#include "studies/study.hpp"

// The printed numbers of Liu, Fu, De Man and Yu, "GPU-based branchless distance-driven projection
// and backprojection", IEEE Trans. Comput. Imaging 3 (2017) 617, measured on a GeForce Titan X and
// two Xeons of eight cores (Table IV: Titan X, two GK104 of a Tesla K10 and a GTX 670 are named,
// which four and in which order is not said); times in seconds.
#include <array>

namespace gantry::branchless_dd::printed {

constexpr double none = -1;  ///< "N/A" or an empty cell of a table

/// Times of projection and backprojection, each with its printed speed-up over CPU-1.
struct Row {
  const char* method;
  double projection;
  PrintedNumber projection_faster;
  double backprojection, backprojection_faster;
};
/// Table II, 984 views of 888 x 64 cells.
constexpr std::array<Row, 7> table_2 = {{
    {"CPU-1", 195.59, 1.00, 195.44, 1.00},
    {"CPU-8", 24.10, 8.12, 24.89, 7.85},
    {"CPU-32", 11.48, 17.04, 11.48, 17.02},
    {"GPU-BL", 1.42, 137.74, 1.04, 187.92},
    {"GPU-BS", 2.77, {57.61, 70.6, "195.59 s / 2.77 s"}, 3.02, 64.72},
    {"GPU-DB", 13.46, 14.53, 17.68, 11.05},
    {"GPU-BZ", none, none, 1.21, 161.52},
}};

struct Gups {
  const char* method;
  double projection, backprojection;
};
/// Table III, 2^30 voxel updates per second.
constexpr std::array<Gups, 5> table_3 = {{
    {"CPU-32", 1.57, 1.49},
    {"GPU-BL", 17.65, 17.93},
    {"GPU-BS", 5.25, 6.05},
    {"GPU-DB", 1.34, 0.86},
    {"GPU-BZ", none, 16.58},
}};

struct OnGpus {
  int views;
  /// Times on 1, 2, 3 and 4 GPUs.
  std::array<double, 4> projection, projection_kernel, projection_sums, backprojection,
      backprojection_kernel, backprojection_sums;
};
/// Table IV.
constexpr std::array<OnGpus, 3> table_4 = {{
    {984,
     {1.478, 1.107, 1.102, 1.101},
     {1.009, 0.703, 0.579, 0.457},
     {0.016, 0.012, 0.010, 0.010},
     {1.041, 0.953, 0.944, 0.886},
     {0.618, 0.454, 0.346, 0.272},
     {0.029, 0.026, 0.026, 0.024}},
    {1968,
     {2.550, 2.045, 1.762, 1.581},
     {2.012, 1.411, 1.184, 0.897},
     {0.033, 0.028, 0.025, 0.021},
     {1.933, 1.504, 1.351, 1.261},
     {1.260, 0.832, 0.703, 0.552},
     {0.059, 0.054, 0.053, 0.048}},
    {3936,
     {4.685, 3.513, 2.841, 2.542},
     {4.029, 2.853, 2.305, 1.791},
     {0.069, 0.058, 0.055, 0.052},
     {3.579, 2.754, 2.253, 1.842},
     {2.693, 1.746, 1.461, 1.174},
     {0.125, 0.120, 0.117, 0.113}},
}};

struct Iteration {
  const char* method;
  double projection, projection_kernel, backprojection, backprojection_kernel;
};
/// Table V: an iteration of the FORBILD head, 2200 views.
constexpr std::array<Iteration, 3> table_5 = {{
    {"CPU-32", 24.13, none, 26.63, none},
    {"GPU-BL", 2.75, 2.25, 2.78, 1.92},
    {"GPU-BS", 5.89, 5.65, 8.07, 7.82},
}};

/// The sizes of Fig. 8, pixels a side, and of Fig. 9, slices and detector rows.
struct Steps {
  int first, last, step;
};
constexpr Steps sides = {256, 1408, 128}, slices = {64, 480, 32};

// The numbers in the text on Figs 7 and 11 to 19.
constexpr double projection_over_cpu = 10, backprojection_over_cpu = 11;  // Fig. 7, maxima
constexpr double samples_a_step = 128, largest_staircase_error = 1.0 / 512;
constexpr double bl_projection_rmse = 2.77e-2, db_projection_rmse = 3.50e-4;
/// Of 984 views (Fig. 14). The second is printed as of "GPU-DB projection" and meant of the
/// backprojection: its sentence is about Fig. 14, and the projection has a value of its own.
constexpr double bl_backprojection_rmse = 5.24e-2, db_backprojection_rmse = 6.92e-4;
/// Half the windows of the differences of Figs 12 and 14, of the largest value; Fig. 13 states
/// none.
constexpr double fig_12_half_window = 0.002, fig_14_half_window = 0.0002;
/// What the text states of the error of GPU-BL on the bar of Fig. 15, %: at 0 degrees GPU-BL and
/// the CPU "are still the same"; the bound is said of Fig. 15 (a), the first angle of the figure.
inline StudyCell bar_error(double angle_deg) {
  if (angle_deg == 0) return StudyCell::stated("none: the same", 0);
  if (angle_deg == 30) return StudyCell::stated("below 0.2", 0.2);
  return {};
}
/// The window of the differences of Fig. 18 (c), HU.
constexpr double helical_window_low_hu = -3, helical_window_high_hu = 5;
constexpr double helical_rmse_hu = 0.57, clinical_ssim = 0.9905;

}  // namespace gantry::branchless_dd::printed
