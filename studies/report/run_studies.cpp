#include "studies/report/run_studies.hpp"

#include "core/base/clock.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "studies/study_context.hpp"

#include <utility>

namespace gantry {

namespace {

constexpr double small_scale = 1.0 / 16;
constexpr int small_seed = 1;

/// Returns why the options exclude a study; empty if they do not.
std::string excluded(const Study& study, const StudyOptions& options) {
  if (!options.parts.empty() && !study.takes.parts) return study.key + " has no parts";
  if (!options.sizes.empty() && !study.takes.sizes) return study.key + " has no sizes to choose";
  return {};
}

}  // namespace

std::string limit_to_small_form(StudyOptions& options) {
  if (options.scale > 0 || has_gpu(*options.backends)) return {};
  options.scale = small_scale;
  std::string remark = "There is no GPU: the small form is computed.";
  if (options.seeds.empty()) {
    options.seeds = {small_seed};
    remark += " Noise has one realisation.";
  }
  return remark;
}

void run_study(const Study& study, const StudyOptions& options, std::vector<StudyRun>& runs) {
  StudyRun& run = runs.emplace_back(StudyRun{study, {}, excluded(study, options), false, 0});
  run.left_out = !run.problem.empty();
  if (run.left_out) return;
  StudyOptions own = options;
  own.so_far = [&](const StudyResult& so_far) {
    run.result = so_far;
    if (options.so_far) options.so_far(so_far);
  };
  const Clock::time_point start = Clock::now();
  const auto stop = [&](const std::string& problem) {
    run.problem = problem;
    run.seconds = seconds_since(start);
  };
  try {
    run.result = study.compute(own);
    stop({});
  } catch (const Interrupted&) {
    stop("interrupted");
    throw;
  } catch (const UsageError& error) {
    stop(error.what());
    run.left_out = true;
  } catch (const std::exception& error) {
    stop(error.what());
  }
}

}  // namespace gantry
