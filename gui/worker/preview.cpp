#include "gui/worker/preview.hpp"

#include "core/base/error.hpp"
#include "core/job/run_prior.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

/// Time for the reconstructions of all runs that follow a slider; together with making the data,
/// this takes half a second on two cores.
constexpr std::chrono::milliseconds time_to_follow{350};
constexpr double seconds_to_refine = 2;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Returns a run with all parameters of its method and prior, so that it equals another one that
/// computes the same, whichever of them leaves parameters out.
RunSpec completed(RunSpec run, const Catalog& catalog) {
  const auto& solver = catalog.solvers.at(run.solver);
  run.solver_params = resolve_params(run.solver_params, solver.params, solver.key);
  run.prior = prior_of(run, catalog);
  if (!run.prior.empty()) run.prior_params = resolved_prior_params(run, catalog);
  return run;
}

}  // namespace

Preview::Preview(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
                 RunController& controller, QObject* parent)
    : QObject(parent),
      catalog_(catalog),
      backends_(backends),
      model_(model),
      controller_(controller),
      corrected_(catalog, backends) {
  connect(&controller_, &RunController::dataChanged, this, &Preview::begin);
  connect(&model_, &ExperimentModel::triedOut, this, &Preview::follow);
  connect(&model_, &ExperimentModel::changed, this, [this] {
    isDragging_ = false;
    forgetOutdated();
  });
  // Queued, because this signal also makes the views of new runs.
  connect(&model_, &ExperimentModel::changed, this, &Preview::followEdit, Qt::QueuedConnection);
  connect(&model_, &ExperimentModel::changed, this, &Preview::showWaitingRuns,
          Qt::QueuedConnection);
  // Queued, because slices are asked for while they are drawn.
  connect(this, &Preview::sliceWanted, this, &Preview::refineSlice, Qt::QueuedConnection);
  connect(&controller_, &RunController::stateChanged, this, [this](int id) {
    // A run that computes needs the processors.
    if (controller_.anyActive() && !isRequested_) {
      job_.cancel();
      finer_.cancel();
      slice_.cancel();
    }
    if (controller_.status(id).isActive() && tried_.erase(id) > 0) emit changed();
    showWaitingRuns();
  });
}

/// Makes the quick reconstruction for runs that have not been started, if there is none yet: other
/// runs may have needed the processors when the data became ready.
void Preview::showWaitingRuns() {
  const auto waits = [this](int id) { return !controller_.status(id).wasStarted(); };
  if (controller_.data() == nullptr || controller_.isPreparing() || controller_.anyActive() ||
      quick_.image || !quick_.problem.empty() || job_.isBusy())
    return;
  if (std::ranges::any_of(model_.runIds(), waits)) reconstruct();
}

void Preview::begin() {
  quick_ = {};
  coarse_.reset();
  reduced_.reset();
  tried_.clear();
  triedData_.reset();
  wanted_.reset();
  trial_.cancel();
  job_.cancel();
  finer_.cancel();
  slice_.cancel();
  isRequested_ = false;
  if (!controller_.anyActive()) reconstruct();
}

void Preview::request() {
  if (isRequested_ || controller_.data() == nullptr || quick_.image || !quick_.problem.empty())
    return;
  isRequested_ = true;
  if (!job_.isBusy()) reconstruct();
}

/// Makes the quick reconstruction. Of a stack, one slice comes first: all of it takes longer.
void Preview::reconstruct() {
  const int slices = controller_.data()->grid.nz;
  const bool knows_slice = wantedSlice_ >= 0 && slicesWhenWanted_ == slices;
  const int slice = knows_slice ? wantedSlice_ : slices / 2;
  job_.start<Shown>(
      [this, slice, now = present()](const Interrupt& interrupt) {
        Shown shown;
        makeSlice(shown, slice, now.made_from, now, SliceHaste::at_rest, interrupt);
        return shown;
      },
      [this](Shown shown) {
        if (quick_.fine == nullptr) quick_ = std::move(shown);  // else another came first
        if (quick_.fine != nullptr) emit changed();
        reconstructAll();
        refineSlice();
      },
      [this](const QString&) { reconstructAll(); });  // which says why there is nothing
}

