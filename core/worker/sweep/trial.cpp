#include "core/worker/sweep/trial.hpp"

#include "core/worker/error_text.hpp"
#include "core/worker/kept_iterates.hpp"

#include <utility>

namespace gantry {

namespace {

constexpr std::size_t most_kept_bytes = std::size_t{512} << 20;

}  // namespace

TrialResult Trials::compute(RunSpec run, std::shared_ptr<const ExperimentData> data,
                            const std::function<bool(const HistoryEntry&)>& is_over) {
  run.clear_history();
  TrialResult result;
  result.run = run;
  result.data = data;
  try {
    ReconstructionJob job(std::move(run), data, metrics_, catalog_, backends_, &interrupt_);
    result.reference = reference_with(mask_spec(metrics_), *data);
    job.set_reference(result.reference);
    while (!job.finished()) {
      auto entry = job.advance();
      if (!entry) continue;
      result.history.push_back(std::move(*entry));
      if (is_over && is_over(result.history.back())) break;
    }
    result.needed_bytes = job.memory().needed_bytes;
    result.image = job.solution();
    auto progress = std::make_shared<const RunProgress>(job.progress());
    const std::size_t bytes = KeptIterate{job.iterations(), progress}.bytes();
    if (kept_bytes_ + bytes > most_kept_bytes) return result;
    kept_bytes_ += bytes;
    result.progress = std::move(progress);
  } catch (const std::exception& error) {
    result.problem = text_of(error);
  }
  return result;
}

}  // namespace gantry
