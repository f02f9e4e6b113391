#include "gui/render/geometry_scene.hpp"

#include "gui/render/overlay_prop.hpp"
#include "gui/render/sketch_mesh.hpp"

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double default_azimuth_deg = 38, default_elevation_deg = 28;

vtkSmartPointer<vtkActor> flatActor() {
  auto actor = vtkSmartPointer<vtkActor>::New();
  auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
  mapper->SetInputData(vtkSmartPointer<vtkPolyData>::New());
  actor->SetMapper(mapper);
  actor->GetProperty()->LightingOff();  // colours have a meaning; lighting would change them
  return actor;
}

void setMesh(vtkActor& actor, vtkPolyData* mesh) {
  vtkPolyDataMapper::SafeDownCast(actor.GetMapper())->SetInputData(mesh);
  actor.SetVisibility(mesh->GetNumberOfCells() > 0);
}

}  // namespace

GeometryScene::GeometryScene()
    : camera_(default_azimuth_deg, default_elevation_deg),
      thin_(flatActor()),
      bold_(flatActor()),
      solid_(flatActor()),
      faces_(flatActor()),
      labels_(vtkSmartPointer<OverlayProp>::New()) {
  labels_->setDraw([this](Painter& painter) { drawLabels(painter); });
  for (vtkActor* actor : {solid_.Get(), thin_.Get(), bold_.Get(), faces_.Get()})
    renderer()->AddActor(actor);
  addOverlay(*labels_);
  faces_->ForceTranslucentOn();
}

GeometryScene::~GeometryScene() {
  detach();
  labels_->setDraw(nullptr);
}

void GeometryScene::setGeometry(std::shared_ptr<const ScanGeometry> geometry,
                                const VolumeGrid& grid) {
  geometry_ = std::move(geometry);
  grid_ = grid;
  view_ = geometry_ ? std::clamp(view_, 0, geometry_->views() - 1) : 0;
  if (geometry_) bounds_ = sketchBounds(*geometry_, grid_);
  stale_ = true;
}

void GeometryScene::setView(int index) {
  const int last = geometry_ ? geometry_->views() - 1 : 0;
  const int next = std::clamp(index, 0, last);
  stale_ = stale_ || next != view_;
  view_ = next;
}

void GeometryScene::rebuild() {
  sketch_ = geometry_ ? sketchScan(*geometry_, grid_, view_, theme()) : Sketch{};
  setMesh(*thin_, lineMesh(sketch_, false));
  setMesh(*bold_, lineMesh(sketch_, true));
  setMesh(*solid_, solidMesh(sketch_));
  setMesh(*faces_, faceMesh(sketch_));
  stale_ = false;
}

/// Returns the distance, mm, at which the camera in its default direction just sees the scan at all
/// its views. Rotating the camera does not change the distance, so that the size of the picture
/// does not change during a drag.
double GeometryScene::fittingDistance() {
  double distance = OrbitCamera::distance_for(bounds_.reach());
  // Labels are drawn outside the bounds.
  const double margin_px = std::min(26.0, 0.1 * std::min(widthPx(), heightPx()));
  const PointPx middle{widthPx() / 2, heightPx() / 2};
  for (int round = 0; round < 6; ++round) {
    camera_.place_first(*renderer()->GetActiveCamera(), bounds_.centre(), distance, depth());
    double fill = 0;
    for (int i = 0; i < 48; ++i)
      for (const double z : {bounds_.low_z, bounds_.high_z}) {
        const double t = 2 * pi * i / 48;
        const PointPx p =
            worldToDisplay({bounds_.radius * std::cos(t), bounds_.radius * std::sin(t), z});
        fill = std::max({fill, std::abs(p.x - middle.x) / std::max(middle.x - margin_px, 1.0),
                         std::abs(p.y - middle.y) / std::max(middle.y - margin_px, 1.0)});
      }
    distance *= fill;
  }
  return distance;
}

void GeometryScene::placeCamera() {
  const double distance = fittingDistance();  // moves the camera
  camera_.place(*renderer()->GetActiveCamera(), bounds_.centre(), distance, depth());
}

PointPx GeometryScene::worldToDisplay(Vec3 p) const {
  return OrbitCamera::to_display(*renderer()->GetActiveCamera(), p, widthPx(), heightPx());
}

void GeometryScene::drawLabels(Painter& painter) const {
  if (!geometry_) {
    const TextStyle style{theme().muted, 12};
    painter.text(widthPx() / 2, heightPx() / 2, painter.elided(hint_, style, widthPx() - 12), style,
                 AlignX::centre, AlignY::middle);
    return;
  }
  if (widthPx() < 120 || heightPx() < 90) return;
  std::vector<RectPx> taken;
  for (const Sketch::Label& label : sketch_.labels) {
    const TextStyle style{label.colour, 12, true, theme().background};
    PointPx at = worldToDisplay(label.at);
    const PointPx other = worldToDisplay(label.away_from);
    const double apart = std::max(std::hypot(at.x - other.x, at.y - other.y), 1e-6);
    constexpr double step_px = 12;
    at = {at.x + step_px * (at.x - other.x) / apart, at.y + step_px * (at.y - other.y) / apart};
    const SizePx size = painter.measure(label.text, style);
    // A label that would cover another label is shifted; it is left out where no shift helps.
    for (const auto& [dx, dy] :
         {std::pair{0.0, 0.0}, {13.0, 0.0}, {-13.0, 0.0}, {0.0, -14.0}, {0.0, 14.0}}) {
      const RectPx box{at.x + dx - size.width / 2, at.y + dy - size.height / 2, size.width,
                       size.height};
      if (std::ranges::any_of(taken, [&](const RectPx& used) { return used.overlaps(box); }))
        continue;
      taken.push_back(painter.text(box.x, box.y, label.text, style));
      break;
    }
  }
}

void GeometryScene::prepare() {
  if (stale_) rebuild();
  thin_->GetProperty()->SetLineWidth(static_cast<float>(1.2 * scale()));
  bold_->GetProperty()->SetLineWidth(static_cast<float>(2.0 * scale()));
  labels_->setScale(scale());
  placeCamera();
}

}  // namespace gantry
