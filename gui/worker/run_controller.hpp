#pragma once

#include "core/worker/job_worker.hpp"
#include "gui/models/experiment_model.hpp"
#include "gui/models/run_status.hpp"
#include "gui/worker/run_estimates.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <set>

namespace gantry {

/// The window's side of the worker, on the GUI thread: passes actions of the user to the worker as
/// commands, and messages of the worker on as signals, at most as often as the window can draw.
/// Knows no widget.
class RunController : public QObject {
  Q_OBJECT
 public:
  RunController(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
                QObject* parent = nullptr);
  ~RunController() override;

  const RunStatus& status(int id) const;
  /// Returns the data that were prepared last; null before the first time.
  std::shared_ptr<const ExperimentData> data() const { return data_; }
  /// Returns the memory that a run on the present data needs; null until the estimate has been
  /// computed, which estimates() signals. data() must not be null.
  const RunEstimates::Answer* memoryOf(const RunSpec& run);
  const RunEstimates& estimates() const { return estimates_; }
  /// Returns the image that metrics and differences refer to, with the mask of the metrics; null if
  /// there is none.
  std::shared_ptr<const Reference> reference() const { return reference_; }
  /// Returns whether the reference is a pinned estimate of a run instead of the truth of the data.
  bool referenceIsPinned() const;
  /// Returns what tells the reference that a run is measured against now from others.
  ReferenceKey referenceKeyOf(int id) const;
  /// Returns which voxels a result counts that was measured against a reference, if those are other
  /// ones than the runs count now; else an empty text.
  QString otherMask(const std::shared_ptr<const Reference>& reference) const;
  /// Returns what a run has computed, without metrics against other references than the present
  /// one.
  std::vector<HistoryEntry> historyOf(int id) const;
  /// Returns the run whose estimate is pinned as reference; -1 if there is none.
  int pinnedRun() const { return referenceIsPinned() ? pinnedRun_ : -1; }
  bool isPreparing() const { return preparing_ != 0; }
  /// Returns whether lengths in the present data are in mm; else they are in cells.
  bool lengthsAreKnown() const { return data_ == nullptr || data_->lengths_are_known; }
  /// Returns the attenuation of water, 1/mm, by which values are shown in HU now.
  double muWater() const;
  /// Returns scan and grid of the experiment as it is now, before its data are prepared; nothing if
  /// they depend on a file that has not been read.
  struct Sizes {
    std::shared_ptr<const ScanGeometry> geometry;
    VolumeGrid grid;
  };
  std::optional<Sizes> sizes() const;
  /// Returns whether the results of this start of a run still exist: they are shown, a later start
  /// continues them, or they are set aside for undo.
  bool keepsResults(const RunId& id) const;
  /// Returns the memory that all runs hold, in bytes, on all devices, those set aside included.
  std::size_t heldBytes() const;
  /// Returns whether the data were made from the experiment as it is now.
  bool dataAreCurrent() const;
  /// Returns whether the results of a run were made with the settings and data as they are now.
  bool isCurrent(int id) const;
  bool anyActive() const;
  /// Returns the settings that made the last iteration of a run, with its present name and colour.
  /// They may differ from those in the form; before the first iteration they are those in the form.
  RunSpec computed(int id) const;
  /// Returns the name of a run as the window shows it: that of computed(), numbered where several
  /// runs have the same ("SIRT, λ 1 (2)"). Empty for a run that there is not.
  std::string label(int id) const;
  /// Returns how many iterations a run makes in all: one by a direct method, otherwise as many as
  /// are set, or more where it has made more.
  int plannedIterations(int id) const;
  /// Returns the experiment to be saved. Its runs reproduce the present results, except runs whose
  /// settings have changed since.
  Experiment experimentToSave() const;
  /// Returns the experiment that reproduces all results on the present data, whatever the forms
  /// contain. Runs without such results are left out.
  Experiment experimentAsComputed() const;
  /// Returns the runs whose results were made with other settings or data than the experiment has
  /// now.
  std::vector<int> runsOfOtherSettings() const;

