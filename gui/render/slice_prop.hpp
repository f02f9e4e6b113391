#pragma once

#include "core/data/slice.hpp"
#include "gui/render/colour_map.hpp"

#include <vtkProp.h>

#include <memory>

namespace gantry {

/// Draws a slice as one textured rectangle. The values are copied to the graphics card unchanged; a
/// shader applies window, level and colours to each pixel, so that changing them costs only a
/// repaint.
class SliceProp : public vtkProp {
 public:
  /// Maps device pixels, from the bottom left corner of the window, to texture coordinates: s =
  /// s_scale x + s_offset, and t = t_scale y + t_offset.
  struct Placement {
    double s_scale = 0, s_offset = 0, t_scale = 0, t_offset = 0;
  };

  static SliceProp* New();
  vtkTypeMacro(SliceProp, vtkProp)

      /// Sets the slice; null shows nothing. The values are copied to the graphics card with the
      /// next frame, not here.
      void setImage(std::shared_ptr<const SliceImage> image);
  void setMapping(double window, double level, ColourMap map);
  void setInterpolated(bool interpolated);
  bool interpolated() const { return interpolated_; }
  void setPlacement(const Placement& placement) { placement_ = placement; }

  /// Number of times that a slice was copied to the graphics card (uploads), and that memory was
  /// allocated there for a slice (allocations).
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