void Preview::reconstructAll() {
  job_.start<Quick>(
      [this, now = controller_.data()](const Interrupt& interrupt) {
        Quick quick;
        quick.shown = made([&] {
          quick.coarse = coarsened_quickly(now, Reduction::for_direct_method, interrupt);
          return reconstruct_quickly(quick.coarse, catalog_, backends_, interrupt);
        });
        return quick;
      },
      [this](Quick quick) {  // without an image, the views stay empty, as they were
        quick.shown.takeSliceOf(quick_);
        quick_ = std::move(quick.shown);
        coarse_ = std::move(quick.coarse);
        emit changed();
        improve();
      },
      [this](const QString& message) {
        quick_.problem = message.toStdString();
        emit changed();
      });
}

void Preview::improve() {
  refineSlice();
  if (!slice_.isBusy()) refine();
}

/// Makes a slice by itself, which stays away where too many rows see the slice.
void Preview::makeSlice(Shown& shown, int index, const Experiment& tried,
                        const PresentData& present, SliceHaste haste, const Interrupt& interrupt) {
  shown.fine_index = index;
  shown.fine =
      reconstruct_slice(tried, present, index, haste, corrected_, catalog_, backends_, interrupt);
  if (shown.fine != nullptr)
    shown.fine_slice = std::make_shared<const SliceImage>(
        extract_slice(shown.fine->grid, shown.fine->mu, Axis::axial, 0));
}

/// Makes the slice that is looked at, if it is not there yet, even while all of the stack is made.
void Preview::refineSlice() {
  const Shown& rough = ofData();
  const PresentData now = present();
  const bool is_made = rough.image != nullptr || job_.isBusy();
  const bool is_in_work = slice_.isBusy() && sliceInWork_ == wantedSlice_;
  if (wantedSlice_ < 0 || !is_made || now.data == nullptr || isDragging_ || trial_.isBusy() ||
      is_in_work || rough.fine_index == wantedSlice_ || (controller_.anyActive() && !isRequested_))
    return;
  const Experiment tried = triedData_ ? triedData_->experiment : now.made_from;
  finer_.cancel();
  sliceInWork_ = wantedSlice_;
  slice_.start<Shown>(
      [=, this, index = wantedSlice_](const Interrupt& interrupt) {
        Shown shown;
        makeSlice(shown, index, tried, now, SliceHaste::at_rest, interrupt);
        return shown;
      },
      [this, of = rough.image](const Shown& made) {
        if (Shown& shown = ofData(); shown.image == of) {  // else it has been replaced meanwhile
          shown.takeSliceOf(made);
          if (made.fine != nullptr) emit changed();
        }
        refine();
      },
      [this](const QString&) { refine(); });  // the picture stays as it is
}

/// Makes the quick reconstruction on finer voxels, unless a slider is dragged or this would take
/// too long.
void Preview::refine() {
  const Shown& rough = ofData();
  const PresentData now = present();
  if (isDragging_ || job_.isBusy() || trial_.isBusy() || slice_.isBusy() ||
      rough.image == nullptr || now.data == nullptr || (controller_.anyActive() && !isRequested_))
    return;
  const Experiment tried = triedData_ ? triedData_->experiment : now.made_from;
  const VolumeGrid& present_grid = now.data->grid;
  const auto reduction =
      finer_reduction(triedData_ ? tried.grid.value_or(present_grid) : present_grid,
                      rough.image->grid, rough.seconds, seconds_to_refine);
  if (!reduction) return;
  finer_.start<Shown>(
      [=, this](const Interrupt& interrupt) {
        return made([&] {
          const auto [made_from, all] = with_corrections_of(tried, now, corrected_, interrupt);
          const auto data =
              reduced_data(tried, made_from, all, *reduction, catalog_, backends_, interrupt);
          return reconstruct_quickly(data, catalog_, backends_, interrupt, *reduction);
        });
      },
      [this, of = rough.image](Shown finer) {
        if (finer.image == nullptr) return;
        if (Shown& shown = ofData(); shown.image == of) {  // else it has been replaced meanwhile
          finer.takeSliceOf(shown);
          shown = std::move(finer);
          emit changed();
        }
        refine();
      },
      [](const QString&) {});  // the picture stays as it is
}

