#include "gui/worker/memory_check.hpp"

#include "core/base/error.hpp"

#include <utility>

namespace gantry {

namespace {

/// Returns in one line why the memory does not suffice for these runs; empty if it may suffice.
QString refusal(const Experiment& experiment, const RunController::Sizes& sizes, bool makes_data,
                std::size_t held, const Catalog& catalog, const BackendList& backends) {
  try {
    const std::size_t free = backends.resolve(host_key).free_bytes(),
                      data = least_bytes(experiment, *sizes.geometry, sizes.grid);
    if (makes_data && data > free) throw OutOfMemory("preparing the data", data, free);
    require_run_memory(experiment, *sizes.geometry, sizes.grid, catalog, backends);
  } catch (const OutOfMemory& error) {
    if (error.needed_bytes() > error.free_bytes() + held) return QString::fromUtf8(error.what());
  } catch (const Error&) {  // the forms report other errors
  }
  return {};
}

}  // namespace

MemoryCheck::MemoryCheck(const Catalog& catalog, const BackendList& backends,
                         ExperimentModel& model, RunController& controller, QObject* parent)
    : QObject(parent),
      catalog_(catalog),
      backends_(backends),
      model_(model),
      controller_(controller) {}

void MemoryCheck::ask(const std::vector<int>& runs) {
  Question question{model_.experiment(), controller_.data(), controller_.heldBytes()};
  question.experiment.runs.clear();
  for (const int id : runs)
    if (const RunSpec* run = model_.run(id)) question.experiment.runs.push_back(*run);
  if (asked_ == question) return;
  asked_ = question;
  std::optional<RunController::Sizes> sizes;
  try {
    if (!question.experiment.runs.empty()) sizes = controller_.sizes();
  } catch (const Error&) {  // the form reports an invalid scan or grid
  }
  if (!sizes) {
    job_.cancel();
    return emit refused({});
  }
  job_.start<QString>(
      [question = std::move(question), sizes = *sizes, makes_data = !controller_.dataAreCurrent(),
       &catalog = catalog_, &backends = backends_](const Interrupt&) {
        return refusal(question.experiment, sizes, makes_data, question.held, catalog, backends);
      },
      [this](const QString& why) { emit refused(why); },
      [this](const QString&) { emit refused({}); });
}

}  // namespace gantry
