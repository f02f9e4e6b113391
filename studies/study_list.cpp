// The list of studies.
#include "studies/study_list.hpp"

namespace gantry {

const std::vector<Study>& studies() {
  const Paper
      yu = {"Yu et al. 2019",
            "X. Yu, H. Wang, W. Feng, H. Gong, G. Cao: GPU-based iterative medical CT image "
            "reconstructions. J. Signal Process. Syst. 91 (2019) 321"},
      chen = {"Chen et al.",
              "Chen J., Zhang H., Yan B., Li L., Guan M., Wang L.: Matrix approach for "
              "processing of iterative reconstruction on cone beam CT"},
      liu = {"Liu et al. 2017",
             "R. Liu, L. Fu, B. De Man, H. Yu: GPU-based branchless distance-driven "
             "projection and backprojection. IEEE Trans. Comput. Imaging 3 (2017) 617"},
      li = {"Li et al. 2018",
            "X. Li, Y. Liang, W. Zhang, T. Liu, H. Li, G. Luo, M. Jiang: cuMBIR: An efficient "
            "framework for low-dose X-ray CT image reconstruction on GPUs. Proc. ICS 2018, "
            "doi 10.1145/3205289.3205309"},
      nourazar = {"Nourazar and Goossens 2021",
                  "M. Nourazar, B. Goossens: Accelerating iterative CT reconstruction "
                  "algorithms using Tensor Cores. J. Real-Time Image Process. (2021)"};
  // One line for each study.
  // clang-format off
  static const std::vector<Study> all = {
      {"art-convergence", "Convergence of ART and of its parallel forms, whole scan and view by view (Yu et al. 2019, Fig. 13)", study_art_convergence, {yu}},
      {"branchless-dd", "Branchless distance-driven projection on this machine (Liu et al. 2017, Tables I to V, Figs 7 to 17, substitutes for Figs 18 and 19)", study_branchless_dd, {liu}, {.parts = true}},
      {"cuart", "Symmetric CSR, other matrix formats and parallel ART on this machine (Yu et al. 2019, Tables 1 and 2, Figs 6 and 11 to 17)", study_cuart, {yu}, {.parts = true, .sizes = true}},
      {"cumbir", "Low-dose reconstruction by stochastic gradient descent, and its rivals, on this machine (Li et al. 2018, Table 2, Figs 3, 4 and 6 to 11)", study_cumbir, {li}, {.parts = true, .sizes = true, .seeds = true}},
      {"dd-accuracy", "Distance-driven projection with eight-bit table fractions (Liu et al. 2017, Figs 11 to 13, 15)", study_dd_accuracy, {liu}, {}, true, true},
      {"matrix-cbct", "SART with stored matrices on this machine (Chen et al., Tables 1 to 3, Figs 3 and 7)", study_matrix_cbct, {chen}, {.parts = true, .sizes = true}},
      {"nonzeros", "Nonzeros and sizes of system matrices (Yu et al. 2019; Chen et al.; Nourazar and Goossens 2021)", study_nonzeros, {yu, chen, nourazar}, {.sizes = true}, true},
      {"symmetry", "Views that need storing where rotations and mirrors give the others (Yu et al. 2019)", study_symmetry, {yu}},
      {"tensor-cores", "Many slices at once with half precision and Tensor Cores on this machine (Nourazar and Goossens 2021, Tables 1 to 7, Figs 6 to 8)", study_tensor_cores, {nourazar}, {.parts = true, .sizes = true}},
  };
  // clang-format on
  return all;
}

}  // namespace gantry