  /// Loads or simulates the data of the experiment in the model.
  void prepareData();
  /// Loads or simulates the data of another experiment. When the data are ready and the
  /// ReplacementQuestion permits, `adopt` is called, which puts the experiment into the model.
  /// Until then, and after a failure, nothing changes.
  using Adopt = std::function<void(const Experiment&)>;
  void prepareOther(const Experiment& experiment, Adopt adopt);
  /// Called when the data of another experiment are ready, because the present experiment may have
  /// changed while they were loaded. Returns true if the experiment may be replaced now. Otherwise
  /// `later` may be called to ask again.
  using ReplacementQuestion = std::function<bool(const std::function<void()>& later)>;
  void setReplacementQuestion(ReplacementQuestion ask) { askBeforeReplacing_ = std::move(ask); }
  /// Called when the DICOM series of another experiment has uneven slices. Returns how to open the
  /// series, or nothing to give up. Without this function, and for the present experiment, uneven
  /// slices are an ordinary failure.
  using UnevenQuestion = std::function<std::optional<UnevenSlices>(const UnevenSeries&)>;
  void setUnevenQuestion(UnevenQuestion ask) { askAboutUneven_ = std::move(ask); }
  /// The same for damaged files among the frames of a scan. Returns whether they are left out.
  using DamageQuestion = std::function<bool(const DamagedFiles&)>;
  void setDamageQuestion(DamageQuestion ask) { askAboutDamage_ = std::move(ask); }
  /// Called before other data are prepared for the open experiment, because what was computed
  /// beside the runs ends with the present data. Returns true if they may be prepared now.
  /// Otherwise `later` may be called to prepare them after all.
  using NewDataQuestion = std::function<bool(const std::function<void()>& later)>;
  void setNewDataQuestion(NewDataQuestion ask) { askBeforeNewData_ = std::move(ask); }
  /// Adds something that holds results on former data, for undo: where undo leads back to these
  /// data, they become the present ones again instead of being prepared anew.
  using HoldsData = std::function<bool(const ExperimentData&)>;
  void addDataHolder(HoldsData holds) { dataHolders_.push_back(std::move(holds)); }
  /// Called before undo makes former data the present ones, because what is being computed beside
  /// the runs ends with the present data. Returns true if it may. Otherwise `later` may be called
  /// to do so after all.
  void setFormerDataQuestion(NewDataQuestion ask) { askBeforeFormerData_ = std::move(ask); }
  void cancelPreparing();
  /// Calls `action` at once if the data are current, else after preparing them. Loading of another
  /// experiment is cancelled only if this action needs new data.
  void whenDataAreCurrent(std::function<void()> action);

  /// Starts a run from zero, after preparing the data where they are not current. Earlier results
  /// of the run are set aside; undo restores them.
  void start(int id);
  /// Starts a run that the last edit of the experiment concerns; one step of undo takes back both.
  void startAfterEdit(int id);
  /// Continues from the present estimate with the present settings of the run. Where the run is at
  /// rest and the estimate is kept, undo brings back what there was.
  void continueFromHere(int id);
  /// Continues from an iterate that the run keeps, with the present settings of the run. The run
  /// forgets what it had computed after it; undo brings that back.
  void goOnFrom(int id, int iteration);
  /// Gives a run the results of one that was computed elsewhere with these settings on the present
  /// data, and continues it to its last iteration. The experiment gets the settings; undo brings
  /// back what the run had computed. `reference`: of the metrics in the history; null: none.
  void takeOver(int id, const RunSpec& computed, std::vector<HistoryEntry> history,
                std::shared_ptr<const RunProgress> progress,
                const std::shared_ptr<const Reference>& reference);
  void pause(int id);
  void resume(int id);
  /// Computes one more iteration, or one more subset, and pauses. A run with results continues from
  /// its estimate with its present settings; if the data have changed, the run starts from zero.
  void stepIteration(int id);
  void stepSubset(int id);
  void stopAndKeep(int id);
  /// Ends the run and removes its results; undo restores them.
  void discard(int id);
  /// Removes the run from the experiment; undo restores the run with its results.
  void removeRun(int id);
  /// Called before a run loses results that are too large to be set aside. The function must call
  /// `go` if the results may be lost. Without this function no question is asked.
  using LossQuestion =
      std::function<void(int id, const QString& act, const std::function<void()>& go)>;
  void setLossQuestion(LossQuestion ask) { askBeforeLoss_ = std::move(ask); }
  /// Limits the memory of all results that are set aside; the oldest are dropped first.
  void setMostBytesAside(std::size_t bytes) { mostBytesAside_ = bytes; }
  /// Returns whether extend() leads to more iterations: a direct method has only one.
  bool canExtend(int id) const;
  void extend(int id, int iterations);
  /// Requests the whole estimate of a run, or its edge field. `use` is called on the GUI thread,
  /// unless the run has been started again meanwhile.
  using UseVolume = std::function<void(std::shared_ptr<const std::vector<float>>, int iterations)>;
  void requestVolume(int id, UseVolume use, RunImage image = RunImage::estimate);
  /// Requests the progress of a run, i.e. all that is needed to resume it, and the key of its
  /// device. `use` is called on the GUI thread, with null if the run has been discarded or started
  /// again meanwhile.
  using UseProgress =
      std::function<void(std::shared_ptr<const RunProgress>, const std::string& backend)>;
  void requestProgress(int id, UseProgress use);
  /// Restores a saved run with its curves and kept iterates (null: none), paused; prepares the data
  /// first where they are not current. The run fails if it was saved with other data.
  void restore(int id, const RunSpec& started, std::vector<HistoryEntry> history,
               std::shared_ptr<const RunProgress> left,
               std::shared_ptr<const IterateList> kept = nullptr);
  /// Restores a pinned reference: an estimate on the grid of the present data, [z][y][x], 1/mm, and
  /// the run that it came from (-1: removed since). Does nothing if the size differs.
  void restoreReference(std::vector<float> mu, const std::string& label, int run);
  /// Makes the present estimate of a run the reference of all runs; -1 restores the truth.
  void pinReference(int id);

