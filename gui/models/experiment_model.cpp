#include "gui/models/experiment_model.hpp"

#include <QUndoCommand>

#include <algorithm>
#include <array>
#include <utility>

namespace gantry {

/// An edit, with the experiment before and after it. Experiments are small, so whole copies are
/// simpler than differences.
class ExperimentModel::Edit final : public QUndoCommand {
 public:
  Edit(ExperimentModel& model, const QString& name, State before, State after)
      : QUndoCommand(name), model_(model), before_(std::move(before)), after_(std::move(after)) {}

  void undo() override {
    std::for_each(caused_.rbegin(), caused_.rend(), [](const auto& caused) { caused->undo(); });
    model_.apply(before_);
  }
  void redo() override {
    model_.apply(after_);
    for (const auto& caused : caused_) caused->redo();
  }
  void take(std::unique_ptr<QUndoCommand> caused) {
    caused->redo();
    caused_.push_back(std::move(caused));
  }
  int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* other) override {
    if (other->text() != text() || !caused_.empty()) return false;
    after_ = static_cast<const Edit*>(other)->after_;
    return true;
  }

 private:
  ExperimentModel& model_;
  State before_, after_;
  std::vector<std::unique_ptr<QUndoCommand>> caused_;
};

ExperimentModel::ExperimentModel(QObject* parent) : QObject(parent) {}

const RunSpec* ExperimentModel::run(int id) const {
  const auto index = indexOf(id);
  return index ? &state_.experiment.runs[*index] : nullptr;
}

std::optional<std::size_t> ExperimentModel::indexOf(int id) const {
  const auto found = std::ranges::find(state_.runIds, id);
  if (found == state_.runIds.end()) return std::nullopt;
  return static_cast<std::size_t>(found - state_.runIds.begin());
}

void ExperimentModel::reset(const Experiment& experiment, const QString& path) {
  emit aboutToBeReplaced();
  State next{experiment, {}};
  state_ = {};
  for (RunSpec& run : next.experiment.runs) {
    next.runIds.push_back(nextId_++);
    if (run.colour < 0) run.colour = static_cast<int>(next.runIds.size()) - 1;
  }
  undo_.clear();
  path_ = path;
  saved_ = next.experiment;
  apply(next);
}

void ExperimentModel::edit(const QString& name, const std::function<void(Experiment&)>& change) {
  State next = state_;
  change(next.experiment);
  const auto tried = std::exchange(tried_, {});
  if (next.experiment == state_.experiment) return;
  const std::vector<int> runs =
      tried == next.experiment ? changedRuns(next.experiment) : std::vector<int>{};
  push(name, std::move(next));
  if (!runs.empty()) emit trialSet(runs);
}

/// Returns the runs that compute something else with the next experiment, which has the same runs.
std::vector<int> ExperimentModel::changedRuns(const Experiment& next) const {
  const Experiment& now = state_.experiment;
  if (!same_data(now, next)) return state_.runIds;
  std::vector<int> changed;
  for (std::size_t i = 0; i < now.runs.size() && i < next.runs.size(); ++i)
    if (now.runs[i] != next.runs[i]) changed.push_back(state_.runIds[i]);
  return changed;
}

void ExperimentModel::editRun(int id, const QString& name,
                              const std::function<void(RunSpec&)>& change) {
  const auto index = indexOf(id);
  if (!index) return;
  edit(name, [&](Experiment& experiment) { change(experiment.runs[*index]); });
}

void ExperimentModel::tryOut(const std::function<void(Experiment&)>& change) {
  Experiment tried = state_.experiment;
  change(tried);
  tried_ = tried;
  emit triedOut(tried);
}

void ExperimentModel::tryOutRun(int id, const std::function<void(RunSpec&)>& change) {
  const auto index = indexOf(id);
  if (index) tryOut([&](Experiment& experiment) { change(experiment.runs[*index]); });
}

int ExperimentModel::addRun(const RunSpec& run) {
  State next = state_;
  next.experiment.runs.push_back(run);
  if (run.colour < 0) next.experiment.runs.back().colour = freeColour();
  const int id = nextId_++;
  next.runIds.push_back(id);
  push(tr("Add run"), std::move(next));
  return id;
}

int ExperimentModel::duplicateRun(int id) {
  const RunSpec* original = run(id);
  if (original == nullptr) return -1;
  RunSpec copy = *original;
  copy.colour = -1;
  if (!copy.name.empty()) copy.name += " copy";
  return addRun(copy);
}

void ExperimentModel::removeRun(int id) {
  const auto index = indexOf(id);
  if (!index) return;
  State next = state_;
  next.experiment.runs.erase(next.experiment.runs.begin() + static_cast<std::ptrdiff_t>(*index));
  next.runIds.erase(next.runIds.begin() + static_cast<std::ptrdiff_t>(*index));
  push(tr("Remove run"), std::move(next));
}

int ExperimentModel::freeColour() const {
  constexpr std::size_t palette = 8;
  std::array<int, palette> used{};
  for (const RunSpec& run : state_.experiment.runs)
    if (run.colour >= 0) ++used[static_cast<std::size_t>(run.colour) % palette];
  return static_cast<int>(std::ranges::min_element(used) - used.begin());
}

void ExperimentModel::markSaved(const QString& path, const Experiment& saved) {
  path_ = path;
  saved_ = saved;
  emit changed();
}

void ExperimentModel::markUnsaved() {
  saved_.reset();
  undo_.resetClean();
  emit changed();
}

void ExperimentModel::push(const QString& name, State next) {
  undo_.push(new Edit(*this, name, state_, std::move(next)));
}

void ExperimentModel::pushWithEdit(std::unique_ptr<QUndoCommand> caused) {
  const QUndoCommand* top = undo_.canRedo() ? nullptr : undo_.command(undo_.index() - 1);
  // The stack owns the command and gives it out for reading alone.
  auto* edit = dynamic_cast<Edit*>(const_cast<QUndoCommand*>(top));
  if (edit != nullptr) return edit->take(std::move(caused));
  undo_.push(caused.release());
}

void ExperimentModel::editRunWithEdit(int id, const QString& name,
                                      const std::function<void(RunSpec&)>& change) {
  const auto index = indexOf(id);
  if (!index) return;
  State next = state_;
  change(next.experiment.runs[*index]);
  pushWithEdit(std::make_unique<Edit>(*this, name, state_, std::move(next)));
}

void ExperimentModel::apply(const State& state) {
  state_ = state;
  emit changed();
}

}  // namespace gantry
