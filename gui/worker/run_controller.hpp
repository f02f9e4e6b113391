#pragma once

#include "core/job/job_worker.hpp"
#include "gui/models/experiment_model.hpp"
#include "gui/models/run_status.hpp"
#include "gui/worker/run_estimates.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>

namespace gantry {

/// The window's side of the worker: turns clicks into commands and news into signals, on the GUI
/// thread, at most as often as the window can draw. Knows no widget.
class RunController : public QObject {
  Q_OBJECT
 public:
  RunController(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
                QObject* parent = nullptr);
  ~RunController() override;

  const RunStatus& status(int id) const;
  /// Data of the experiment as last prepared; null before.
  std::shared_ptr<const ExperimentData> data() const { return data_; }
  /// What a run of these data would hold, as far as it is known: null until estimates() has found
  /// out. There are data.
  const RunEstimates::Answer* memoryOf(const RunSpec& run) { return estimates_.of(run, data_); }
  const RunEstimates& estimates() const { return estimates_; }
  /// The image that metrics and differences are taken against; null when there is none.
  std::shared_ptr<const Reference> reference() const { return reference_; }
  /// Whether that is an estimate of a run, and not what came with the data.
  bool referenceIsPinned() const;
  bool isPreparing() const { return preparing_ != 0; }
  /// The scan that the experiment as it is now asks for, and its grid, before their data are made;
  /// none where these depend on a file that has not been read.
  struct Sizes {
    std::shared_ptr<const ScanGeometry> geometry;
    VolumeGrid grid;
  };
  std::optional<Sizes> sizes() const;
  /// Whether what this start of a run has computed can still be had: it is shown, went on under a
  /// later start, or is set aside for undo.
  bool keepsResults(const RunId& id) const;
  /// What all runs and data hold, wherever that is.
  std::size_t heldBytes() const;
  /// Whether the data were made from the experiment as it is now.
  bool dataAreCurrent() const;
  /// Whether what a run shows was made from the run and data as they are now.
  bool isCurrent(int id) const;
  bool anyActive() const;
  /// A run by what it has computed so far, which may not be what its form says: with the settings
  /// that made its last iteration, under its present name. The form where there is none.
  RunSpec computed(int id) const;
  /// The experiment as it is to be saved: with it the runs compute again what they have come to, as
  /// far as their settings have not been changed since.
  Experiment experimentToSave() const;
  /// The experiment that repeats what runs have computed on the present data, whatever their forms
  /// say by now; runs that have computed nothing on them are left out.
  Experiment experimentAsComputed() const;
  /// Runs whose results were made with other settings or data than the experiment has now.
  std::vector<int> runsOfOtherSettings() const;

  /// Loads or simulates the model's data.
  void prepareData();
  /// Loads or simulates the data of another experiment. Only when they are there, and nobody
  /// objects to it then, `adopt` is called, which puts it into the model; until then, and when it
  /// fails, everything stays as it is.
  using Adopt = std::function<void(const Experiment&)>;
  void prepareOther(const Experiment& experiment, Adopt adopt);
  /// Asked when the data of another experiment are there, since the present one may have changed
  /// while they were loaded. True: it takes its place now. False: not now; `later` asks anew.
  using ReplacementQuestion = std::function<bool(const std::function<void()>& later)>;
  void setReplacementQuestion(ReplacementQuestion ask) { askBeforeReplacing_ = std::move(ask); }
  /// Asked how to open another experiment's series that is refused as uneven; none: not at all.
  /// Where nobody asks, and for the present experiment, it is a failure as any other.
  using UnevenQuestion = std::function<std::optional<UnevenSlices>(const UnevenSeries&)>;
  void setUnevenQuestion(UnevenQuestion ask) { askAboutUneven_ = std::move(ask); }
  void cancelPreparing();

  /// Starts from zero; prepares the data first where they are not current. What the run had
  /// computed is set aside, and undo brings it back.
  void start(int id);
  /// Goes on from the present estimate with the run's settings as they are now.
  void continueFromHere(int id);
  void pause(int id);
  void resume(int id);
  /// One iteration or subset more, then at rest. A run that has computed goes on from its estimate
  /// with its settings as they are now; on other data it begins anew.
  void stepIteration(int id);
  void stepSubset(int id);
  void stopAndKeep(int id);
  /// Ends the run and takes away what it has computed; undo brings it back.
  void discard(int id);
  /// Takes the run out of the experiment; undo brings it back with what it has computed.
  void removeRun(int id);
  /// Asked before a run loses results that are too large to be set aside; calls `go` where they may
  /// be lost. Nobody is asked unless it is set.
  using LossQuestion =
      std::function<void(int id, const QString& act, const std::function<void()>& go)>;
  void setLossQuestion(LossQuestion ask) { askBeforeLoss_ = std::move(ask); }
  /// All that is set aside together takes no more; the oldest is forgotten first.
  void setMostBytesAside(std::size_t bytes) { mostBytesAside_ = bytes; }
  void extend(int id, int iterations);
  /// Asks for the whole estimate; `use` is called on this thread, unless the run is started anew
  /// meanwhile.
  void requestVolume(
      int id, std::function<void(std::shared_ptr<const std::vector<float>>, int iterations)> use);
  /// Asks how far a run is, with what it needs to go on, and on which device; `use` is called on
  /// this thread, with null where the run has been discarded or started anew meanwhile.
  using UseProgress =
      std::function<void(std::shared_ptr<const RunProgress>, const std::string& backend)>;
  void requestProgress(int id, UseProgress use);
  /// Puts a run with its curves where it was left, at rest; prepares the data first where they are
  /// not current. The run fails where it was of other data.
  void restore(int id, const RunSpec& started, std::vector<HistoryEntry> history,
               std::shared_ptr<const RunProgress> left);
  /// A run's present estimate becomes the reference for all; -1: back to the truth.
  void pinReference(int id);

