#pragma once

#include "gui/stage/slice_board.hpp"
#include "gui/stage/space/space_runs.hpp"
#include "gui/stage/space/space_tools.hpp"
#include "gui/stage/space/space_volumes.hpp"
#include "gui/worker/latest_job.hpp"
#include "gui/worker/preview.hpp"

#include <QTimer>
#include <QWidget>

#include <array>

class QGridLayout;

namespace gantry {

class SliceView;
struct LoadedVolume;
class VolumeLook;
class VolumeView;

/// Images in space. Of the selected run: its axial, coronal and sagittal planes through one point,
/// with a cross-hair in the colours of the planes, an oblique plane on demand, and the volume. Or
/// one of these planes of the reference and of all runs. Without a run that has an estimate, the
/// reference is shown, or the quick reconstruction of measured data, which have none. If only one
/// slice of a volume is reconstructed, the whole volume of the file is shown, which is read when
/// the board is shown for the first time.
class SpaceBoard : public QWidget {
  Q_OBJECT
 public:
  /// `slices` gives the slices of runs and of the reference.
  SpaceBoard(const Catalog& catalog, ExperimentModel& model, RunController& controller,
             ViewState& state, Playhead& playhead, const SliceBoard& slices, VolumeLook& look,
             Preview& preview, QWidget* parent = nullptr);

  void setRun(int id);
  SliceView& plane(Axis axis) const { return *planes_[static_cast<std::size_t>(axis)]; }
  SliceView& oblique() const { return *oblique_; }
  VolumeView& volume() const { return *volume_; }
  SpaceRuns& runs() const { return *runs_; }
  /// Returns the voxel that the planes go through: ix, iy, iz.
  const std::array<int, 3>& voxel() const { return voxel_; }
  void setVoxel(const std::array<int, 3>& voxel);
  /// Shows one of the views alone, null: all of them.
  void enlarge(QWidget* view);
  ObliquePlane obliquePlane() const;
  /// Returns the slices that the worker must deliver; none while the board is hidden.
  std::vector<ViewRequest::Slice> slicesWanted() const;
  /// Returns the time of the latest frame, summed over all views, ms.
  double paintMs() const;

 signals:
  void requestChanged();
  void runPressed(int id);  ///< the view of a run: the run is to be selected

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void makeViews();
  void connectPlane(Axis axis);
  void connectOblique();
  void connectRuns();
  void connectVolume();
  void connectSources();
  void arrange();
  void placeViews(bool with_oblique);
  void connectEnlarging();
  void turnBy(double turn_deg, double tilt_deg);
  void stepAlong(Axis axis, int steps);
  void stepOblique(int steps);
  void place(const std::array<int, 3>& voxel);
  void followSlice();
  void followVolumePoint();
  void goTo(Vec3 at_mm);
  void goToPoint(Axis axis, const PointMm& at);
  void goToOblique(const PointMm& at);
  Vec3 point() const { return grid_.voxel_center_mm(voxel_[0], voxel_[1], voxel_[2]); }
  int indexOf(Axis axis) const;
  bool looksAtFile() const;
  void adoptFile();
  std::shared_ptr<const SliceImage> imageOf(Axis axis) const;
  int subject() const;
  std::vector<int> subjects() const;
  /// A whole volume, which may be reduced; without values there is none yet.
  struct Whole {
    VolumeGrid grid;
    SpaceVolumes::Values values;
  };
  Whole volumeOf(int id) const;
  std::shared_ptr<const ReducedImage> previewOf(int id) const;
  std::shared_ptr<const SliceImage> sliceOf(int id, Axis axis) const;
  QString previewText(int id) const;
  QString emptyText(int id) const;
  std::string titleOf(int id) const;
  void adoptData();
  void setGrid(const VolumeGrid& grid);
  void refresh();
  void refreshPlanes();
  void refreshOblique();
  void refreshRuns();
  void refreshVolume();
  void showVolume(const Whole& volume);
  void showSoon();
  void showCross();
  std::string obliqueStatus(const VolumeGrid& grid) const;

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  ViewState& state_;
  Playhead& playhead_;
  const SliceBoard& slices_;
  VolumeLook& look_;
  Preview& preview_;
  int run_ = -1;
  std::shared_ptr<const LoadedVolume> file_;  // of the source, once all of it has been read
  std::weak_ptr<const ExperimentData> adopted_;
  VolumeGrid grid_;
  bool radiological_ = false;
  std::array<int, 3> voxel_{};
  SpaceTools* tools_;
  QWidget* stage_;
  QGridLayout* layout_;
  std::array<SliceView*, 3> planes_;  // by Axis
  SliceView* oblique_;
  VolumeView* volume_;
  SpaceRuns* runs_;
  QWidget* alone_ = nullptr;  // the view that is enlarged
  SpaceVolumes* volumes_;
  LatestJob* reduction_;
  SpaceVolumes::Values shownFrom_;  // what the volume view shows, perhaps averaged over blocks
  VoxelBlock shownBlock_;
  std::optional<ClipBox> hiddenClip_;  // while the clip box is off
  QTimer volumeTimer_, soon_;
};

}  // namespace gantry
