// All five phantoms to a common level of error: Fig. 11, and that the time grows linearly with the
// number of rays. The level is 1.05 times the least error that any method reaches with the data of
// a seed; the time is that of the first iteration at or below it, with the method's set-up. Beside
// it stands the time to 1.05 times the least error of super-voxel ICD, at which print compares.
#include "core/matrix/matrix_format.hpp"
#include "studies/cumbir/methods.hpp"
#include "studies/cumbir/parts.hpp"

#include <algorithm>
#include <limits>

namespace gantry::cumbir {

namespace {

constexpr int usual_seeds = 5, seeds_of_large = 1;    // unless StudyOptions::seeds says more
constexpr std::size_t large = std::size_t{1} << 24U;  // voxels
constexpr double longest_s = 5, longest_of_large_s = 12;

bool is_large(const Scanned& scanned) { return scanned.truth.size() > large; }

/// Least, mean and largest of some values.
struct Band {
  double least = std::numeric_limits<double>::infinity(), most = 0, sum = 0;
  int count = 0;
  void take(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
    ++count;
  }
  StudyCell mean() const { return count > 0 ? StudyCell(sum / count) : StudyCell(); }
  // A single value has no spread.
  StudyCell low() const { return count > 1 ? StudyCell(least) : StudyCell(); }
  StudyCell high() const { return count > 1 ? StudyCell(most) : StudyCell(); }
};

/// What a method did with the data of all seeds of a phantom.
struct Outcome {
  Band seconds, iterations, error, setup, epoch;
  Band to_rival;  // seconds to the level of super-voxel ICD
  int reached = 0;
  std::string problem;
};

class Overall {
 public:
  Overall(CumbirContext& context, StudyResult& result) : context_(context), result_(result) {}
  void phantom(const printed::Scan& line);
  void finish();

 private:
  void seed(const Scanned& scanned, int number, StudyChart* chart);
  void rows(const Scanned& scanned, int seeds);

