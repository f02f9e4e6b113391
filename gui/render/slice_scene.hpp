#pragma once

#include "gui/render/scene.hpp"
#include "gui/render/slice_decoration.hpp"

#include <vtkSmartPointer.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

class OverlayProp;
class SliceProp;

enum class Interpolation { nearest, linear };

/// What a point of a slice view touches of the profile line.
enum class ProfilePart { none, start, end, body };

/// One slice, at the right shape whatever its pixels', with everything a reader needs to judge it.
class SliceScene : public Scene {
 public:
  SliceScene();
  ~SliceScene() override;

  /// Shows `image`; none clears the view. The picture stays where it is, unless it has never been
  /// moved (see fit).
  void setImage(std::shared_ptr<const SliceImage> image);
  const std::shared_ptr<const SliceImage>& image() const { return image_; }

  /// Values from level - window/2 (first colour) to level + window/2 (last colour). window must be
  /// positive.
  void setWindowLevel(double window, double level);
  double window() const { return window_; }
  /// 0 while the diverging map is shown: its white means zero and nothing else.
  double level() const { return map_ == ColourMap::diverging ? 0.0 : level_; }
  void setColourMap(ColourMap map);
  ColourMap colourMap() const { return map_; }
  void setColourBar(bool shown, const std::string& unit);
  void setInterpolation(Interpolation interpolation);

  void setView(const SliceCamera& camera);
  SliceCamera view() const { return transform_.camera; }
  /// Shows all of the slice, and goes on doing so when the view or the slice changes its size,
  /// until setView.
  void fit();
  bool fitted() const { return fitted_; }
  /// False draws +v downwards, as radiology does for axial slices.
  void setVUp(bool up);
  bool vUp() const { return transform_.v_up; }

  void setEdgeLetters(const EdgeLetters& letters);
  void setScaleBar(bool shown);
  void setTitle(const std::string& title, std::optional<Rgb> frame = std::nullopt);
  void setStatus(const std::string& status);
  void setNotice(const std::string& notice);
  void setProfile(std::optional<LineSegment> profile);
  std::optional<LineSegment> profile() const { return decoration_.profile; }
  void setRegions(std::vector<RegionMark> regions);
  const std::vector<RegionMark>& regions() const { return decoration_.regions; }
  void setEdge(std::optional<LineSegment> edge);
  void setCursor(std::optional<PointMm> cursor);

  PointMm displayToWorld(double x_px, double y_px) const { return transform_.toWorld(x_px, y_px); }
  PointPx worldToDisplay(double u_mm, double v_mm) const {
    return transform_.toDisplay(u_mm, v_mm);
  }
  /// The part of the view that shows the slice.
  RectPx pictureRect() const { return layout_.picture; }
  /// Where the slice itself is, which may reach beyond the view; empty without one.
  RectPx sliceRect() const;
  std::optional<ScaleBar> scaleBar() const;
  const SliceLayout& layout() const { return layout_; }
  ProfilePart profilePartAt(double x_px, double y_px) const;

  const SliceProp& picture() const;

  void prepare() override;

 protected:
  void onResize() override;

 private:
  void layOut();
  void placePicture();

  std::shared_ptr<const SliceImage> image_;
  double window_ = 1, level_ = 0.5;
  ColourMap map_ = ColourMap::grey;
  bool fitted_ = true;
  SliceDecoration decoration_;
  SliceLayout layout_;
  SliceTransform transform_;
  vtkSmartPointer<SliceProp> picture_;
  vtkSmartPointer<OverlayProp> overlay_;
};

}  // namespace gantry