/// Tries values of a slider. Values that arrive while others are computed wait, and only the latest
/// of them are tried next.
void Preview::follow(const Experiment& experiment) {
  if (controller_.data() == nullptr) return;
  wanted_ = experiment;
  isDragging_ = true;
  finer_.cancel();
  slice_.cancel();
  if (!trial_.isBusy() || isSliceShown_) startTrial();
}

void Preview::setFollowsTrials(bool follows) {
  const bool changes = std::exchange(followsTrials_, follows) != follows;
  followEdit();
  if (changes) emit changed();
}

/// After an edit of the scan, the data are made anew only on request. Until then the quick
/// reconstruction is made with the edited scan, if a view shows it.
void Preview::followEdit() {
  const Experiment& set = model_.experiment();
  const bool is_outdated = isOutdated();
  if (std::exchange(wasOutdated_, is_outdated) != is_outdated) emit changed();
  // Other corrections of a large scan take long: a slice shows what they will do.
  const bool has_same_corrections =
      applied(set.corrections) == applied(controller_.experimentAsComputed().corrections);
  if (controller_.isPreparing() && has_same_corrections) return;
  if (!followsTrials_ || !is_outdated || (triedData_ && same_data(triedData_->experiment, set))) {
    if (!finer_.isBusy()) improve();
    return;
  }
  finer_.cancel();
  wanted_ = set;
  slice_.cancel();
  if (!trial_.isBusy() || isSliceShown_) startTrial();
}

bool Preview::isOutdated() const {
  return controller_.data() != nullptr &&
         !same_data(model_.experiment(), controller_.experimentAsComputed());
}

void Preview::startTrial() {
  if (!wanted_) return;
  isSliceShown_ = false;
  Following values{.tried = *std::exchange(wanted_, {}), .present = present()};
  const Experiment& tried = values.tried;
  const bool other_data = !same_data(tried, model_.experiment());
  for (std::size_t i = 0; i < tried.runs.size() && i < model_.runIds().size(); ++i)
    if (other_data ||
        completed(tried.runs[i], catalog_) != completed(model_.experiment().runs[i], catalog_)) {
      values.runs.push_back(model_.runIds()[i]);
      values.specs.push_back(tried.runs[i]);
    }
  values.has_present_data = same_data(tried, values.present.made_from);
  values.tries_data = followsTrials_ && !values.has_present_data;
  if (values.runs.empty() && !values.tries_data) {
    // The slider is back at what is set: earlier values are shown no more.
    isDragging_ = false;
    forgetOutdated();
    return improve();
  }
  if (values.tries_data && wantedSlice_ >= 0) return startSlice(values);
  startTrialOfAll(values, {});
}

/// Makes the slice that is looked at, if few rows see it, as soon as a slider moves. All other
/// pictures, which take longer, follow when the slider rests; until then the other planes stay as
/// they are.
void Preview::startSlice(const Following& values) {
  trial_.start<Shown>(
      [this, values, index = wantedSlice_](const Interrupt& interrupt) {
        Shown shown;
        makeSlice(shown, index, values.tried, values.present, SliceHaste::follows_slider,
                  interrupt);
        return shown;
      },
      [this, values](const Shown& slice) {
        if (slice.fine == nullptr) return startTrialOfAll(values, slice);
        Shown shown = slice;
        shown.image = ofData().image;
        triedData_ = Tried{shown, values.tried, {}};
        emit changed();
        wanted_ ? startTrial() : startTrialOfAll(values, slice);
      },
      [this, values](const QString&) { startTrialOfAll(values, {}); });  // which says why
}