  /// Sets whether runs keep their further iterates as rounded images, in half the memory or less.
  void setRoundsIterates(bool rounds) { worker_->set_rounds_iterates(rounds); }
  /// Sets what the views show of every run.
  void setView(const ViewRequest& view);
  /// Sets the time of drawing one update. The slower the drawing, the fewer updates, so that
  /// drawing takes at most 3 % of the time.
  void setDrawingCost(double milliseconds) { drawingCostMs_ = milliseconds; }

 signals:
  void dataChanged();
  void dataProgress(double done, const QString& what);
  void dataFailed(const QString& message);
  void preparingChanged();
  void stateChanged(int id);
  void iterationDone(int id);
  void historyChanged(int id);  ///< iterations were measured again
  void snapshotReady(int id);
  void iteratesChanged(int id);               ///< those that the run keeps
  void computedChanged(int id);               ///< the result of computed() has changed
  void volumeFailed(const QString& message);  ///< a requested volume could not be delivered
  void referenceChanged();
  void maskProblem(const QString& message);  ///< why there is no such mask; empty: there is one
  void waterChanged();                       ///< the attenuation of water, while the data stay
  void updatesEmitted();                     ///< emitted after each batch of these signals

 private:
  struct VolumeRequest {
    RunId id;
    std::function<void(std::shared_ptr<const std::vector<float>>, int)> use;
  };

  /// Another experiment whose data are ready.
  struct Replacement {
    Experiment experiment;
    std::shared_ptr<const ExperimentData> data;
    Adopt adopt;
  };

