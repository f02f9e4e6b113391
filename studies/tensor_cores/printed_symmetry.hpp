#pragma once

#include <array>

/// Section 4.5 of the paper in printed.hpp: W x of one image by 8 symmetries, fragments 32.8.16.
/// The paper has no numbers for the backprojection.
namespace gantry::tensor_cores::printed {

struct SingleImage {
  int side;                                 ///< pixels; 720 views of 512 cells
  double tensor_ms, cusparse_ms, half2_ms;  ///< Table 6
  double gb;                                ///< blocks of 32 x 16: Table 7
};
constexpr std::array<SingleImage, 6> single_images = {{
    {64, 0.10, 0.72, 0.22, 0.04},
    {128, 0.19, 0.71, 0.35, 0.09},
    {256, 0.44, 1.13, 0.72, 0.23},
    {320, 0.59, 1.23, 0.97, 0.31},
    {384, 0.78, 1.55, 1.25, 0.41},
    {512, 1.22, 2.10, 1.83, 0.63},
}};

}  // namespace gantry::tensor_cores::printed