  CumbirContext& context_;
  StudyResult& result_;
  const std::vector<Method> methods_ = all_methods();
  std::vector<Outcome> outcomes_;
  // The time of super-voxel ICD as published over that of print's method, and over that of the
  // fastest other method, of all phantoms; the latter also with the better start of super-voxel
  // ICD.
  Band ratio_of_print_, ratio_, ratio_of_best_start_;
  int phantoms_ = 0;
  std::size_t most_seeds_ = 0;  ///< of a phantom
  StudyTable growth_{"growth",
                     "SGD with the Mumford-Shah prior: an epoch by the number of rays, and of "
                     "weights (section 7.5: linear in the projection size)",
                     {{"phantom", ""},
                      {"rays", "million"},
                      {"weights", "billion"},
                      {"epoch", "s"},
                      {"a ray", "ns"},
                      {"a weight", "ns"}},
                     {}};
  StudyTable table_{"fig-11",
                    "Time to 1.05 x the least error of all methods, with the set-up (Fig. 11)",
                    {{"phantom", ""},
                     {"method", ""},
                     {"seeds that reach it", ""},
                     {"time, mean", "s"},
                     {"least of several", "s"},
                     {"most of several", "s"},
                     {"iterations", ""},
                     {"set-up", "s"},
                     {"least error", "1/mm"},
                     {"time to 1.05 x the least error of super-voxel ICD", "s"},
                     {"note", ""}},
                    {}};
};

void Overall::seed(const Scanned& scanned, int number, StudyChart* chart) {
  const NoisyData data = context_.noisy(scanned, number);
  std::vector<Run> runs;
  double least = std::numeric_limits<double>::infinity(), least_of_rival = least;
  for (const Method& method : methods_) {
    runs.push_back(run_method(context_, scanned, data, method,
                              is_large(scanned) ? longest_of_large_s : longest_s));
    least = std::min(least, runs.back().best());
    if (method.is_rival()) least_of_rival = std::min(least_of_rival, runs.back().best());
    if (chart != nullptr) chart->curves.push_back(curve_of(method.name, runs.back()));
    context_.show(result_, table_);
  }
  for (std::size_t m = 0; m < runs.size(); ++m) {
    Outcome& outcome = outcomes_[m];
    if (!runs[m].problem.empty()) outcome.problem = runs[m].problem;
    if (runs[m].rmse.empty()) continue;
    outcome.error.take(runs[m].best());
    outcome.setup.take(runs[m].setup_s);
    outcome.epoch.take((runs[m].seconds.back() - runs[m].setup_s) /
                       static_cast<double>(runs[m].seconds.size()));
    if (const auto seconds = runs[m].seconds_to(criterion * least_of_rival))
      outcome.to_rival.take(*seconds);
    if (const auto seconds = runs[m].seconds_to(criterion * least)) {
      ++outcome.reached;
      outcome.seconds.take(*seconds);
      outcome.iterations.take(*runs[m].iterations_to(criterion * least));
    }
  }
}

void Overall::rows(const Scanned& scanned, int seeds) {
  const Outcome *fastest = nullptr, *of_rival = nullptr, *of_best_start = nullptr;
  const auto mean = [](const Outcome& of) { return of.to_rival.sum / of.to_rival.count; };
  const auto take_faster = [&](const Outcome*& so_far, const Outcome& other) {
    if (so_far == nullptr || mean(other) < mean(*so_far)) so_far = &other;
  };
  for (std::size_t m = 0; m < methods_.size(); ++m) {
    const Outcome& outcome = outcomes_[m];
    table_.rows.push_back({scanned.setting.name, methods_[m].name,
                           std::to_string(outcome.reached) + " of " + std::to_string(seeds),
                           outcome.seconds.mean(), outcome.seconds.low(), outcome.seconds.high(),
                           outcome.iterations.mean(), outcome.setup.mean(), outcome.error.mean(),
                           outcome.to_rival.mean(), outcome.problem});
    if (outcome.to_rival.count < seeds) continue;
    take_faster(methods_[m].is_supervoxel_icd ? of_best_start : fastest, outcome);
    if (methods_[m].is_rival()) take_faster(of_rival, outcome);
  }
  ++phantoms_;
  if (const Outcome& of_print = outcomes_.front();
      of_rival != nullptr && of_print.to_rival.count == seeds)
    ratio_of_print_.take(mean(*of_rival) / mean(of_print));
  if (fastest != nullptr && of_rival != nullptr) {
    ratio_.take(mean(*of_rival) / mean(*fastest));
    ratio_of_best_start_.take(mean(*of_best_start) / mean(*fastest));
  }
  const double rays = static_cast<double>(scanned.exact.size()),
               weights = estimate_nonzeros(*context_.make("siddon", scanned.setting)).nonzeros;
  if (const Band& epoch = outcomes_.front().epoch; epoch.count > 0)
    growth_.rows.push_back({scanned.setting.name, 1e-6 * rays, 1e-9 * weights, epoch.mean(),
                            1e9 * epoch.sum / epoch.count / rays,
                            1e9 * epoch.sum / epoch.count / weights});
}

void Overall::phantom(const printed::Scan& line) {
  const Scanned scanned = context_.scan(line);
  const std::vector<int> seeds = context_.seeds(is_large(scanned) ? seeds_of_large : usual_seeds);
  most_seeds_ = std::max(most_seeds_, seeds.size());
  outcomes_.assign(methods_.size(), {});
  StudyChart chart{std::string("fig-11-") + line.phantom,
                   scanned.setting.name + " (Fig. 11)",
                   "seconds",
                   "RMSE, 1/mm",
                   true,
                   false,
                   {}};
  for (const int number : seeds) seed(scanned, number, number == seeds.front() ? &chart : nullptr);
  rows(scanned, static_cast<int>(seeds.size()));
  result_.charts.push_back(std::move(chart));
}

/// Returns over which phantoms a mean is taken, those at which a level is reached.
std::string averaged_over(int reached, int phantoms) {
  const std::string all = std::to_string(phantoms);
  if (phantoms == 1) return "one phantom";
  if (reached == phantoms) return "mean of all " + all + " phantoms";
  if (reached == 1) return "at the only one of " + all + " phantoms at which it is reached";
  return "mean of the " + std::to_string(reached) + " of " + all +
         " phantoms at which it is reached";
}

void Overall::finish() {
  // Print's number is a mean of five phantoms.
  const int reached = ratio_of_print_.count;
  const bool all = reached == static_cast<int>(printed::table_2.size());
  context_.summary.compare(
      {methods_.front().name + " over super-voxel ICD, to 1.05 x the least error of the latter, " +
           averaged_over(reached, phantoms_) + ", nothing stored",
       "section 7.5"},
      printed::over_gpu_icd,
      reached > 0 ? ratio_of_print_.mean()
                  : StudyCell(most_seeds_ > 1 ? "not reached by every seed" : "not reached"),
      context_.scale() == 1 && !all ? "print: mean of five phantoms"
                                    : another_size(context_.scale()),
      Better::larger);
  context_.summary.compare({"fastest other method over super-voxel ICD, likewise", "not in print"},
                           {}, ratio_.mean(), like_for_like);
  context_.summary.compare(
      {"the same, with super-voxel ICD from coarse grids where that is faster", "not in print"}, {},
      ratio_of_best_start_.mean(), like_for_like);
  result_.tables.push_back(std::move(table_));
  result_.tables.push_back(std::move(growth_));
}

}  // namespace

void overall(CumbirContext& context, StudyResult& result) {
  Overall all(context, result);
  for (const printed::Scan& line : printed::table_2)
    if (context.wants_size(line.nx)) all.phantom(line);
  all.finish();
}

}  // namespace gantry::cumbir
