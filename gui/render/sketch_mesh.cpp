#include "gui/render/sketch_mesh.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

#include <cmath>

namespace gantry {

namespace {

/// Collects cells of one kind, each with a colour.
class MeshBuilder {
 public:
  MeshBuilder() {
    colours_->SetNumberOfComponents(4);
    colours_->SetName("colour");
  }

  void cell(const std::vector<Vec3>& points, Rgb colour, double opacity) {
    cells_->InsertNextCell(static_cast<vtkIdType>(points.size()));
    for (const Vec3& p : points) cells_->InsertCellPoint(points_->InsertNextPoint(p.x, p.y, p.z));
    const auto alpha = static_cast<unsigned char>(std::lround(255 * opacity));
    const unsigned char rgba[4] = {colour.r, colour.g, colour.b, alpha};
    colours_->InsertNextTypedTuple(rgba);
  }

  vtkSmartPointer<vtkPolyData> mesh(bool lines) const {
    auto data = vtkSmartPointer<vtkPolyData>::New();
    data->SetPoints(points_);
    if (lines)
      data->SetLines(cells_);
    else
      data->SetPolys(cells_);
    data->GetCellData()->SetScalars(colours_);
    return data;
  }

 private:
  vtkNew<vtkPoints> points_;
  vtkNew<vtkCellArray> cells_;
  vtkNew<vtkUnsignedCharArray> colours_;
};

/// Returns two unit vectors that complete `along` to a right-handed frame.
std::pair<Vec3, Vec3> across(Vec3 along) {
  const Vec3 helper = std::abs(along.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
  const Vec3 a = normalized(cross(along, helper));
  return {a, cross(along, a)};
}

void addHead(MeshBuilder& builder, const Sketch::ArrowHead& head) {
  constexpr int sides = 14;
  const std::pair<Vec3, Vec3> sides_of = across(head.direction);
  const Vec3 a = sides_of.first, b = sides_of.second;
  const Vec3 base = head.tip - head.length * head.direction;
  const double radius = 0.36 * head.length;
  const auto rim = [&](int i) {
    const double t = 2 * pi * i / sides;
    return base + radius * std::cos(t) * a + radius * std::sin(t) * b;
  };
  for (int i = 0; i < sides; ++i) {
    // Facets differ in brightness around the axis, so that a cone looks like a cone without
    // lighting.
    builder.cell({head.tip, rim(i), rim(i + 1)},
                 mix(head.colour, rgb(0x000000), 0.10 + 0.10 * std::cos(2 * pi * i / sides)), 1);
    builder.cell({base, rim(i + 1), rim(i)}, mix(head.colour, rgb(0x000000), 0.35), 1);
  }
}

void addBall(MeshBuilder& builder, const Sketch::Ball& ball) {
  constexpr int rings = 10, sides = 18;
  const auto at = [&](int ring, int side) {
    const double e = pi * ring / rings, t = 2 * pi * side / sides;
    return ball.centre +
           ball.radius * Vec3{std::sin(e) * std::cos(t), std::sin(e) * std::sin(t), std::cos(e)};
  };
  for (int ring = 0; ring < rings; ++ring)
    for (int side = 0; side < sides; ++side)
      builder.cell({at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1)},
                   mix(ball.colour, rgb(0x000000), 0.35 * ring / rings), 1);
}

}  // namespace

vtkSmartPointer<vtkPolyData> lineMesh(const Sketch& sketch, bool bold) {
  MeshBuilder builder;
  for (const Sketch::Line& line : sketch.lines)
    if (line.bold == bold) builder.cell(line.points, line.colour, line.opacity);
  return builder.mesh(true);
}

vtkSmartPointer<vtkPolyData> faceMesh(const Sketch& sketch) {
  MeshBuilder builder;
  for (const Sketch::Face& face : sketch.faces)
    builder.cell(face.corners, face.colour, face.opacity);
  return builder.mesh(false);
}

vtkSmartPointer<vtkPolyData> solidMesh(const Sketch& sketch) {
  MeshBuilder builder;
  for (const Sketch::ArrowHead& head : sketch.heads) addHead(builder, head);
  for (const Sketch::Ball& ball : sketch.balls) addBall(builder, ball);
  return builder.mesh(false);
}

}  // namespace gantry
