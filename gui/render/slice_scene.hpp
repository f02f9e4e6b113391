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

/// The part of the profile line that a point of a slice view touches.
enum class ProfilePart { none, start, end, body };

/// One slice, with correct proportions for any pixel size, and with its decorations: letters, scale
/// bar, colour bar, regions and lines.
class SliceScene : public Scene {
 public:
  SliceScene();
  ~SliceScene() override;

  /// Shows `image`; null clears the view. The visible part of the plane stays, unless the view is
  /// fitted (fit()) and the new slice has another axis, size or position.
  void setImage(std::shared_ptr<const SliceImage> image);
  const std::shared_ptr<const SliceImage>& image() const { return image_; }

  /// Sets the mapping of values to colours: level - window/2 is the first colour, level + window/2
  /// the last. Does nothing unless window is positive and both are finite.
  void setWindowLevel(double window, double level);
  double window() const { return window_; }
  /// Returns the level; 0 while the diverging map is shown, whose white always means zero.
  double level() const { return map_ == ColourMap::diverging ? 0.0 : level_; }
  void setColourMap(ColourMap map);
  ColourMap colourMap() const { return map_; }
  void setColourBar(bool shown, const std::string& unit);
  void setInterpolation(Interpolation interpolation);

  void setView(const SliceCamera& camera);
  SliceCamera view() const { return transform_.camera; }
  /// Sets the part of the plane that fit() shows, mm; none: the whole slice.
  void setObject(const std::optional<ObjectBox>& object);
  /// Shows the object, also after view or slice change their size, until setView is called.
  void fit();
  bool fitted() const { return fitted_; }
  /// Sets the direction of +v; false draws +v downwards, as radiology does for axial slices.
  void setVUp(bool up);
  bool vUp() const { return transform_.v_up; }

  void setEdgeLetters(const EdgeLetters& letters);
  void setScaleBar(bool shown);
  void setLengthsAreKnown(bool known);
  bool lengthsAreKnown() const { return decoration_.lengths_are_known; }
  /// Sets the title, the colour of the run, if it is one, and shorter forms of the title, of which
  /// the header shows the first that it has room for.
  void setTitle(const std::string& title, std::optional<Rgb> colour = std::nullopt,
                std::vector<std::string> shorter = {});
  const std::string& title() const { return decoration_.title; }
  void setSelected(bool selected);
  bool isSelected() const { return decoration_.selected; }
  /// `brief` stands in the header where the status does not fit; without one, the status then
  /// stands in a line below.
  void setStatus(const std::string& status, const std::string& brief = {});
  const std::string& status() const { return decoration_.status; }
  void setNotice(const std::string& notice);
  const std::string& notice() const { return decoration_.notice; }
  void setProfile(std::optional<LineSegment> profile);
  std::optional<LineSegment> profile() const { return decoration_.profile; }
  void setRegions(std::vector<RegionMark> regions);
  const std::vector<RegionMark>& regions() const { return decoration_.regions; }
  void setEdge(std::optional<LineSegment> edge);
  void setRulers(std::vector<RulerMark> rulers);
  const std::vector<RulerMark>& rulers() const { return decoration_.rulers; }
  void setDivider(std::optional<Divider> divider);
  const std::optional<Divider>& divider() const { return decoration_.divider; }
  /// Returns whether the mouse at this pixel takes hold of the divider.
  bool isOnDivider(double x_px) const;
  void setCursor(std::optional<PointMm> cursor);
  const std::optional<PointMm>& cursor() const { return decoration_.cursor; }
  void setCrossHair(std::optional<CrossHair> cross_hair);
  const std::optional<CrossHair>& crossHair() const { return decoration_.cross_hair; }
  void setTrace(const std::optional<PlaneTrace>& trace) { decoration_.trace = trace; }

  PointMm displayToWorld(double x_px, double y_px) const { return transform_.toWorld(x_px, y_px); }
  PointPx worldToDisplay(double u_mm, double v_mm) const {
    return transform_.toDisplay(u_mm, v_mm);
  }
  /// Returns the part of the view that shows the slice.
  RectPx pictureRect() const { return layout_.picture; }
  /// Returns the rectangle of the slice, which may reach beyond the view; empty without a slice.
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
  RectPx rectOf(const ObjectBox& box) const;
  void placePicture();

  std::shared_ptr<const SliceImage> image_;
  double window_ = 1, level_ = 0.5;
  ColourMap map_ = ColourMap::grey;
  bool fitted_ = true;
  std::optional<ObjectBox> object_;
  SliceDecoration decoration_;
  SliceLayout layout_;
  SliceTransform transform_;
  vtkSmartPointer<SliceProp> picture_;
  vtkSmartPointer<OverlayProp> overlay_;
};

}  // namespace gantry