void Preview::startTrialOfAll(const Following& values, const Shown& slice) {
  isSliceShown_ = slice.fine != nullptr;
  trial_.start<Trial>(
      [this, values, slice, known = values.has_present_data ? reduced_ : nullptr,
       coarse = coarse_](const Interrupt& interrupt) {
        const auto start = std::chrono::steady_clock::now();
        const PresentData now =
            with_corrections_of(values.tried, values.present, corrected_, interrupt);
        const bool is_present = now.data == values.present.data;
        const auto reduced = [&](Reduction reduction,
                                 const std::shared_ptr<const ExperimentData>& present) {
          return reduced_data(values.tried, now.made_from, now.data, reduction, catalog_, backends_,
                              interrupt, is_present ? present : nullptr);
        };
        if (!values.tries_data)
          return picturesOf(values.specs, known ? known : reduced(Reduction::for_iterations, {}),
                            interrupt);
        const auto finer = reduced(Reduction::for_direct_method, coarse);
        Shown of_data =
            made([&] { return reconstruct_quickly(finer, catalog_, backends_, interrupt); });
        of_data.seconds = seconds_since(start);
        of_data.takeSliceOf(slice);
        Trial trial = picturesOf(values.specs,
                                 coarsened(finer, Reduction::for_iterations, interrupt), interrupt);
        trial.of_data = of_data;
        return trial;
      },
      [this, values](const Trial& trial) {
        if (values.has_present_data) reduced_ = trial.data;
        show(values.tried, values.runs, trial);
      },
      [this, values, slice](const QString& why) {
        Shown none;
        none.problem = why.toStdString();
        Trial failed{std::vector<Shown>(values.runs.size(), none), {}, nullptr};
        // Without a reduced reconstruction, the quick reconstruction of the data stays, under its
        // own name; or the slice that was made.
        if (values.tries_data && isDragging_ && slice.fine == nullptr) failed.of_data = none;
        show(values.tried, values.runs, failed);
      });
}

/// Reconstructs the runs that follow a slider; called on the thread of a trial.
Preview::Trial Preview::picturesOf(const std::vector<RunSpec>& runs,
                                   const std::shared_ptr<const ExperimentData>& data,
                                   const Interrupt& interrupt) const {
  Trial trial{{}, {}, data};
  for (const RunSpec& run : runs)
    trial.pictures.push_back(made([&] {
      const auto until = std::chrono::steady_clock::now() +
                         time_to_follow / static_cast<std::ptrdiff_t>(runs.size());
      return reconstruct_reduced(run, data, until, catalog_, backends_, interrupt);
    }));
  return trial;
}

Preview::Shown Preview::made(const std::function<ReducedImage()>& make) {
  Shown shown;
  const auto start = std::chrono::steady_clock::now();
  try {
    shown.image = std::make_shared<const ReducedImage>(make());
    shown.seconds = seconds_since(start);
  } catch (const Error& error) {
    shown.problem = error.what();
  }
  return shown;
}

void Preview::show(const Experiment& experiment, const std::vector<int>& runs, const Trial& trial) {
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (const auto index = model_.indexOf(runs[i]); index && *index < experiment.runs.size())
      tried_[runs[i]] = {trial.pictures[i], experiment,
                         completed(experiment.runs[*index], catalog_)};
  if (trial.of_data) triedData_ = Tried{*trial.of_data, experiment, {}};
  forgetOutdated();
  emit changed();
  startTrial();
  improve();
}

/// Removes reduced reconstructions, except those with values that are being tried, and those with
/// the present settings of a run as long as the run has not computed them.
void Preview::forgetOutdated() {
  const auto forgotten = std::erase_if(tried_, [this](const auto& item) {
    const auto& [id, tried] = item;
    const RunSpec* run = model_.run(id);
    if (run == nullptr) return true;
    const bool is_set =
        completed(*run, catalog_) == tried.run && same_data(tried.experiment, model_.experiment());
    return is_set ? controller_.isCurrent(id) : !isDragging_;
  });
  const bool forgets_data =
      triedData_ && !isDragging_ && !same_data(triedData_->experiment, model_.experiment());
  if (forgets_data) triedData_.reset();
  if (forgotten > 0 || forgets_data) emit changed();
}

