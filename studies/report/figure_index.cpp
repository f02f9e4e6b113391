// Every numbered table and figure of the five papers, with the study that computes it again.
#include "studies/report/figure_index.hpp"

namespace gantry {

namespace {

constexpr const char *drawing = "a drawing of the method, nothing to compute",
                     *gpu = "the methods of print need a CUDA device";

}  // namespace

const std::vector<IndexOfPaper>& figure_index() {
  static const std::vector<IndexOfPaper> all = {
      {"Yu et al. 2019",
       {{"Figs 1 to 5", "", "", drawing},
        {"Table 1", "cuart", "sizes", ""},
        {"Fig. 6", "cuart", "profiles", ""},
        {"Figs 7 to 10", "", "", drawing},
        {"Figs 11 and 12", "cuart", "reconstructions", "iterations alone: part times"},
        {"Fig. 13", "cuart", "convergence", "whole curves: study art-convergence"},
        {"Fig. 14", "cuart", "convergence", ""},
        {"Table 2", "cuart", "convergence", ""},
        {"Fig. 15", "cuart", "convergence", ""},
        {"Fig. 16", "cuart", "sizes", ""},
        {"Fig. 17", "cuart", "times", "with computing the weights, which print has beforehand"}}},
      {"Liu et al. 2017",
       {{"Figs 1 to 6", "", "", drawing},
        {"Table I", "branchless-dd", "", "the scanner of the whole study"},
        {"Tables II and III", "branchless-dd", "times", gpu},
        {"Figs 7 to 10", "branchless-dd", "sweeps", gpu},
        {"Fig. 11", "branchless-dd", "texture", "modelled: study dd-accuracy"},
        {"Figs 12 to 15", "branchless-dd", "accuracy",
         "modelled, without a GPU: study dd-accuracy"},
        {"Table IV", "branchless-dd", "gpus", gpu},
        {"Figs 16 and 17", "branchless-dd", "phantoms", ""},
        {"Table V", "branchless-dd", "phantoms", gpu},
        {"Fig. 18", "branchless-dd", "helical", "the data are not public: a substitute"},
        {"Fig. 19", "branchless-dd", "momentum", "the data are not public: a substitute"}}},
      {"Li et al. 2018",
       {{"Table 1", "", "", "the machine of print"},
        {"Figs 1, 2 and 5", "", "", drawing},
        {"Fig. 3", "cumbir", "workers", ""},
        {"Fig. 4", "cumbir", "mapping", "the score that the figure defines"},
        {"Table 2", "cumbir", "", "the phantoms are not public: substitutes of its sizes"},
        {"Figs 6 and 7", "cumbir", "workers", ""},
        {"Fig. 8", "cumbir", "workers",
         "the bandwidth that the weights ask for; the utilisation of units is counted by a "
         "profiler and is not computed"},
        {"Figs 9 and 10", "cumbir", "mapping", "as tables"},
        {"Section 7.4", "cumbir", "variants", "each gain by itself: no kernel here has all"},
        {"Fig. 11", "cumbir", "overall", ""}}},
      {"Chen et al.",
       {{"Figs 1, 2 and 4 to 6", "", "", drawing},
        {"Fig. 3", "matrix-cbct", "sizes", ""},
        {"Table 1", "matrix-cbct", "sizes", ""},
        {"Table 2", "matrix-cbct", "times", "column GPU needs a CUDA device"},
        {"Fig. 7", "matrix-cbct", "errors", "C needs a CUDA device"},
        {"Table 3", "matrix-cbct", "errors", "print's method does not converge here"}}},
      {"Nourazar and Goossens 2021",
       {{"Table 1", "", "", "the sizes of fragments that the hardware has"},
        {"Figs 1 to 5", "", "", drawing},
        {"Table 2", "tensor-cores", "sizes", ""},
        {"Fig. 6", "tensor-cores", "blocks", ""},
        {"Table 3", "tensor-cores", "blocks", ""},
        {"Table 4", "tensor-cores", "iterations", gpu},
        {"Table 5", "tensor-cores", "blocks", "CSR: part sizes"},
        {"Fig. 7", "tensor-cores", "errors", "the images are not public: substitutes"},
        {"Fig. 8", "tensor-cores", "errors", ""},
        {"Tables 6 and 7", "tensor-cores", "single-image", gpu}}}};
  return all;
}

}  // namespace gantry
