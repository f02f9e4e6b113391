#pragma once

#include "core/data/slice.hpp"
#include "core/job/experiment_data.hpp"
#include "core/physics/units.hpp"
#include "gui/render/slice_camera.hpp"
#include "gui/render/slice_scene.hpp"

#include <QObject>
#include <QString>

#include <optional>

namespace gantry {

/// The state that linked views have in common: plane, slice, camera, window, profile and cursor. A
/// view changes the state by a setter; every linked view follows the signal. Window and level are
/// in 1/mm.
class ViewState : public QObject {
  Q_OBJECT
 public:
  explicit ViewState(QObject* parent = nullptr) : QObject(parent) {}

  Axis axis() const { return axis_; }
  int slice() const { return slice_; }
  const std::optional<SliceCamera>& camera() const { return camera_; }  ///< none: the whole slice
  double window() const { return window_; }
  double level() const { return level_; }
  bool windowIsAutomatic() const { return automatic_; }
  double differenceWindow() const { return differenceWindow_; }
  bool inHu() const { return hu_ && knowsWater(); }
  double muWater() const { return muWater_; }
  const std::optional<LineSegment>& profile() const { return profile_; }
  const std::optional<PointMm>& cursor() const { return cursor_; }
  DrawMode drawMode() const { return drawMode_; }
  bool profileMode() const { return drawMode_ == DrawMode::profile; }
  NewRegion drawShape() const { return drawShape_; }
  Interpolation interpolation() const { return interpolation_; }
  /// The point that the planes of the volume of a file go through, mm; none: the middle.
  const std::optional<Vec3>& volumePoint() const { return volumePoint_; }
  /// Whether the size of the cells that measured is known; else lengths are in cells.
  bool lengthsAreKnown() const { return lengthsAreKnown_; }
  /// Returns "mm", or "cells" where no size is known.
  QString lengthUnit() const;
  /// Returns "1/mm", or "1/cell" where no size is known.
  QString muUnit() const;
  /// Returns what window and level make black and white, for a caption: "; grey from 0 to 0.04
  /// 1/mm (-1000 to 1000 HU, water 0.02 1/mm)".
  QString greyText() const;
  /// Returns the unit that the user has chosen for values: "HU", or muUnit(); a value in it; and a
  /// difference of two values in it, as a deviation and a window are.
  QString valueUnit() const { return inHu() ? tr("HU") : muUnit(); }
  double shownValue(double mu) const { return inHu() ? hu_from_mu(mu, muWater_) : mu; }
  double shownDifference(double mu) const { return inHu() ? 1000 * mu / muWater_ : mu; }
  /// Returns a length or a position, "12.5 mm", with digits that tell a tenth of a voxel.
  QString lengthText(double mm) const;
  /// Returns how many decimals such a length has.
  int lengthDecimals() const { return lengthDecimals_; }
  /// Whether values can be said in HU: where no length is known, only water that was measured
  /// gives their scale.
  bool knowsWater() const;
  /// Returns a value in 1/mm and, where water is known, in HU, "μ 0.01923 1/mm (-38 HU), water
  /// 0.02".
  QString textOf(double mu) const;

  void setPlane(Axis axis, int slice);
  void setSlice(int slice) { setPlane(axis_, slice); }
  void setCamera(const std::optional<SliceCamera>& camera);
  /// Sets a window chosen by the user, which no longer follows the data.
  void setWindowLevel(double window, double level);
  /// Sets a window computed from the data, which the window continues to follow.
  void setAutomaticWindow(double window, double level);
  void followData();
  void setDifferenceWindow(double window);
  void setHu(bool on);
  void setMuWater(double mu_water);
  void setLengthsAreKnown(bool known);
  /// Sets the smallest side of a voxel, mm, after which lengths are rounded.
  void setVoxel(double side_mm);
  void setProfile(const std::optional<LineSegment>& profile);
  /// Sets what a left drag draws.
  void setDrawMode(DrawMode mode);
  void setProfileMode(bool on) { setDrawMode(on ? DrawMode::profile : DrawMode::none); }
  void setDrawShape(NewRegion shape);
  void setCursor(const std::optional<PointMm>& cursor);
  void setInterpolation(Interpolation interpolation);
  void setVolumePoint(const std::optional<Vec3>& point) { volumePoint_ = point; }

 signals:
  void planeChanged();
  void cameraChanged();
  void windowChanged();
  void unitChanged();
  void profileChanged();
  void drawModeChanged();
  void cursorChanged();
  void interpolationChanged();

 private:
  Axis axis_ = Axis::axial;
  int slice_ = 0;
  std::optional<SliceCamera> camera_;
  double window_ = 0.04, level_ = 0.02, differenceWindow_ = 0.01;
  int lengthDecimals_ = 1;
  bool automatic_ = true, hu_ = false, lengthsAreKnown_ = true;
  DrawMode drawMode_ = DrawMode::none;
  NewRegion drawShape_ = NewRegion::circle;
  double muWater_ = default_mu_water;
  std::optional<LineSegment> profile_;
  std::optional<PointMm> cursor_;
  std::optional<Vec3> volumePoint_;
  Interpolation interpolation_ = Interpolation::nearest;
};

/// Returns the window and level that show the middle `share` of an image's values (0.98: from the
/// 1st to the 99th percentile), with a margin of 5 %. Where these percentiles agree, all values are
/// shown. A constant image becomes mid-grey: its window is as wide as the magnitude of its value.
struct WindowLevel {
  double window, level;
};
WindowLevel automatic_window(const std::vector<float>& values, double share = 0.98);
/// Returns the same for a picture, wide enough for small objects in it. A metal ball or a tooth may
/// fill less than a hundredth of a picture, so that percentiles leave it out, and wider percentiles
/// let in noise instead. What tells an object from noise is that it is connected: the window
/// reaches up to the brightest value that a square of 3 x 3 pixels has throughout, and down to the
/// darkest one. Noise of single pixels and hot pixels fill no such square. The middle 98 % keep a
/// quarter of the grey scale above, and half of it below, so that metal leaves tissue visible;
/// what is brighter still is then the only white in the picture.
WindowLevel automatic_window(const SliceImage& image);

}  // namespace gantry
