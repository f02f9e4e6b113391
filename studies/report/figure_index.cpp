// Every numbered table and figure of the five papers, with the study that computes it again.
#include "studies/report/figure_index.hpp"

namespace gantry {

namespace {

constexpr const char *drawing = "a drawing of the method, nothing to compute",
                     *gpu = "the methods of print need a CUDA device",
                     *gpu_or_cpu = "without a CUDA device the curves of the CPU alone",
                     *branchless_cpu =
                         "without a CUDA device the CPU's branchless pair in the place of GPU-BL";

}  // namespace

const std::vector<IndexOfPaper>& figure_index() {
  static const std::vector<IndexOfPaper> all = {
      {"Yu et al. 2019",
       {{"Figs 1 to 5", "", "", drawing},
        {"Table 1", "cuart", "sizes", ""},
        {"Section 3.2", "cuart", "permutation",
         "the permutation of columns, protected and not: Fig. 5 has no numbers"},
        {"Fig. 6", "cuart", "profiles", ""},
        {"Figs 7 to 10", "", "", drawing},
        {"Algorithm 2", "cuart", "launches",
         "residual and update in one launch: the CPU has no launches"},
        {"Figs 11 and 12", "cuart", "reconstructions",
         "iterations alone: part times; on the CPU CSR in the place of cuSPARSE"},
        {"Fig. 13", "cuart", "convergence", "whole curves: study art-convergence"},
        {"Fig. 14", "cuart", "convergence", ""},
        {"Table 2", "cuart", "convergence", ""},
        {"Fig. 15", "cuart", "convergence", ""},
        {"Fig. 16", "cuart", "sizes", ""},
        {"Fig. 17", "cuart", "times", "with computing the weights, which print has beforehand"}}},
      {"Liu et al. 2017",
       {{"Figs 1 to 6", "", "", drawing},
        {"Table I", "branchless-dd", "times", "the scanner of the whole study"},
        {"Tables II and III", "branchless-dd", "times", gpu},
        {"Figs 7 to 10", "branchless-dd", "sweeps", gpu_or_cpu},
        {"Fig. 11", "branchless-dd", "texture",
         "needs a CUDA device; modelled, without one: study dd-accuracy"},
        {"Figs 12 to 15", "branchless-dd", "accuracy",
         "without a CUDA device GPU-BL and GPU-DB are modelled; other readings, and Figs 12, 13 "
         "and 15 at the sizes of print: study dd-accuracy"},
        {"Table IV", "branchless-dd", "gpus", gpu},
        {"Figs 16 and 17", "branchless-dd", "phantoms", branchless_cpu},
        {"Table V", "branchless-dd", "phantoms", gpu},
        {"Fig. 18", "branchless-dd", "helical",
         std::string("the data are not public: a substitute; ") + branchless_cpu},
        {"Fig. 19", "branchless-dd", "momentum",
         std::string("the data are not public: a substitute; ") + branchless_cpu}}},
      {"Li et al. 2018",
       {{"Table 1", "", "",
         "the machine of print, a Tesla V100 (PCIe) and a Xeon E5-2650 v3: nothing to compute"},
        {"Figs 1, 2 and 5", "", "", drawing},
        {"Fig. 3", "cumbir", "workers", ""},
        {"Fig. 4", "cumbir", "mapping", "the score that the figure defines"},
        {"Table 2", "cumbir", "scans", "the phantoms are not public: substitutes of its sizes"},
        {"Figs 6 and 7", "cumbir", "workers",
         "the CPU has neither threads of a warp nor blocks: each method once"},
        {"Fig. 8", "cumbir", "workers",
         "(b) the bandwidth that the weights ask for; (a), and how much of the bandwidth is used, "
         "are counted by a profiler and not computed"},
        {"Figs 9 and 10", "cumbir", "mapping", "Fig. 10 as a table"},
        {"Section 7.4", "cumbir", "variants",
         "each gain by itself, which needs a CUDA device; 43 % of all together: no kernel here "
         "has them together"},
        {"Fig. 11", "cumbir", "overall", ""}}},
      {"Chen et al.",
       {{"Figs 1, 2 and 4 to 6", "", "", drawing},
        {"Fig. 3", "matrix-cbct", "sizes", ""},
        {"Table 1", "matrix-cbct", "sizes", ""},
        {"Table 2", "matrix-cbct", "times",
         "column GPU needs a CUDA device; no dense matrix is stored here"},
        {"Fig. 7", "matrix-cbct", "errors", "C needs a CUDA device"},
        {"Table 3", "matrix-cbct", "errors", "print's method does not converge here"}}},
      {"Nourazar and Goossens 2021",
       {{"Table 1", "tensor-cores", "blocks", "the sizes of fragments that the hardware has"},
        {"Figs 1 to 5", "", "", drawing},
        {"Table 2", "tensor-cores", "sizes", "sparsity is the share of zeros"},
        {"Fig. 6", "tensor-cores", "blocks", ""},
        {"Table 3", "tensor-cores", "blocks", ""},
        {"Table 4", "tensor-cores", "iterations", gpu},
        {"Table 5", "tensor-cores", "blocks", "CSR: part sizes"},
        {"Fig. 7", "tensor-cores", "errors", "the images are not public: substitutes"},
        {"Fig. 8", "tensor-cores", "errors", ""},
        {"Table 6", "tensor-cores", "single-image", gpu},
        {"Table 7", "tensor-cores", "single-image", "estimated at the sizes of print"}}}};
  return all;
}

}  // namespace gantry
