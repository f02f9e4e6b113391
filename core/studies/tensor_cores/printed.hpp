#pragma once

#include <array>

/// "Accelerating iterative CT reconstruction algorithms using Tensor Cores" (Nourazar and Goossens
/// 2021): numbers as printed, but for two misprints that its other tables put right (0.07 for 0.7
/// ms at 64^2, 1.94 for 4.94 GB at 320^2).
namespace gantry::tensor_cores::printed {

struct Size {
  int side;             ///< pixels; 720 views of 512 cells, 32 images at once
  double nonzeros_1e6;  ///< Table 2
  /// GB of blocks of 8, 16 and 32 rays x 16 pixels: Table 5.
  std::array<double, 3> gb;
  /// An iteration, forward and back, per image, of the same: Table 4, ms.
  std::array<double, 3> tensor_ms;
  double cusparse_ms, on_the_fly_ms;
};
constexpr std::array<Size, 6> sizes = {{
    {64, 37.9, {0.23, 0.25, 0.26}, {0.07, 0.06, 0.08}, 0.28, 1.25},
    {128, 78.4, {0.52, 0.57, 0.63}, {0.11, 0.11, 0.12}, 0.56, 1.61},
    {256, 159.5, {1.20, 1.42, 1.68}, {0.22, 0.23, 0.28}, 1.30, 2.55},
    {320, 200.0, {1.60, 1.94, 2.35}, {0.29, 0.33, 0.38}, 1.73, 3.24},
    {384, 240.8, {2.04, 2.53, 3.13}, {0.38, 0.44, 0.50}, 2.16, 4.22},
    {512, 321.9, {3.04, 3.92, 4.98}, {0.62, 0.73, 0.80}, 3.12, 6.72},
}};
constexpr std::array<int, 3> block_rays = {8, 16, 32};
/// Blocks with a nonzero, of all, at 512^2, before and after reordering: Table 3, %.
constexpr std::array<double, 3> before = {3.36, 5.19, 8.83}, after = {1.55, 2.01, 2.57};

constexpr int images = 32, iterations = 60;

}  // namespace gantry::tensor_cores::printed
