#pragma once

#include "gui/stage/slice_board.hpp"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <array>

class QComboBox;

namespace gantry {

class SliceView;
struct LoadedVolume;
class VolumeLook;
class VolumeView;

/// The selected run in space: its axial, coronal and sagittal planes through one point, with a
/// cross-hair in the colours of the planes, and the volume. Without a run that has an estimate, the
/// reference is shown. If only one slice of a volume is reconstructed, the whole volume of the file
/// is shown, which is read when the board is shown for the first time.
class SpaceBoard : public QWidget {
  Q_OBJECT
 public:
  /// `slices` gives the slices of runs and of the reference.
  SpaceBoard(const Catalog& catalog, ExperimentModel& model, RunController& controller,
             ViewState& state, Playhead& playhead, const SliceBoard& slices, VolumeLook& look,
             QWidget* parent = nullptr);

  void setRun(int id);
  SliceView& plane(Axis axis) const { return *planes_[static_cast<std::size_t>(axis)]; }
  VolumeView& volume() const { return *volume_; }
  /// Returns the voxel that the planes go through: ix, iy, iz.
  const std::array<int, 3>& voxel() const { return voxel_; }
  void setVoxel(const std::array<int, 3>& voxel);
  /// Returns the slices that the worker must deliver; none while the board is hidden.
  std::vector<ViewRequest::Slice> slicesWanted() const;
  /// Returns the time of the latest frame, summed over all views, ms.
  double paintMs() const;

 signals:
  void requestChanged();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void connectPlane(Axis axis);
  int indexOf(Axis axis) const;
  bool looksAtFile() const;
  void adoptFile();
  std::shared_ptr<const SliceImage> imageOf(Axis axis) const;
  int subject() const;
  void adoptData();
  void setGrid(const VolumeGrid& grid);
  void refresh();
  void refreshVolume();
  void showVolume(std::shared_ptr<const std::vector<float>> values);
  void showCross();

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  ViewState& state_;
  Playhead& playhead_;
  const SliceBoard& slices_;
  VolumeLook& look_;
  int run_ = -1;
  std::shared_ptr<const LoadedVolume>
      file_;  // the whole volume of the source, once it has been read
  VolumeGrid grid_;
  std::array<int, 3> voxel_{};
  std::array<SliceView*, 3> planes_;  // by Axis
  VolumeView* volume_;
  QTimer volumeTimer_;
};

}  // namespace gantry
