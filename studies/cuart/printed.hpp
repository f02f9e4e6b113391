#pragma once

// The printed numbers of Yu, Wang, Feng, Gong and Cao, "GPU-based iterative medical CT image
// reconstructions", J. Signal Process. Syst. (online 8 March 2018; its volume and page, 91 (2019)
// 321, stand in indexes, not on its pages), measured on a Tesla K80 and one thread of a Xeon
// E5-2697. The program of the paper is cuART.
#include <array>

namespace gantry::cuart::printed {

/// A format that SCSR is compared with: its own largest speed-up over ART on one thread, and the
/// largest speed-ups of SCSR's two blockings over it. All are of whole reconstructions: of
/// global_iterations with the other formats and at the global level, and of view_iterations at the
/// view level.
struct Counterpart {
  const char* format;
  double over_art, global_level, view_level;
  bool is_own_form;  ///< here it is a simplified form of this program's own
};
constexpr std::array<Counterpart, 3> faster_than = {{{"cusparse", 3.7, 6.1, 6.8, false},
                                                     {"brc", 3.7, 6.6, 7.2, true},
                                                     {"csr5", 4.8, 4.2, 5.4, true}}};

/// Iterations to converge, and speed-ups of an iteration and of whole reconstructions over ART on
/// one thread.
constexpr int art_iterations = 15, global_iterations = 50, view_iterations = 30;
constexpr double iteration_over_art = 62.4, global_over_art = 18.7, view_over_art = 24.8;

/// Table 2, with the phantom as reference, and the side of the images of Figs 13 to 15 in pixels.
constexpr double global_ssim = 0.9878, view_ssim = 0.9901;
constexpr int image_side = 1024;

/// Memory of CSR / memory of each blocking, for 512^2, 1024^2 and 2048^2.
constexpr std::array<double, 3> global_smaller = {7.6, 7.7, 7.8}, view_smaller = {7.8, 7.9, 7.9};

/// Building CSR5 over building CSR, at most (text on Fig. 17).
constexpr double csr5_build_over_csr = 2.9;

/// Fig. 6 and its text: views of the first eighth, 0.5 degrees apart.
constexpr std::array<int, 6> profile_views = {0, 4, 22, 45, 77, 89};
constexpr double smallest_row = 1000, largest_row_first = 2000, largest_row_last = 3500;
constexpr int border_view = 5;

/// The memory of the GPU (sections 3 and 6), GB. A K80 is two devices of 12 GB each.
constexpr double k80_gb = 24;

}  // namespace gantry::cuart::printed
