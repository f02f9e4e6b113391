// The part of RunController that sets results of runs aside for undo, within a limit of memory, and
// restores saved ones.
#include "gui/worker/run_controller.hpp"

#include <QUndoCommand>

#include <algorithm>
#include <limits>
#include <utility>

namespace gantry {

/// Undo command: the results of start `from` of a run were replaced by those of start `to`. Number
/// 0 stands for no results.
class RunController::SwapResults final : public QUndoCommand {
 public:
  SwapResults(RunController& controller, const QString& name, int run, int from, int to)
      : QUndoCommand(name), controller_(&controller), run_(run), from_(from), to_(to) {
    controller_->swaps_.push_back(this);
  }
  ~SwapResults() override {
    if (controller_ == nullptr) return;
    std::erase(controller_->swaps_, this);
    controller_->forgetAside({run_, to_});  // the last command that could restore these results
  }
  SwapResults(const SwapResults&) = delete;
  SwapResults& operator=(const SwapResults&) = delete;

  void undo() override { controller_->showResults(run_, from_); }
  void redo() override {
    if (is_done_) controller_->showResults(run_, to_);
    is_done_ = true;  // redo is called once when the command is pushed, after the exchange
  }
  int run() const { return run_; }
  /// To be called when the controller is destroyed, because the undo stack of the model lives
  /// longer.
  void detachController() { controller_ = nullptr; }
  /// Changes the name of the command if undo can no longer restore the results.
  void markLost(const RunId& lost) {
    if (lost == RunId{run_, from_})
      setText(tr("%1 (the earlier results were dropped to save memory)").arg(text()));
  }

