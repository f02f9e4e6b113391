#pragma once

#include "core/data/slice.hpp"
#include "gui/render/slice_camera.hpp"

#include <QWidget>

#include <array>
#include <optional>
#include <utility>

namespace gantry {

class IndexSlider;
class SliceView;
class ViewState;
class VolumeLook;

/// The volume of a file in its axial, coronal and sagittal plane through one voxel, with a
/// cross-hair in the colours of the planes. Axial slices can be looked through before the rest of
/// the file has been read.
class VolumePlanes : public QWidget {
  Q_OBJECT
 public:
  VolumePlanes(VolumeLook& look, ViewState& state, QWidget* parent = nullptr);

  SliceView& plane(Axis axis) const { return *planes_[static_cast<std::size_t>(axis)]; }
  /// Returns the voxel that the planes go through: ix, iy, iz.
  const std::array<int, 3>& voxel() const { return voxel_; }
  void setVoxel(const std::array<int, 3>& voxel);
  /// Goes to a point, mm, once a volume has been read; without a point, to the middle. Serves to
  /// return to the former volume if another file could not be read.
  void returnTo(const std::optional<Vec3>& point) { returnTo_ = point; }
  /// Sets whether the prepared data belong to something else than this volume.
  void setStandsAlone(bool alone) { standsAlone_ = alone; }

 signals:
  void readoutChanged(const QString& text);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void connectPlane(Axis axis);
  void fill(QWidget* alone);
  void adopt();
  void refresh();
  void showPlane(Axis axis);
  void setWindow();
  void moveTo(Axis axis, const PointMm& at);
  void readOut();
  void place(const std::array<int, 3>& voxel);
  int indexOf(Axis axis) const;

  VolumeLook& look_;
  ViewState& state_;
  std::array<int, 3> voxel_{}, size_{};
  std::array<SliceView*, 3> planes_;                 // by Axis
  std::array<IndexSlider*, 3> choices_;              // by Axis
  QWidget* alone_ = nullptr;                         // fills the board; null: all are shown
  std::optional<std::pair<Axis, PointMm>> pointed_;  // where the mouse is
  std::optional<Vec3> returnTo_;
  bool standsAlone_ = false;
  bool windowIsSet_ = false;  // for this volume
};

}  // namespace gantry
