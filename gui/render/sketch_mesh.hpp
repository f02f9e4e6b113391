#pragma once

#include "gui/render/geometry_sketch.hpp"

#include <vtkSmartPointer.h>

class vtkPolyData;

namespace gantry {

/// Returns the bold or the thin lines of a sketch with their colours; both are drawn with different
/// widths.
vtkSmartPointer<vtkPolyData> lineMesh(const Sketch& sketch, bool bold);
/// Returns the translucent faces of a sketch.
vtkSmartPointer<vtkPolyData> faceMesh(const Sketch& sketch);
/// Returns the arrow heads and balls of a sketch.
vtkSmartPointer<vtkPolyData> solidMesh(const Sketch& sketch);

}  // namespace gantry
