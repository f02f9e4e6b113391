#pragma once

#include "studies/printed_number.hpp"

#include <array>

/// The printed numbers of "Accelerating iterative CT reconstruction algorithms using Tensor Cores"
/// (Nourazar and Goossens 2021). The text calls its CSR 32-bit, but that of Table 5 takes 6 bytes a
/// nonzero, as with half precision, and that of Table 7 the 8 of float32.
namespace gantry::tensor_cores::printed {

/// Columns of Tables 4 and 5: Tensor Cores with blocks of 8, 16 and 32 rays x 16 pixels, and the
/// paper's two references.
enum Column : std::size_t { tensor_8, tensor_16, tensor_32, cusparse, half2 };
/// Energies are printed in nJ; their digits are those of mJ.
constexpr const char* energy_unit = "mJ (print: nJ)";
constexpr const char* why_millijoules =
    "mJ are meant: 151 in 0.62 ms are 244 W, of a card of 250 W";
/// Times of the other methods of Table 4, ms; the iteration of SART is that of a single view.
struct Others {
  double on_the_fly, mlem, astra_cgls, astra_sirt, astra_sart, tigre_cgls, tomopy_sirt;
};
struct Size {
  int side;                         ///< pixels; 720 views of 512 cells, 32 images at once
  double nonzeros_1e6;              ///< Table 2
  std::array<PrintedNumber, 4> gb;  ///< Table 5, which has no column for half2
  /// Of an iteration, per image: Table 4.
  std::array<PrintedNumber, 5> ms;
  std::array<double, 5> nj;
  Others others;
};
constexpr std::array<Size, 6> sizes = {{
    {64,
     37.9,
     {0.23, 0.25, 0.26, 0.23},
     {PrintedNumber(0.7, 0.07,
                    "16.16.16 takes 0.06, 32.8.16 0.08, and the energy of all is 6 or 7"),
      0.06, 0.08, 0.28, 0.19},
     {6, 6, 7, 47, 29},
     {1.25, 0.47, 0.92, 0.81, 0.43, 210, 40}},
    {128,
     78.4,
     {0.52, 0.57, 0.63, 0.47},
     {0.11, 0.11, 0.12, 0.56, 0.37},
     {15, 14, 17, 117, 82},
     {1.61, 0.75, 0.97, 0.87, 0.44, 210, 60}},
    {256,
     159.5,
     {1.20, 1.42, 1.68, 0.96},
     {0.22, 0.23, 0.28, 1.30, 0.86},
     {50, 55, 60, 306, 213},
     {2.55, 1.73, 1.58, 1.46, 0.44, 226, 80}},
    {320,
     200.0,
     {1.60, PrintedNumber(4.94, 1.94, "it lies between 1.42 of 256^2 and 2.53 of 384^2"), 2.35,
      1.20},
     {0.29, 0.33, 0.38, 1.73, 1.16},
     {70, 80, 87, 412, 296},
     {3.24, 2.51, 2.08, 1.94, 0.44, 230, 90}},
    {384,
     240.8,
     {2.04, 2.53, 3.13, 1.45},
     {0.38, 0.44, 0.50, 2.16, 1.50},
     {93, 106, 117, 530, 383},
     {4.22, 3.01, 3.03, 2.90, 0.48, 240, 120}},
    {512,
     321.9,
     {3.04, 3.92, 4.98, 1.93},
     {0.62, 0.73, 0.80, 3.12, 2.30},
     {151, 179, 190, 782, 592},
     {6.72, 4.79, 4.55, 4.40, 0.48, 250, 140}},
}};
/// Table 1.
struct Fragment {
  const char *name, *a, *b, *c;  ///< tiles of A, B and C
};
constexpr std::array<Fragment, 3> fragments = {{{"16.16.16", "16x16", "16x16", "16x16"},
                                                {"32.8.16", "32x16", "16x8", "32x8"},
                                                {"8.32.16", "8x16", "16x32", "8x32"}}};
constexpr std::array<int, 3> block_rays = {8, 16, 32};
/// All blocks of the matrix at 512^2, millions: Table 3.
constexpr std::array<double, 3> block_counts_1e6 = {755, 377.5, 188.7};
/// Fraction of all blocks that hold a nonzero, at 512^2, before and after reordering: Table 3, %.
constexpr std::array<double, 3> before = {3.36, 5.19, 8.83}, after = {1.55, 2.01, 2.57};

constexpr int images = 32, pictures = 23;

/// Table 6, the projection of one image, and Table 7, its matrix.
struct SingleImage {
  int side;  ///< pixels; 720 views of 512 cells
  double tensor_ms, cusparse_ms, half2_ms;
  double tensor_nj, cusparse_nj, half2_nj;
  double gb, csr_gb;  ///< of blocks of 32 x 16, and of CSR
};
constexpr std::array<SingleImage, 6> single_images = {{
    {64, 0.10, 0.72, 0.22, 6, 130, 20, 0.04, 0.04},
    {128, 0.19, 0.71, 0.35, 11, 150, 40, 0.09, 0.08},
    {256, 0.44, 1.13, 0.72, 29, 260, 117, 0.23, 0.16},
    {320, 0.59, 1.23, 0.97, 42, 300, 193, 0.31, 0.20},
    {384, 0.78, 1.55, 1.25, 62, 390, 266, 0.41, 0.25},
    {512, 1.22, 2.10, 1.83, 108, 530, 431, 0.63, 0.33},
}};

}  // namespace gantry::tensor_cores::printed
