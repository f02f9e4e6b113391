#pragma once

#include "core/data/slice.hpp"
#include "gui/render/colour_map.hpp"

#include <vtkProp.h>

#include <memory>

namespace gantry {

/// Draws a slice as one textured rectangle. The values go to the graphics card as they are; window,
/// level and colours are applied there, pixel by pixel, so that changing them costs a repaint and
/// nothing else.
class SliceProp : public vtkProp {
 public:
  /// Where texture coordinates lie on the screen: s = s_scale x + s_offset, t alike, x and y in
  /// device pixels from the bottom left corner of the window.
  struct Placement {
    double s_scale = 0, s_offset = 0, t_scale = 0, t_offset = 0;
  };

  static SliceProp* New();
  vtkTypeMacro(SliceProp, vtkProp)

      /// None shows nothing. Nothing is copied here; the values travel with the next frame.
      void setImage(std::shared_ptr<const SliceImage> image);
  void setMapping(double window, double level, ColourMap map);
  void setInterpolated(bool interpolated);
  void setPlacement(const Placement& placement) { placement_ = placement; }

  /// How often the picture travelled to the graphics card, and how often memory was set aside for
  /// it there.
  int uploads() const { return uploads_; }
  int allocations() const { return allocations_; }

  int RenderOpaqueGeometry(vtkViewport* viewport) override;
  void ReleaseGraphicsResources(vtkWindow* window) override;

 protected:
  SliceProp();
  ~SliceProp() override;

 private:
  struct Gl;
  int samplesPerPixel() const;
  void upload();

  std::unique_ptr<Gl> gl_;
  std::shared_ptr<const SliceImage> image_;
  Placement placement_;
  double window_ = 1, level_ = 0.5;
  ColourMap map_ = ColourMap::grey;
  bool interpolated_ = true;
  bool image_changed_ = true, map_changed_ = true, filter_changed_ = true;
  int uploads_ = 0, allocations_ = 0;
};

}  // namespace gantry