const Preview::Shown* Preview::of(int run) const {
  if (const auto found = tried_.find(run); found != tried_.end()) return &found->second;
  if (quick_.isEmpty() || model_.run(run) == nullptr) return nullptr;
  const RunStatus& status = controller_.status(run);
  const bool waits = !status.hasPicture() && status.state != RunState::failed;
  return waits ? &quick_ : nullptr;
}

const RunSpec* Preview::tried(int run) const {
  const auto found = tried_.find(run);
  return found != tried_.end() ? &found->second.run : nullptr;
}

std::shared_ptr<const ReducedImage> Preview::image(int run) const {
  const Shown* shown = of(run);
  return shown != nullptr ? shown->image : nullptr;
}

std::shared_ptr<const SliceImage> Preview::slice(int run, Axis axis, int index) const {
  const Shown* shown = of(run);
  return shown != nullptr ? sliceOf(*shown, axis, index) : nullptr;
}

std::shared_ptr<const SliceImage> Preview::slice(Axis axis, int index) const {
  return sliceOf(ofData(), axis, index);
}

std::shared_ptr<const SliceImage> Preview::sliceOf(const Shown& shown, Axis axis, int index) const {
  if (controller_.data() == nullptr) return nullptr;
  if (axis == Axis::axial && &shown == &ofData()) {
    slicesWhenWanted_ = controller_.data()->grid.nz;
    if (std::exchange(wantedSlice_, index) != index) emit sliceWanted(index);
    if (shown.fine_slice != nullptr && shown.fine_index == index) return shown.fine_slice;
  }
  if (shown.image == nullptr) return nullptr;
  const VolumeGrid& grid = shown.image->grid;
  const double at = slice_position_mm(controller_.data()->grid, axis, index),
               first = slice_position_mm(grid, axis, 0),
               step = slice_position_mm(grid, axis, 1) - first;
  const int nearest = std::clamp(static_cast<int>(std::lround((at - first) / step)), 0,
                                 slice_count(grid, axis) - 1);
  const auto known = std::ranges::find_if(shown.slices, [&](const auto& slice) {
    return slice->axis == axis && slice->index == nearest;
  });
  if (known != shown.slices.end()) return *known;
  shown.slices.push_back(
      std::make_shared<const SliceImage>(extract_slice(grid, shown.image->mu, axis, nearest)));
  return shown.slices.back();
}

/// Returns the image whose slice is looked at.
const ReducedImage* Preview::seen(const Shown& shown) const {
  return shown.fine != nullptr && shown.fine_index == wantedSlice_ ? shown.fine.get()
                                                                   : shown.image.get();
}

QString Preview::textOf(const ReducedImage* image, const QString& form) {
  return image == nullptr ? QString()
                          : form.arg(QString::fromStdString(image->made_by))
                                .arg(image->grid.nx)
                                .arg(image->grid.ny);
}

/// Returns the name of the quick reconstruction, which tells from which data it was made.
QString Preview::quickForm() const {
  return isOutdated() ? tr("Before the change: %1, %2 x %3") : tr("Preview: %1, %2 x %3");
}

QString Preview::text() const {
  if (!triedData_) return textOf(seen(quick_), quickForm());
  const auto& set = triedData_->experiment.grid;
  const ReducedImage* image = seen(*triedData_);
  const bool is_whole =
      image != nullptr && image->grid.nx == (set ? set->nx : controller_.data()->grid.nx);
  return textOf(image, is_whole ? tr("Preview: %1, %2 x %3") : tr("Reduced: %1, %2 x %3"));
}

QString Preview::text(int run) const {
  const Shown* shown = of(run);
  if (shown == nullptr) return {};
  if (shown == &quick_) return textOf(seen(quick_), quickForm());
  if (shown->image == nullptr)
    return tr("Not shown reduced: %1").arg(QString::fromStdString(shown->problem));
  return tr("Reduced: %1 x %2, %3")
      .arg(shown->image->grid.nx)
      .arg(shown->image->grid.ny)
      .arg(QString::fromStdString(shown->image->made_by));
}

}  // namespace gantry
