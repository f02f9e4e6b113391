// The list of studies.
#include "studies/study_list.hpp"

namespace gantry {

const std::vector<Study>& studies() {
  // One line for each study.
  // clang-format off
  static const std::vector<Study> all = {
      {"art-convergence", "Convergence of ART and of its parallel forms, whole scan and view by view (Yu et al. 2019, Fig. 13)", study_art_convergence},
      {"branchless-dd", "Branchless distance-driven projection on this machine (Liu et al. 2017, Tables II to V, Figs 7 to 11, curves of Figs 12 to 17, substitutes for Figs 18 and 19)", study_branchless_dd},
      {"cuart", "Symmetric CSR, other matrix formats and parallel ART on this machine (Yu et al. 2019, Tables 1 and 2, Figs 6, 13, 15 and 16; iterations beside Figs 11, 12 and 17)", study_cuart},
      {"cumbir", "Low-dose reconstruction by stochastic gradient descent, and its rivals, on this machine (Li et al. 2018, Table 2, Figs 3, 7 and 9 to 11)", study_cumbir, true},
      {"dd-accuracy", "Distance-driven projection with eight-bit table fractions (Liu et al. 2017, Figs 11, 12, 15)", study_dd_accuracy},
      {"matrix-cbct", "SART with stored matrices on this machine (Chen et al., Tables 1 to 3, a line of Fig. 7)", study_matrix_cbct},
      {"nonzeros", "Nonzeros and sizes of system matrices (Yu et al. 2019; Chen et al.; Nourazar and Goossens 2021)", study_nonzeros},
      {"symmetry", "Views that need storing where rotations and mirrors give the others (Yu et al. 2019)", study_symmetry},
      {"tensor-cores", "Many slices at once with half precision and Tensor Cores on this machine (Nourazar and Goossens 2021, Tables 2 to 7, Fig. 8)", study_tensor_cores},
  };
  // clang-format on
  return all;
}

}  // namespace gantry
