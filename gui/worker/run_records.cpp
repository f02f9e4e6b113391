// The part of RunController that says which settings made the results of runs, for names and files.
#include "gui/worker/run_controller.hpp"

#include <algorithm>

namespace gantry {

RunSpec RunController::computed(int id) const {
  const RunSpec* form = model_.run(id);
  const RunStatus& run = status(id);
  if (form == nullptr || run.history.empty()) return form != nullptr ? *form : RunSpec{};
  RunSpec computed = as_of_iteration(run.started, run.history.back().report.iteration);
  computed.name = form->name;
  computed.colour = form->colour;
  return computed;
}

int RunController::plannedIterations(int id) const {
  const RunSpec* form = model_.run(id);
  if (form == nullptr) return 0;
  if (catalog_.solvers.at(computed(id).solver).traits.is_direct) return 1;
  const auto& history = status(id).history;
  return std::max(history.empty() ? 0 : history.back().report.iteration, form->iterations);
}

Experiment RunController::experimentToSave() const {
  Experiment experiment = model_.experiment();
  for (std::size_t i = 0; i < experiment.runs.size(); ++i) {
    const int id = model_.runIds()[i];
    RunSpec& run = experiment.runs[i];
    const RunStatus& done = status(id);
    if (!done.wasStarted() || done.history.empty()) continue;
    if (!isCurrent(id)) {
      run.clear_history();  // new settings apply from the first iteration on
      continue;
    }
    // The number of iterations may have been extended; it is at least the number computed.
    if (run.iterations == done.started.iterations && done.snapshot != nullptr)
      run.iterations = done.snapshot->planned_iterations;
    run.iterations = std::max(run.iterations, done.history.back().report.iteration);
  }
  return experiment;
}

Experiment RunController::experimentAsComputed() const {
  Experiment experiment = prepared_;
  experiment.title = model_.experiment().title;
  experiment.metrics = model_.experiment().metrics;
  experiment.runs.clear();
  for (const int id : model_.runIds()) {
    const RunStatus& done = status(id);
    if (done.history.empty() || done.data != data_) continue;
    RunSpec run = computed(id);
    run.iterations = done.history.back().report.iteration;
    experiment.runs.push_back(run);
  }
  return experiment;
}

std::vector<int> RunController::runsOfOtherSettings() const {
  std::vector<int> changed;
  for (const int id : model_.runIds())
    if (!status(id).history.empty() && !isCurrent(id)) changed.push_back(id);
  return changed;
}

std::string RunController::label(int id) const {
  std::vector<RunSpec> all;
  for (const int one : model_.runIds()) all.push_back(computed(one));
  const auto index = model_.indexOf(id);
  return index ? run_labels(all, catalog_).at(*index) : std::string();
}

}  // namespace gantry