  void prepareFor(JobWorker::For whom, const Experiment& experiment, Adopt adopt);
  bool mayPrepareAnew(const std::function<void()>& later) const;
  void offer(const std::shared_ptr<const Replacement>& other);
  void takeData(const Experiment& experiment, std::shared_ptr<const ExperimentData> data,
                const Adopt& adopt);
  /// Asks how data that failed can be opened after all and changes the experiment accordingly.
  /// Returns false where the user gives up.
  using WayToOpen = std::function<bool(Experiment&)>;
  /// Returns null where there is nothing to ask.
  WayToOpen wayToOpen(const DataFailed& event) const;
  enum class Cause { user, edit };
  void begin(int id, bool paused, Cause cause = Cause::user);
  void startBecauseOf(Cause cause, int id);
  void bringBackData();
  std::shared_ptr<const ExperimentData> dataOfEarlierResults() const;
  std::shared_ptr<const ExperimentData> dataHeldBeside() const;
  bool takeHeldData();
  void continueWith(int id, bool paused);
  void step(int id, void (JobWorker::*how)(int run));
  RunStatus& newStart(int id, const RunSpec& spec);
  void scheduleUpdates();
  void emitUpdates();
  void handle(const DataReady& event);
  void handle(const DataFailed& event);
  void handle(const DataCancelled& event);
  void handle(const DataProgress& event);
  void handle(const RunBegan& event);
  void handle(const EntryChanged& event);
  void handle(const IterateMeasured& event);
  void handle(const IterationDone& event);
  QString inNamesOfFields(const std::string& message) const;
  void handle(const StateChanged& event);
  void handle(const VolumeReady& event);
  void handle(const ProgressReady& event);
  void handle(const IteratesChanged& event);
  void followRuns();
  void dropAllResults();
  class SwapResults;
  static std::size_t heldBytes(const RunStatus& run);
  void confirmLoss(int id, const QString& act, const std::function<void()>& go);
  QString nameOf(int id) const;
  bool setAside(int id);
  void showResults(int id, int epoch);
  void swapped(const QString& name, int id, int from, int to, Cause cause = Cause::user);
  bool hasSwaps(int id) const;
  void unpin(int id);
  /// What a start of a run begins with.
  struct Beginning {
    RunSpec spec;
    std::vector<HistoryEntry> history;
    std::shared_ptr<const RunProgress> progress;
    std::shared_ptr<const IterateList> iterates;
    std::map<int, ReferenceKey> measured_against;  // as in RunStatus
  };
  void beginFrom(int id, const QString& act, const Beginning& from, bool is_changed);
  void dropOldestAside(std::size_t bytes);
  void forgetAside(const RunId& id);
  void sendRegions();
  void followWater();
  void setReference(std::shared_ptr<const Reference> reference, int pinned_run = -1);
  std::shared_ptr<const Reference> referenceOn(const ExperimentData& data);
  std::shared_ptr<const Reference> ownReference(const ExperimentData& data);
  std::shared_ptr<const Reference> masked(std::shared_ptr<const Reference> reference,
                                          const ExperimentData& data);
  void followMask();
  QString maskProblem_;
  std::set<int> measuredAgain_;  // runs, in this batch of messages
  int pinnedRun_ = -1;
  RunStatus* current(const RunId& id);

  const Catalog& catalog_;
  ExperimentModel& model_;
  std::map<int, RunStatus> runs_;
  std::map<int, int> lastEpochs_;     // of each run; epochs are never used again
  std::map<RunId, RunStatus> aside_;  // results of earlier starts and of removed runs, for undo
  std::vector<RunId> asideOrder_;     // oldest first
  std::map<int, int> removed_;        // run id, epoch of the results set aside
  std::vector<SwapResults*> swaps_;   // commands on the undo stack
  std::size_t mostBytesAside_ = std::size_t{1} << 30;
  LossQuestion askBeforeLoss_;
  RunEstimates estimates_;
  std::shared_ptr<const ExperimentData> data_;
  std::shared_ptr<const Reference> reference_;
  Experiment prepared_;  // the experiment from which data_ were made
  /// Data of earlier experiments, as long as results hold them.
  struct FormerData {
    Experiment prepared;
    std::weak_ptr<const ExperimentData> data;
  };
  std::vector<FormerData> formerData_;
  Experiment preparingExperiment_;
  Adopt adopt_;  // called when the data are ready
  std::shared_ptr<const Replacement> offered_;
  ReplacementQuestion askBeforeReplacing_;
  NewDataQuestion askBeforeNewData_, askBeforeFormerData_;
  std::vector<HoldsData> dataHolders_;
  UnevenQuestion askAboutUneven_;
  DamageQuestion askAboutDamage_;
  int preparing_ = 0, lastTicket_ = 0;
  std::vector<std::function<void()>> afterPreparing_;
  ViewRequest view_;
  MeasurementRegions regions_;  // as sent to the worker last
  std::map<int, VolumeRequest> volumeRequests_;
  std::map<int, UseProgress> progressRequests_;
  QTimer updateTimer_;
  QElapsedTimer sinceUpdates_;
  double drawingCostMs_ = 0;
  // Declared last: destroyed first, because its thread calls this object.
  std::unique_ptr<JobWorker> worker_;
};

}  // namespace gantry
