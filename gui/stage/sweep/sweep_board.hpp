#pragma once

#include "core/job/checkpoint.hpp"
#include "core/worker/sweep/middle_slices.hpp"
#include "core/worker/sweep/sweep_measure.hpp"
#include "gui/stage/object_box.hpp"
#include "gui/stage/sweep/kept_for_undo.hpp"
#include "gui/stage/view_state.hpp"
#include "gui/worker/latest_job.hpp"
#include "gui/worker/run_controller.hpp"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QWidget>

#include <map>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QPushButton;
class QSpinBox;

namespace gantry {

class ChartView;
class ElidingLabel;
class SweepGrid;

/// The part of a sweep that was done after some seconds.
struct SweepReport {
  double done = 0;  ///< from 0 to 1
  double seconds = 0;
};

/// Estimates the seconds of a whole sweep from the progress between two reports, because the time
/// before the first report includes set-up. Returns nothing without progress between them.
std::optional<double> seconds_of_all(const SweepReport& first, const SweepReport& later);

/// The page of the workspace Sweep that repeats the selected run with several values of one of its
/// parameters or of the scan's, and shows a picture of each, a metric over the parameter, and the
/// L-curve of a penalty's weight. The run can take over the best or the chosen value with its
/// result, and continues from there.
///
/// The GUI thread owns the page. A thread of its own (LatestJob) computes the runs of the sweep
/// one after the other, and hands each result over to the GUI thread.
class SweepBoard : public QWidget {
  Q_OBJECT
 public:
  SweepBoard(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
             RunController& controller, ViewState& state, QWidget* parent = nullptr);

  void setRun(int id);
  /// Chooses what is swept, by SweepParam::id(), if the run or the scan has it.
  void chooseParam(const QString& id);
  const std::vector<SweepPoint>& points() const { return shown_.points; }
  bool isBusy() const { return job_.isBusy(); }
  /// Starts the sweep. If the sweep is estimated to take very long, asks the user first, unless the
  /// user has agreed (`may_be_long`). Without an estimate, asks after the first iterations.
  void start(bool may_be_long = false);
  void cancel();
  /// Sets from which time on a sweep takes very long, ten minutes at first.
  void setLongSeconds(double seconds) { longSeconds_ = seconds; }
  /// Return the run whose points are shown, -1: none; and a number that differs for each sweep.
  int sweptRun() const { return shown_.run; }
  int ticket() const { return shown_.ticket; }
  /// Returns the name of what was swept, empty before the first sweep.
  QString sweptLabel() const {
    return shown_.param ? QString::fromStdString(shown_.param->spec.label) : QString();
  }
  /// Returns whether the sweep that is shown comes back by undo after other data have replaced it;
  /// one that needs too much memory does not.
  bool isKeptForUndo() const { return earlier_.fits(shown_.bytes()); }
  /// Limits the memory of all sweeps that undo can bring back.
  void setMostBytesForUndo(std::size_t bytes) { earlier_.setMostBytes(bytes); }

  /// Returns the settings of the page and what was swept, for a session. The results of points()
  /// are kept apart.
  QJsonObject toJson() const;
  /// Restores what toJson() returned, with the results by their index in points(). A point without
  /// a result says that it was not kept.
  void restore(const QJsonObject& json, std::map<int, Checkpoint> results);

 signals:
  void finished();  ///< all values were computed
  /// Asks whether a sweep that takes very long should start or, if it computes already, go on. An
  /// empty question takes back the earlier one.
  void longSweepAsked(const QString& question, bool computes);
  void dataTakenOver();  ///< a run computes with a value that needs other data

 private:
  /// A sweep: what belongs to the points that are shown.
  struct Shown {
    int run = -1, ticket = 0;
    std::optional<SweepParam> param;
    std::unique_ptr<const MiddleSlices> slicesOf;  ///< null unless the points are such slices
    bool hasEqualRatios = true;  ///< between its values; the box is about the next sweep
    bool hasOwnBeside = false;   ///< the run's own value was added to those asked for
    std::shared_ptr<const ExperimentData> data;
    std::optional<ObjectBox> object;  ///< of the truth, if there is one
    std::vector<double> values;       ///< of which `points` are the first ones
    std::vector<SweepPoint> points;
    std::vector<std::shared_ptr<const SliceImage>> slices;  ///< of the points
    int measure = 0;                                        ///< by which it was judged last
    bool isReplaced = false;                                ///< its experiment is no longer open
    std::size_t bytes() const;
  };
  void makeControls();
  void arrange();
  void listParams();
  void suggestRange();
  const SweepParam* param() const;
  const SweepMeasure& measure() const;
  void useUsualMeasure();
  std::optional<SweepBest> best() const;
  int taken() const;
  void begin(bool may_be_long);
  bool takesSlices() const;
  void showIterations();
  void adopt(const SweepParam& param);
  void forget();
  void followData();
  void keepForUndo();
  void addPoint(int ticket, SweepPoint point);
  void showProgress(int ticket, int iteration);
  double partDone() const;
  QString timeLeft() const;
  QString longText(double seconds, std::size_t values, int iterations) const;
  bool asksBefore(std::size_t values);
  void askMeanwhile();
  void askNothing();
  void askToStartNothing();
  void followBoxes();
  std::optional<double> secondsOfAll() const;
  std::string unitOf(const std::string& unit) const;
  void showPoints();
  QString verdict(const std::optional<SweepBest>& best) const;
  QString maskText() const;
  void showPictures(const std::optional<SweepBest>& best);
  Rgb colour() const;
  void showCharts();
  void takeOver();
  void restorePoints(const QJsonObject& json, std::map<int, Checkpoint>& results);
  SweepPoint restored(double value, const QString& problem, Checkpoint* result) const;
  void say(const QString& text);

  const Catalog& catalog_;
  const BackendList& backends_;
  ExperimentModel& model_;
  RunController& controller_;
  ViewState& state_;
  const std::vector<SweepMeasure> measures_;
  int run_ = -1;
  std::vector<SweepParam> params_;
  Shown shown_;
  int lastTicket_ = 0;
  KeptForUndo<Shown> earlier_;                // sweeps of data that are not the present ones
  int iteration_ = 0, iterationsOfEach_ = 0;  // of the value that is being computed
  bool mayBeLong_ = false;                    // the user has agreed, or has been asked
  QElapsedTimer sinceStart_;
  std::optional<SweepReport> firstReport_;
  double longSeconds_ = 600;
  bool asksToStart_ = false;  // with the settings as they were when it asked
  LatestJob job_;

  ElidingLabel* title_;
  QComboBox* param_;
  QDoubleSpinBox* from_;
  QDoubleSpinBox* to_;
  QSpinBox* count_;
  QCheckBox* logarithmic_;
  QSpinBox* iterations_;
  QPushButton* start_;
  QComboBox* measure_;
  QPushButton* use_;
  ElidingLabel* state_text_;
  SweepGrid* pictures_;
  ChartView* chart_;
  ChartView* lCurve_;
};

}  // namespace gantry