  /// What views show of every run from now on.
  void setView(const ViewRequest& view);
  /// Draws cost this long: news are then passed on seldom enough to leave the processor to the
  /// runs.
  void setDrawingCost(double milliseconds) { drawingCostMs_ = milliseconds; }

 signals:
  void dataChanged();
  void dataProgress(double done, const QString& what);
  void dataFailed(const QString& message);
  void preparingChanged();
  void stateChanged(int id);
  void iterationDone(int id);
  void historyChanged(int id);  ///< its last entry was measured anew
  void snapshotReady(int id);
  void computedChanged(int id);               ///< computed() is another
  void volumeFailed(const QString& message);  ///< that was asked for
  void referenceChanged();
  void newsPassedOn();  ///< after a batch of the above

 private:
  struct VolumeRequest {
    RunId id;
    std::function<void(std::shared_ptr<const std::vector<float>>, int)> use;
  };

  /// Another experiment, whose data are there.
  struct Replacement {
    Experiment experiment;
    std::shared_ptr<const ExperimentData> data;
    Adopt adopt;
  };

  void whenDataAreCurrent(std::function<void()> action);
  void prepareFor(JobWorker::For whom, const Experiment& experiment, Adopt adopt);
  void offer(const std::shared_ptr<const Replacement>& other);
  void takeData(const Experiment& experiment, std::shared_ptr<const ExperimentData> data,
                const Adopt& adopt);
  void offerWays(const std::shared_ptr<const UnevenSeries>& series, Experiment experiment,
                 const Adopt& adopt);
  void begin(int id, bool paused);
  void continueWith(int id, bool paused);
  void step(int id, void (JobWorker::*how)(int run));
  RunStatus& newStart(int id, const RunSpec& spec);
  void scheduleNews();
  void passOnNews();
  void handle(const DataReady& event);
  void handle(const DataFailed& event);
  void handle(const DataCancelled& event);
  void handle(const DataProgress& event);
  void handle(const RunBegan& event);
  void handle(const EntryChanged& event);
  void handle(const IterationDone& event);
  void handle(const StateChanged& event);
  void handle(const VolumeReady& event);
  void handle(const ProgressReady& event);
  void followRuns();
  void forgetEverything();
  class SwapResults;
  static std::size_t heldBytes(const RunStatus& run);
  void beforeLoss(int id, const QString& act, const std::function<void()>& go);
  QString nameOf(int id) const;
  bool setAside(int id);
  void showResults(int id, int epoch);
  void swapped(const QString& name, int id, int from, int to);
  bool hasSwaps(int id) const;
  void makeRoomAside(std::size_t bytes);
  void forgetAside(const RunId& id);
  void passOnRegions();
  void setReference(std::shared_ptr<const Reference> reference);
  RunStatus* current(const RunId& id);

  const Catalog& catalog_;
  ExperimentModel& model_;
  std::map<int, RunStatus> runs_;
  std::map<int, int> lastEpochs_;     // of each run: no start is mistaken for another
  std::map<RunId, RunStatus> aside_;  // earlier starts and removed runs, for undo
  std::vector<RunId> asideOrder_;     // oldest first
  std::map<int, int> removed_;        // run, epoch that is aside
  std::vector<SwapResults*> swaps_;   // those on the undo stack
  std::size_t mostBytesAside_ = std::size_t{1} << 30;
  LossQuestion askBeforeLoss_;
  RunEstimates estimates_;
  std::shared_ptr<const ExperimentData> data_;
  std::shared_ptr<const Reference> reference_;
  Experiment prepared_;  // the experiment that data_ were made from
  Experiment preparingExperiment_;
  Adopt adopt_;  // when these data are there
  std::shared_ptr<const Replacement> offered_;
  ReplacementQuestion askBeforeReplacing_;
  UnevenQuestion askAboutUneven_;
  int preparing_ = 0, lastTicket_ = 0;
  std::vector<std::function<void()>> afterPreparing_;
  ViewRequest view_;
  MeasurementRegions regions_;  // as the worker knows them
  std::map<int, VolumeRequest> volumeRequests_;
  std::map<int, UseProgress> progressRequests_;
  QTimer newsTimer_;
  QElapsedTimer sinceNews_;
  double drawingCostMs_ = 0;
  std::unique_ptr<JobWorker> worker_;  // last made, first gone: its thread calls back
};

}  // namespace gantry
