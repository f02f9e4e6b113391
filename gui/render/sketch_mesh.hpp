#pragma once

#include "gui/render/geometry_sketch.hpp"

#include <vtkSmartPointer.h>

class vtkPolyData;

namespace gantry {

/// The lines of a sketch with their colours; bold and thin ones are drawn with different widths.
vtkSmartPointer<vtkPolyData> lineMesh(const Sketch& sketch, bool bold);
/// Its translucent faces.
vtkSmartPointer<vtkPolyData> faceMesh(const Sketch& sketch);
/// Its arrow heads and balls.
vtkSmartPointer<vtkPolyData> solidMesh(const Sketch& sketch);

}  // namespace gantry