 private:
  RunController* controller_;
  int run_, from_, to_;
  bool is_done_ = false;
};

RunController::~RunController() {
  worker_.reset();
  for (SwapResults* swap : swaps_) swap->detachController();
}

std::size_t RunController::heldBytes(const RunStatus& run) {
  return run.snapshot != nullptr ? run.snapshot->held_bytes : 0;
}

bool RunController::keepsResults(const RunId& id) const {
  const auto holds = [&](const RunId& key, const RunStatus& run) {
    return key.run == id.run && !run.history.empty() && run.first_epoch <= id.epoch &&
           id.epoch <= key.epoch;
  };
  return holds({id.run, status(id.run).epoch}, status(id.run)) ||
         std::ranges::any_of(aside_,
                             [&](const auto& item) { return holds(item.first, item.second); });
}

QString RunController::nameOf(int id) const { return QString::fromStdString(label(id)); }

void RunController::confirmLoss(int id, const QString& act, const std::function<void()>& go) {
  const RunStatus& run = status(id);
  if (run.history.empty() || heldBytes(run) <= mostBytesAside_ || !askBeforeLoss_) return go();
  askBeforeLoss_(id, act, go);
}

/// Sets the results of the run aside; the run then has none. Returns false, and changes nothing, if
/// the run was not started or its results are too large.
bool RunController::setAside(int id) {
  const auto found = runs_.find(id);
  if (found == runs_.end() || !found->second.wasStarted()) return false;
  RunStatus& run = found->second;
  if (heldBytes(run) > mostBytesAside_) return false;
  dropOldestAside(heldBytes(run));
  const RunId key{id, run.epoch};
  worker_->set_aside(key);
  if (run.state == RunState::running) run.state = RunState::paused;
  aside_[key] = std::move(run);
  asideOrder_.push_back(key);
  runs_.erase(found);
  return true;
}

void RunController::dropOldestAside(std::size_t bytes) {
  std::size_t held = bytes;
  for (const auto& [key, run] : aside_) held += heldBytes(run);
  while (held > mostBytesAside_ && !asideOrder_.empty()) {
    const RunId oldest = asideOrder_.front();
    held -= heldBytes(aside_.at(oldest));
    forgetAside(oldest);
    for (SwapResults* swap : swaps_) swap->markLost(oldest);
  }
}

void RunController::forgetAside(const RunId& id) {
  if (aside_.erase(id) == 0) return;
  std::erase(asideOrder_, id);
  worker_->forget_aside(id);
}

/// Sets the present results of the run aside and shows those of start `epoch` again; with 0, none.
void RunController::showResults(int id, int epoch) {
  // They have been dropped: the present results stay.
  if (epoch > 0 && !aside_.contains({id, epoch})) return;
  auto wanted = epoch > 0 ? aside_.extract({id, epoch}) : decltype(aside_)::node_type{};
  std::erase(asideOrder_, RunId{id, epoch});
  if (!setAside(id)) worker_->discard(id);
  if (wanted.empty()) {
    runs_.erase(id);
    unpin(id);
  } else {
    runs_[id] = std::move(wanted.mapped());
    worker_->bring_back({id, epoch});
    worker_->set_view(id, view_);
    worker_->set_reference(id, referenceOn(*status(id).data));
    worker_->set_regions(id, regions_);
  }
  bringBackData();
  emit stateChanged(id);
  emit historyChanged(id);
  emit computedChanged(id);
}

/// If undo leads back to data that results still hold, makes these the present data again, so that
/// the results are current again. A preparation of data that are no longer wanted is dropped, so
/// that no run starts with them.
void RunController::bringBackData() {
  if (data_ == nullptr) return;
  if (isPreparing()) {
    const bool is_wanted = adopt_ || same_data(preparingExperiment_, model_.experiment());
    if (is_wanted || !dataAreCurrent()) return;
    preparing_ = 0;
    afterPreparing_.clear();
    cancelPreparing();
    return emit preparingChanged();
  }
  if (dataAreCurrent()) return;
  const auto former = dataOfEarlierResults();
  if (former == nullptr) return;
  if (askBeforeFormerData_ && !askBeforeFormerData_([this] { bringBackData(); })) return;
  takeData(model_.experiment(), former, {});
}

/// Returns former data that belong to the present experiment and that results still hold; else
/// null.
std::shared_ptr<const ExperimentData> RunController::dataOfEarlierResults() const {
  for (const auto& [id, run] : runs_) {
    if (run.history.empty() || run.data == data_) continue;
    const auto former = std::ranges::find_if(
        formerData_, [&run = run](const FormerData& one) { return one.data.lock() == run.data; });
    if (former != formerData_.end() && same_data(former->prepared, model_.experiment()))
      return run.data;
  }
  // Sweeps and races must not make runs outdated by bringing their data back.
  const bool has_runs = std::ranges::any_of(runs_, [this](const auto& one) {
    return one.second.wasStarted() && one.second.data == data_;
  });
  return has_runs ? nullptr : dataHeldBeside();
}

/// Returns former data that belong to the present experiment and that something beside the runs (a
/// sweep, a race) holds; else null.
std::shared_ptr<const ExperimentData> RunController::dataHeldBeside() const {
  for (const FormerData& former : formerData_) {
    const auto data = former.data.lock();
    if (data == nullptr || data == data_ || !same_data(former.prepared, model_.experiment()))
      continue;
    if (std::ranges::any_of(dataHolders_, [&](const auto& holds) { return holds(*data); }))
      return data;
  }
  return nullptr;
}

/// Makes former data the present ones instead of preparing them anew; returns whether there are
/// any. Actions that wait for a preparation then wait for these data.
bool RunController::takeHeldData() {
  const auto data = isPreparing() ? nullptr : dataHeldBeside();
  if (data != nullptr) takeData(model_.experiment(), data, {});
  return data != nullptr;
}

/// Makes the truth the reference again, because the run whose estimate was pinned has no estimate
/// any more.
void RunController::unpin(int id) {
  if (pinnedRun() == id) pinReference(-1);
}

/// Returns whether undo or redo may exchange the results of the run.
bool RunController::hasSwaps(int id) const {
  return std::ranges::any_of(swaps_, [&](const SwapResults* swap) { return swap->run() == id; });
}

void RunController::swapped(const QString& name, int id, int from, int to, Cause cause) {
  auto swap = std::make_unique<SwapResults>(*this, name, id, from, to);
  if (cause == Cause::edit) return model_.pushWithEdit(std::move(swap));
  model_.undoStack().push(swap.release());
}

void RunController::discard(int id) {
  const QString act = tr("Discard %1").arg(nameOf(id));
  confirmLoss(id, act, [this, id, act] {
    const int epoch = status(id).epoch;
    if (!status(id).wasStarted()) return;
    showResults(id, 0);
    if (aside_.contains({id, epoch})) swapped(act, id, epoch, 0);
  });
}

void RunController::goOnFrom(int id, int iteration) {
  const QString act = tr("Go on from iteration %1 of %2").arg(iteration).arg(nameOf(id));
  confirmLoss(id, act, [this, id, act, iteration] {
    const RunStatus& run = status(id);
    if (run.iterates == nullptr || run.data != data_ || !dataAreCurrent()) return;
    const auto kept = std::ranges::find(*run.iterates, iteration, &KeptIterate::iteration);
    if (kept == run.iterates->end()) return;
    Beginning from{as_of_iteration(run.started, iteration),
                   {},
                   kept->start(),
                   run.iterates,
                   run.measured_against};
    from.spec.iterations = std::max(run.started.iterations, iteration + 1);
    for (const HistoryEntry& entry : run.history)
      if (entry.report.iteration <= iteration) from.history.push_back(entry);
    beginFrom(id, act, from, !isCurrent(id));
  });
}

void RunController::takeOver(int id, const RunSpec& computed, std::vector<HistoryEntry> history,
                             std::shared_ptr<const RunProgress> progress,
                             const std::shared_ptr<const Reference>& reference) {
  const QString act = tr("Take over a result as %1").arg(nameOf(id));
  confirmLoss(id, act, [=, this, history = std::move(history)] {
    if (model_.run(id) == nullptr || !dataAreCurrent()) return;
    model_.undoStack().beginMacro(act);  // one step of undo
    model_.editRun(id, act, [&](RunSpec& run) { run = computed; });
    Beginning from{computed, history, progress, nullptr, {}};
    if (reference != nullptr)
      for (const HistoryEntry& entry : history)
        from.measured_against.emplace(entry.report.iteration, *reference);
    beginFrom(id, act, from, false);
    model_.undoStack().endMacro();
  });
}

/// Sets aside what a run has computed and starts it from the progress of another start. With
/// `is_changed` the run then continues with its present settings.
void RunController::beginFrom(int id, const QString& act, const Beginning& from, bool is_changed) {
  const int before = status(id).history.empty() ? 0 : status(id).epoch;
  if (!setAside(id)) worker_->discard(id);
  RunStatus& now = newStart(id, from.spec);
  now.history = from.history;
  now.measured_against = from.measured_against;
  worker_->start({id, now.epoch}, from.spec, data_, model_.experiment().metrics,
                 referenceOn(*data_), view_, is_changed, from.progress, from.iterates);
  if (is_changed) continueWith(id, false);
  if (before == 0 || aside_.contains({id, before})) swapped(act, id, before, status(id).epoch);
  emit stateChanged(id);
  emit historyChanged(id);
  emit computedChanged(id);
}

void RunController::restore(int id, const RunSpec& started, std::vector<HistoryEntry> history,
                            std::shared_ptr<const RunProgress> left,
                            std::shared_ptr<const IterateList> kept) {
  whenDataAreCurrent([=, this, history = std::move(history)] {
    if (model_.run(id) == nullptr) return;
    RunStatus& run = newStart(id, started);
    run.history = history;
    const auto reference = referenceOn(*data_);
    for (const HistoryEntry& entry : history) run.setReference(entry.report.iteration, reference);
    worker_->start({id, run.epoch}, started, data_, model_.experiment().metrics, reference, view_,
                   true, left, kept, history.empty() ? HistoryEntry{} : history.back());
    emit stateChanged(id);
    emit historyChanged(id);
  });
}

void RunController::removeRun(int id) {
  confirmLoss(id, tr("Remove %1").arg(nameOf(id)), [this, id] {
    if (heldBytes(status(id)) > mostBytesAside_) {  // the user has agreed to lose the results
      worker_->discard(id);
      runs_.erase(id);
    }
    model_.removeRun(id);
  });
}

/// Sets the results of removed runs aside, however large they are, because undo and redo remove
/// runs without a question. Restores the results of runs that undo or redo has brought back.
void RunController::followRuns() {
  std::vector<int> gone;
  for (const auto& [id, run] : runs_)
    if (model_.run(id) == nullptr) gone.push_back(id);
  for (const int id : gone) {
    const int epoch = status(id).epoch;
    const std::size_t bound =
        std::exchange(mostBytesAside_, std::numeric_limits<std::size_t>::max());
    if (setAside(id))
      removed_[id] = epoch;
    else
      runs_.erase(id);
    unpin(id);
    mostBytesAside_ = bound;
  }
  for (const int id : model_.runIds())
    if (const auto found = removed_.find(id); found != removed_.end()) {
      const int epoch = found->second;
      removed_.erase(found);
      showResults(id, epoch);
    }
}

/// Drops all results that are set aside, because another experiment replaces this one, and undo
/// does not lead back to it.
void RunController::dropAllResults() {
  for (const auto& [id, run] : runs_) worker_->discard(id);
  for (const RunId& key : asideOrder_) worker_->forget_aside(key);
  runs_.clear();
  aside_.clear();
  asideOrder_.clear();
  removed_.clear();
}

}  // namespace gantry
