#pragma once

#include "core/data/slice.hpp"
#include "core/worker/preview/reduced_run.hpp"
#include "core/worker/preview/slice_preview.hpp"
#include "gui/worker/latest_job.hpp"
#include "gui/worker/run_controller.hpp"

#include <QObject>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gantry {

/// Pictures for views whose run has no estimate yet. One is a quick reconstruction of new data by a
/// direct method, which is shown for runs that have not been started. The others are reduced
/// reconstructions, made while a slider is dragged, with the values that are tried
/// (ExperimentModel::tryOut); they stay until the run computes, or its settings have changed. While
/// nothing is dragged, the quick reconstruction is refined as far as two seconds allow. Where few
/// rows of a measured scan see the slice that is looked at, this slice is refined first and by
/// itself, and follows the sliders of the scan and of its corrections.
class Preview : public QObject {
  Q_OBJECT
 public:
  Preview(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
          RunController& controller, QObject* parent = nullptr);

  /// Returns the quick reconstruction of the present data, or of the data that a slider tries; null
  /// while there is none, or if no direct method suits the data.
  std::shared_ptr<const ReducedImage> image() const { return ofData().image; }
  /// Returns the image that the view of a run must show instead of the estimate; null: it must show
  /// the estimate, or nothing.
  std::shared_ptr<const ReducedImage> image(int run) const;
  /// Returns whether the view of a run is to show slice(), instead of the estimate of the run.
  bool shows(int run) const { return of(run) != nullptr; }
  bool showsReduced(int run) const { return tried_.contains(run); }
  /// Returns the settings of the reduced picture that the view of a run shows; null: it shows none.
  const RunSpec* tried(int run) const;
  /// Return the slice nearest to a slice of the data's grid: of the image that the view of a run
  /// must show, or of the quick reconstruction of the present data or of the data that a slider
  /// tries. Null if there is none.
  std::shared_ptr<const SliceImage> slice(int run, Axis axis, int index) const;
  std::shared_ptr<const SliceImage> slice(Axis axis, int index) const;
  /// Makes the quick reconstruction even while runs compute, because a view needs it; without a
  /// request, it is not made then, since runs need the processors. Does nothing if there is one
  /// already, or if none can be made.
  void request();
  /// Sets whether the quick reconstruction follows the sliders of the scan, and edits of the scan
  /// until the data are made anew; needed only while a view shows it.
  void setFollowsTrials(bool follows);
  bool followsTrials() const { return followsTrials_; }
  /// Returns why there is no image; empty if there is one, or if it has not been computed.
  QString problem() const { return QString::fromStdString(ofData().problem); }
  /// Returns "Preview: FBP, 128 x 128", "Reduced: ..." while a slider is followed, or an edit of
  /// the scan on larger voxels, or "Before the change: ..." where the data have other settings by
  /// now; empty without an image.
  QString text() const;
  /// Returns "Preview: FBP, 128 x 128" or "Reduced: 128 x 128, 8 it., 120 views", or why
  /// there is no picture; empty where the view shows the estimate of the run.
  QString text(int run) const;

 signals:
  void changed();
  void sliceWanted(int index) const;  ///< another axial slice of the quick reconstruction

 private:
  struct Shown {
    std::shared_ptr<const ReducedImage> image;
    std::string problem;  ///< why there is no image
    double seconds = 0;   ///< computing time of the image
    mutable std::vector<std::shared_ptr<const SliceImage>> slices;
    int fine_index = -1;  ///< of the slice of a stack that was made by itself, if it can be
    std::shared_ptr<const ReducedImage> fine;
    std::shared_ptr<const SliceImage> fine_slice;

    bool isEmpty() const { return image == nullptr && fine == nullptr; }
    void takeSliceOf(const Shown& other) {
      fine_index = other.fine_index;
      fine = other.fine;
      fine_slice = other.fine_slice;
    }
  };
  /// The quick reconstruction and the coarsened data that it was made from.
  struct Quick {
    Shown shown;
    std::shared_ptr<const ExperimentData> coarse;
  };
  /// A reduced reconstruction with values that are tried.
  struct Tried : Shown {
    Experiment experiment;  ///< with the values
    RunSpec run;            ///< with all its parameters
  };
  /// The results of a trial: a picture for each of its runs, and the data that were used.
  struct Trial {
    std::vector<Shown> pictures;
    std::optional<Shown> of_data;  ///< the quick reconstruction, where it follows
    std::shared_ptr<const ExperimentData> data;
  };
  /// The values that a slider tries, the runs that differ by them, and what the pictures are made
  /// from.
  struct Following {
    Experiment tried;
    PresentData present;
    std::vector<int> runs = {};
    std::vector<RunSpec> specs = {};  ///< of the runs
    bool has_present_data = false, tries_data = false;
  };
  static Shown made(const std::function<ReducedImage()>& make);
  const Shown& ofData() const { return triedData_ ? *triedData_ : quick_; }
  Shown& ofData() { return triedData_ ? *triedData_ : quick_; }
  void improve();
  void refine();
  void refineSlice();
  void makeSlice(Shown& shown, int index, const Experiment& tried, const PresentData& present,
                 SliceHaste haste, const Interrupt& interrupt);
  PresentData present() const { return {controller_.experimentAsComputed(), controller_.data()}; }
  const ReducedImage* seen(const Shown& shown) const;
  static QString textOf(const ReducedImage* image, const QString& form);
  const Shown* of(int run) const;
  std::shared_ptr<const SliceImage> sliceOf(const Shown& shown, Axis axis, int index) const;
  void begin();
  void reconstruct();
  void reconstructAll();
  void showWaitingRuns();
  void follow(const Experiment& experiment);
  void followEdit();
  bool isOutdated() const;
  QString quickForm() const;
  void startTrial();
  void startSlice(const Following& values);
  void startTrialOfAll(const Following& values, const Shown& slice);
  Trial picturesOf(const std::vector<RunSpec>& runs,
                   const std::shared_ptr<const ExperimentData>& data,
                   const Interrupt& interrupt) const;
  void show(const Experiment& experiment, const std::vector<int>& runs, const Trial& trial);
  void forgetOutdated();

  const Catalog& catalog_;
  const BackendList& backends_;
  ExperimentModel& model_;
  RunController& controller_;
  Shown quick_;
  std::shared_ptr<const ExperimentData> coarse_;   // the present data; null until they are needed
  std::shared_ptr<const ExperimentData> reduced_;  // likewise for iterations; null until a trial
  std::map<int, Tried> tried_;                     // by run
  std::optional<Tried> triedData_;                 // the quick reconstruction; its run is unused
  std::optional<Experiment> wanted_;               // to be tried next
  bool isRequested_ = false;                       // the quick reconstruction, while runs compute
  bool followsTrials_ = false;                     // the quick reconstruction
  bool wasOutdated_ = false;
  /// The slice of the trial in work is shown: newer values need not wait for the rest.
  bool isSliceShown_ = false;
  bool isDragging_ = false;  // values are tried that the experiment does not have yet
  // The axial slice of the quick reconstruction last asked for, and the slices of the data then.
  mutable int wantedSlice_ = -1, slicesWhenWanted_ = 0;
  int sliceInWork_ = -1;     // that slice_ makes
  CorrectedRows corrected_;  // used by the threads of the jobs
  LatestJob job_, trial_, finer_, slice_;
};

}  // namespace gantry
