#include "gui/worker/run_controller.hpp"

#include "core/geometry/default_scan.hpp"
#include "gui/widgets/field_names.hpp"

#include <QMetaObject>

#include <algorithm>

namespace gantry {

namespace {

constexpr double fastestRedrawMs = 1000.0 / 30;
constexpr double slowestRedrawMs = 1000;
// Part of the time that drawing may take. With a graphics card 30 updates a second fit into it;
// where the CPU draws and computes, there are fewer updates.
constexpr double drawingShare = 0.03;

}  // namespace

RunController::RunController(const Catalog& catalog, const BackendList& backends,
                             ExperimentModel& model, QObject* parent)
    : QObject(parent), catalog_(catalog), model_(model), estimates_(catalog, backends) {
  updateTimer_.setSingleShot(true);
  connect(&updateTimer_, &QTimer::timeout, this, &RunController::emitUpdates);
  // Connected first: other slots of the same signal ask for estimates.
  connect(&model_, &ExperimentModel::changed, &estimates_, &RunEstimates::setOutdated);
  connect(&model_, &ExperimentModel::changed, this, &RunController::followRuns);
  connect(&model_, &ExperimentModel::aboutToBeReplaced, this, &RunController::dropAllResults);
  connect(&model_, &ExperimentModel::changed, this, &RunController::sendRegions);
  connect(&model_, &ExperimentModel::changed, this, &RunController::followMask);
  connect(&model_, &ExperimentModel::changed, this, &RunController::followWater);
  connect(&model_, &ExperimentModel::changed, this, &RunController::bringBackData);
  sinceUpdates_.start();
  worker_ = std::make_unique<JobWorker>(catalog, backends, [this] {
    QMetaObject::invokeMethod(this, &RunController::scheduleUpdates, Qt::QueuedConnection);
  });
}

const RunStatus& RunController::status(int id) const {
  static const RunStatus idle;
  const auto found = runs_.find(id);
  return found == runs_.end() ? idle : found->second;
}

bool RunController::dataAreCurrent() const {
  return data_ != nullptr && same_data(prepared_, model_.experiment());
}

double RunController::muWater() const {
  return data_ == nullptr ? model_.experiment().source.mu_water
                          : water_of(prepared_.source, *data_);
}

/// Another attenuation of water needs no other data.
void RunController::followWater() {
  if (!dataAreCurrent()) return;
  const double before = muWater();
  prepared_.source.mu_water = model_.experiment().source.mu_water;
  if (muWater() != before) emit waterChanged();
}

std::optional<RunController::Sizes> RunController::sizes() const {
  if (dataAreCurrent()) return Sizes{data_->geometry, data_->grid};
  const Experiment& e = model_.experiment();
  const bool same_source = data_ != nullptr && gantry::same_source(prepared_.source, e.source);
  if (e.source.rebin_to_fans) return std::nullopt;
  Sizes sizes;
  if (e.geometry)
    sizes.geometry = std::make_shared<const ScanGeometry>(*e.geometry);
  else if (same_source && !prepared_.geometry)
    sizes.geometry = data_->geometry;
  else
    return std::nullopt;
  if (e.grid)
    sizes.grid = *e.grid;
  else if (e.source.kind != SourceKind::volume)
    sizes.grid = default_grid(*sizes.geometry);
  else if (same_source && !prepared_.grid)
    sizes.grid = data_->grid;
  else
    return std::nullopt;
  sizes.grid.validate("grid");
  return sizes;
}

std::size_t RunController::heldBytes() const {
  std::size_t held = 0;
  for (const auto& [id, run] : runs_) held += heldBytes(run);
  for (const auto& [id, run] : aside_) held += heldBytes(run);
  return held;
}

bool RunController::isCurrent(int id) const {
  const RunSpec* spec = model_.run(id);
  const RunStatus& run = status(id);
  if (spec == nullptr || !run.wasStarted()) return false;
  RunSpec now = *spec, then = run.started;
  now.name = then.name;      // name and colour do not affect the results,
  now.colour = then.colour;  // and more iterations only continue them
  now.iterations = then.iterations;
  return now == then && run.data == data_ && dataAreCurrent();
}

bool RunController::anyActive() const {
  return std::ranges::any_of(runs_, [](const auto& item) { return item.second.isActive(); });
}

// ---- Commands

void RunController::prepareData() {
  if (!mayPrepareAnew([this] { prepareData(); })) return;
  if (!takeHeldData()) prepareOther(model_.experiment(), {});
}

bool RunController::mayPrepareAnew(const std::function<void()>& later) const {
  return data_ == nullptr || dataAreCurrent() || !askBeforeNewData_ || askBeforeNewData_(later);
}

void RunController::prepareOther(const Experiment& experiment, Adopt adopt) {
  prepareFor(JobWorker::For::looking, experiment, std::move(adopt));
}

void RunController::prepareFor(JobWorker::For whom, const Experiment& experiment, Adopt adopt) {
  afterPreparing_.clear();
  offered_.reset();
  adopt_ = std::move(adopt);
  preparingExperiment_ = experiment;
  preparing_ = ++lastTicket_;
  worker_->prepare(preparingExperiment_, preparing_, whom);
  emit preparingChanged();
}

void RunController::cancelPreparing() { worker_->cancel_prepare(); }

void RunController::whenDataAreCurrent(std::function<void()> action) {
  const bool loads_other = isPreparing() && adopt_ != nullptr;
  if (dataAreCurrent() && (loads_other || !isPreparing())) return action();
  const bool is_under_way =
      !loads_other && isPreparing() && same_data(preparingExperiment_, model_.experiment());
  if (!is_under_way && !mayPrepareAnew([this, action] { whenDataAreCurrent(action); })) return;
  if (!is_under_way && takeHeldData()) return action();
  if (!is_under_way) prepareFor(JobWorker::For::runs, model_.experiment(), {});
  if (loads_other)
    emit dataFailed(
        tr("Opening was cancelled, because a run needed the data of the present experiment; open "
           "the file again"));
  afterPreparing_.push_back(std::move(action));
}

void RunController::start(int id) { startBecauseOf(Cause::user, id); }
void RunController::startAfterEdit(int id) { startBecauseOf(Cause::edit, id); }

void RunController::startBecauseOf(Cause cause, int id) {
  confirmLoss(id, tr("Restart %1").arg(nameOf(id)), [this, cause, id] {
    whenDataAreCurrent([this, cause, id] { begin(id, false, cause); });
  });
}

void RunController::begin(int id, bool paused, Cause cause) {
  const RunSpec* spec = model_.run(id);
  if (spec == nullptr) return;
  const int before = status(id).history.empty() ? 0 : status(id).epoch;
  // A restart uses the present settings from the first iteration on.
  const bool has_history = !spec->stages.empty() || spec->goes_past_rules;
  if (status(id).wasStarted() && has_history) {
    const auto edit =
        cause == Cause::edit ? &ExperimentModel::editRunWithEdit : &ExperimentModel::editRun;
    (model_.*edit)(id, tr("Restart"), [](RunSpec& r) { r.clear_history(); });
  }
  spec = model_.run(id);
  const bool is_kept = before > 0 && setAside(id);
  // The run has no results but earlier ones on the undo stack: undo of this start must restore the
  // state without results.
  const bool takes_empty_place = before == 0 && hasSwaps(id);
  const int epoch = newStart(id, *spec).epoch;
  worker_->start({id, epoch}, *spec, data_, model_.experiment().metrics, referenceOn(*data_), view_,
                 paused);
  if (is_kept) swapped(tr("Restart %1").arg(nameOf(id)), id, before, epoch, cause);
  if (takes_empty_place) swapped(tr("Run %1").arg(nameOf(id)), id, 0, epoch, cause);
  emit stateChanged(id);
  emit computedChanged(id);
}

RunStatus& RunController::newStart(int id, const RunSpec& spec) {
  RunStatus& run = runs_[id];
  run = RunStatus{};
  run.epoch = run.first_epoch = ++lastEpochs_[id];
  run.started = spec;
  run.data = data_;
  return run;
}

/// The estimate of a run at rest is a kept iterate. Continuing from this iterate, as goOnFrom()
/// does, lets undo bring back the earlier results.
void RunController::continueFromHere(int id) {
  const RunStatus& run = status(id);
  const bool is_whole = run.snapshot != nullptr && run.snapshot->part_of_iteration == 0;
  const bool is_kept = run.iterates != nullptr && !run.iterates->empty() && !run.history.empty() &&
                       run.iterates->back().is_exact() &&
                       run.iterates->back().iteration == run.history.back().report.iteration;
  if (!run.isActive() && is_whole && is_kept && !isCurrent(id))
    return goOnFrom(id, run.iterates->back().iteration);
  continueWith(id, false);
}

void RunController::continueWith(int id, bool paused) {
  const RunSpec* spec = model_.run(id);
  RunStatus& run = runs_[id];
  if (spec == nullptr || !run.wasStarted()) return;
  run.epoch = ++lastEpochs_[id];
  run.message.clear();
  worker_->continue_with({id, run.epoch}, *spec, model_.experiment().metrics, paused);
  emit stateChanged(id);
}

void RunController::pause(int id) { worker_->pause(id); }
void RunController::resume(int id) { worker_->resume(id); }
void RunController::stopAndKeep(int id) { worker_->stop_and_keep(id); }

void RunController::stepIteration(int id) { step(id, &JobWorker::step_iteration); }
void RunController::stepSubset(int id) { step(id, &JobWorker::step_subset); }

/// A run with results continues from its estimate with its present settings; if the data have
/// changed, the run starts from zero.
void RunController::step(int id, void (JobWorker::*how)(int run)) {
  const RunStatus& run = status(id);
  const bool is_under_way = run.wasStarted() && run.state != RunState::failed;
  if (is_under_way && isCurrent(id)) return (worker_.get()->*how)(id);
  if (is_under_way && !run.history.empty() && run.data == data_ && dataAreCurrent()) {
    continueWith(id, true);
    return (worker_.get()->*how)(id);
  }
  confirmLoss(id, tr("Restart %1").arg(nameOf(id)), [this, id, how] {
    whenDataAreCurrent([this, id, how] {
      begin(id, true);
      (worker_.get()->*how)(id);
    });
  });
}

bool RunController::canExtend(int id) const {
  const RunStatus& run = status(id);
  return run.canContinue() && !catalog_.solvers.at(run.started.solver).traits.is_direct;
}

void RunController::extend(int id, int iterations) { worker_->extend(id, iterations); }

void RunController::requestVolume(int id, UseVolume use, RunImage image) {
  const int ticket = ++lastTicket_;
  volumeRequests_[ticket] = {{id, status(id).epoch}, std::move(use)};
  worker_->request_volume(id, ticket, image);
}

void RunController::requestProgress(int id, UseProgress use) {
  const int ticket = ++lastTicket_;
  progressRequests_[ticket] = std::move(use);
  worker_->request_progress(id, ticket);
}

void RunController::setView(const ViewRequest& view) {
  if (view == view_) return;
  view_ = view;
  for (const auto& [id, run] : runs_)
    if (run.wasStarted()) worker_->set_view(id, view_);
}

// ---- Messages of the worker

void RunController::scheduleUpdates() {
  const double interval =
      std::clamp(drawingCostMs_ / drawingShare, fastestRedrawMs, slowestRedrawMs);
  // While no run computes, there is nothing to slow down.
  const double wait = anyActive() ? interval - static_cast<double>(sinceUpdates_.elapsed()) : 0;
  updateTimer_.start(std::max(0, static_cast<int>(wait)));
}

void RunController::emitUpdates() {
  sinceUpdates_.restart();
  const WorkerUpdates news = worker_->take_updates();
  for (const WorkerEvent& event : news.events)
    std::visit([this](const auto& one) { handle(one); }, event);
  for (const auto& snapshot : news.snapshots)
    if (RunStatus* run = current(snapshot->id)) {
      run->snapshot = snapshot;
      emit snapshotReady(snapshot->id.run);
    }
  for (const int id : std::exchange(measuredAgain_, {})) emit historyChanged(id);
  emit updatesEmitted();
}

/// Returns the status that a message is about; null if the message belongs to an earlier start of
/// the run.
RunStatus* RunController::current(const RunId& id) {
  const auto found = runs_.find(id.run);
  return found != runs_.end() && found->second.epoch == id.epoch ? &found->second : nullptr;
}

void RunController::handle(const DataReady& event) {
  if (event.ticket != preparing_) return;
  if (!adopt_) {
    preparing_ = 0;
    return takeData(preparingExperiment_, event.data, {});
  }
  offered_ = std::make_shared<const Replacement>(
      Replacement{preparingExperiment_, event.data, std::exchange(adopt_, {})});
  // The question may run an event loop, in which later messages would be handled before the rest of
  // this batch; therefore it is asked after the batch.
  QMetaObject::invokeMethod(
      this, [this, other = offered_] { offer(other); }, Qt::QueuedConnection);
}

/// Does nothing if another preparation has been requested since.
void RunController::offer(const std::shared_ptr<const Replacement>& other) {
  if (offered_ != other) return;
  preparing_ = 0;
  emit preparingChanged();
  const bool may = !askBeforeReplacing_ || askBeforeReplacing_([this, other] { offer(other); });
  if (!may || offered_ != other) return;
  offered_.reset();
  takeData(other->experiment, other->data, other->adopt);
}

void RunController::takeData(const Experiment& experiment,
                             std::shared_ptr<const ExperimentData> data, const Adopt& adopt) {
  // No entry is added twice, although undo and redo return to the same data again and again.
  std::erase_if(formerData_, [this](const FormerData& former) {
    return former.data.expired() || former.data.lock() == data_;
  });
  if (data_ != nullptr && data_ != data) formerData_.push_back({prepared_, data_});
  data_ = std::move(data);
  prepared_ = experiment;
  if (adopt) adopt(experiment);
  setReference(ownReference(*data_));
  emit preparingChanged();
  emit dataChanged();
  for (const auto& action : std::exchange(afterPreparing_, {})) action();
}

void RunController::handle(const DataFailed& event) {
  if (event.ticket != preparing_) return;
  preparing_ = 0;
  afterPreparing_.clear();
  const Adopt adopt = std::exchange(adopt_, {});
  emit preparingChanged();
  const WayToOpen ask = wayToOpen(event);
  if (!adopt || !ask) return emit dataFailed(inNamesOfFields(event.message));
  // Asked after the batch, as in handle(DataReady).
  QMetaObject::invokeMethod(
      this,
      [this, ask, experiment = preparingExperiment_, adopt]() mutable {
        if (!isPreparing() && ask(experiment)) prepareOther(experiment, adopt);
      },
      Qt::QueuedConnection);
}

RunController::WayToOpen RunController::wayToOpen(const DataFailed& event) const {
  if (event.uneven != nullptr && askAboutUneven_)
    return [this, series = event.uneven](Experiment& experiment) {
      const auto way = askAboutUneven_(*series);
      if (!way) return false;
      int& slice = experiment.source.slice;
      if (*way == UnevenSlices::largest_part && slice >= series->kept()) slice = series->kept() / 2;
      experiment.source.uneven = *way;
      return true;
    };
  if (event.damaged != nullptr && askAboutDamage_)
    return [this, files = event.damaged](Experiment& experiment) {
      if (!askAboutDamage_(*files)) return false;
      experiment.source.import_settings.leaves_out_damaged = true;
      return true;
    };
  return {};
}

void RunController::handle(const DataCancelled& event) {
  if (event.ticket != preparing_) return;
  preparing_ = 0;
  afterPreparing_.clear();
  emit preparingChanged();
}

void RunController::handle(const DataProgress& event) {
  if (event.ticket == preparing_) emit dataProgress(event.done, QString::fromStdString(event.what));
}

/// Stores in the experiment the stages of the run, and a number of iterations that was increased.
void RunController::handle(const RunBegan& event) {
  RunStatus* run = current(event.id);
  if (run == nullptr) return;
  const RunSpec before = std::exchange(run->started, event.spec);
  // Keeps the number asked for; snapshots have the planned number.
  run->started.iterations = before.iterations;
  const RunSpec* form = model_.run(event.id.run);
  if (form == nullptr) return;
  RunSpec now = *form;
  now.stages = event.spec.stages;
  now.goes_past_rules = event.spec.goes_past_rules;
  const bool is_lengthened = event.spec.iterations > before.iterations;
  if (is_lengthened) now.iterations = std::max(now.iterations, event.spec.iterations);
  if (now == *form) return;
  const bool has_stages = now.stages != form->stages;
  model_.editRun(event.id.run, has_stages ? tr("Continue from here") : tr("More iterations"),
                 [&](RunSpec& r) { r = now; });
}

void RunController::handle(const IterationDone& event) {
  if (RunStatus* run = current(event.id)) {
    const bool first = run->history.empty() || run->history.back().stage != event.entry.stage;
    run->history.push_back(event.entry);
    run->setReference(event.entry.report.iteration, event.reference);
    emit iterationDone(event.id.run);
    if (first) emit computedChanged(event.id.run);
  } else if (const auto found = aside_.find(event.id); found != aside_.end()) {
    // Finished while the run was being set aside.
    found->second.history.push_back(event.entry);
    found->second.setReference(event.entry.report.iteration, event.reference);
  }
}

void RunController::handle(const IteratesChanged& event) {
  RunStatus* run = current(event.id);
  if (run == nullptr) return;
  run->iterates = event.iterates;
  emit iteratesChanged(event.id.run);
}

/// Returns a message of the worker in the words of the window.
QString RunController::inNamesOfFields(const std::string& message) const {
  return in_names_of_fields(QString::fromStdString(message), catalog_);
}

void RunController::handle(const StateChanged& event) {
  if (const auto found = aside_.find(event.id); found != aside_.end()) {
    found->second.state = event.state;
    found->second.message = inNamesOfFields(event.message);
  }
  RunStatus* run = current(event.id);
  if (run == nullptr) return;
  run->state = event.state;
  run->message = inNamesOfFields(event.message);
  emit stateChanged(event.id.run);
}

void RunController::handle(const ProgressReady& event) {
  const auto request = progressRequests_.find(event.ticket);
  if (request == progressRequests_.end()) return;
  const UseProgress use = std::move(request->second);
  progressRequests_.erase(request);
  use(current(event.id) != nullptr ? event.progress : nullptr, event.backend);
}

void RunController::handle(const VolumeReady& event) {
  const auto request = volumeRequests_.find(event.ticket);
  if (request == volumeRequests_.end()) return;
  const auto use = std::move(request->second.use);
  volumeRequests_.erase(request);
  if (event.mu == nullptr)
    emit volumeFailed(QString::fromStdString(event.problem));
  else if (current(event.id) != nullptr)
    use(event.mu, event.iterations);
}

const RunEstimates::Answer* RunController::memoryOf(const RunSpec& run) {
  return estimates_.of(run, data_, model_.experiment().metrics.exact_residual);
}

}  // namespace gantry
