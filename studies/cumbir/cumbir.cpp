// Low-dose reconstruction by stochastic gradient descent and its rivals: Li et al. 2018 (cuMBIR),
// Table 2, Figs 3, 4 and 6 to 11, and sections 7.4 and 7.5.
#include "studies/cumbir/parts.hpp"
#include "studies/study_list.hpp"

namespace gantry {

namespace cumbir {
namespace {

void add_notes(const CumbirContext& context, StudyResult& result) {
  result.notes = {
      "Devices: " + context.devices() + ". Methods run on " + context.device() + ".",
      "Phantoms are the analytic ones of the published tables (CONRAD's, as far as they are "
      "complete; hip and jaw are unfinished there), in a cone beam whose distances print leaves "
      "open. Data are exact line integrals, one ray a cell, with Poisson noise of 1e5 photons a "
      "ray; methods that take statistical weights have them, but FISTA "
      "and OS-FISTA, which run without.",
      "Scale " + std::to_string(context.scale()) +
          " of the printed sizes. A time counts the method's set-up; data and truth are on the "
          "device before, and the error of the image is computed outside of the time. A run is "
          "made once with the data of a seed; parts other than \"overall\" take seed 1 alone.",
      "Print's worker is a block of threads, here the 32 threads of a warp. Print does not state "
      "the prior's units; the weights here are chosen by the parts \"strength\" and "
      "\"strength-of-sgd\" at the printed "
      "sizes."};
}

}  // namespace
}  // namespace cumbir

StudyResult study_cumbir(const StudyOptions& options) {
  using namespace cumbir;
  CumbirContext context(options);
  context.require_known_sizes({128, 256, 512});
  StudyResult result = compute_study<CumbirContext>(context, add_notes,
                                                    {{"scans", scans, 0.01},
                                                     {"strength", strength, 0.15},
                                                     {"strength-of-sgd", strength_of_sgd, 0.05},
                                                     {"workers", workers, 0.1},
                                                     {"mapping", mapping, 0.1},
                                                     {"variants", variants, 0.05},
                                                     {"stored", stored, 0.04},
                                                     {"overall", overall, 0.6}});
  result.tables.push_back(context.summary);
  return result;
}

}  // namespace gantry
