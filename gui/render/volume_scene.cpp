#include "gui/render/volume_scene.hpp"

#include "gui/render/overlay_prop.hpp"

#include <vtkColorTransferFunction.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPointData.h>
#include <vtkRenderer.h>
#include <vtkSmartVolumeMapper.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double first_azimuth_deg = 30, first_elevation_deg = 18;
constexpr double text_size = 12, margin_px = 10;

}  // namespace

std::pair<VolumeGrid, std::vector<float>> averaged(const VolumeGrid& grid,
                                                   const std::vector<float>& values, int n) {
  const auto blocks = [n](int size) { return (size + n - 1) / n; };
  VolumeGrid coarse = grid;
  coarse.nx = blocks(grid.nx);
  coarse.ny = blocks(grid.ny);
  coarse.nz = blocks(grid.nz);
  const double shift = 0.5 * (n - 1);  // from the first voxel of a block to its centre
  coarse.origin_mm = grid.voxel_center_mm(shift, shift, shift);
  coarse.spacing_mm = static_cast<double>(n) * grid.spacing_mm;
  std::vector<float> sums(coarse.voxels()), counts(coarse.voxels());
  for (int iz = 0; iz < grid.nz; ++iz)
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) {
        const std::size_t to = coarse.index(ix / n, iy / n, iz / n);
        sums[to] += values[grid.index(ix, iy, iz)];
        counts[to] += 1;
      }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i];
  return {coarse, std::move(sums)};
}

VolumeScene::VolumeScene(std::size_t most_voxels)
    : most_voxels_(most_voxels),
      camera_(first_azimuth_deg, first_elevation_deg),
      image_(vtkSmartPointer<vtkImageData>::New()),
      mapper_(vtkSmartPointer<vtkSmartVolumeMapper>::New()),
      volume_(vtkSmartPointer<vtkVolume>::New()),
      colour_(vtkSmartPointer<vtkColorTransferFunction>::New()),
      opacity_(vtkSmartPointer<vtkPiecewiseFunction>::New()),
      labels_(vtkSmartPointer<OverlayProp>::New()) {
  mapper_->SetInputData(image_);
  volume_->SetMapper(mapper_);
  vtkVolumeProperty* property = volume_->GetProperty();
  property->SetColor(colour_);
  property->SetScalarOpacity(opacity_);
  property->SetInterpolationTypeToLinear();
  property->SetAmbient(0.25);
  property->SetDiffuse(0.75);
  property->SetSpecular(0.15);
  labels_->setDraw([this](Painter& painter) {
    std::string text = title_;
    if (reduction_ > 1)
      text += "  (averaged over " + std::to_string(reduction_) + " x " +
              std::to_string(reduction_) + " x " + std::to_string(reduction_) + " voxels)";
    painter.text(margin_px, margin_px, text, {rgb(0xFFFFFF), text_size, true, rgb(0x000000)},
                 AlignX::left, AlignY::top);
  });
  renderer()->AddVolume(volume_);
  renderer()->AddViewProp(labels_);
  volume_->VisibilityOff();
  applyTransfer();
}

VolumeScene::~VolumeScene() {
  detach();
  labels_->setDraw(nullptr);
}

void VolumeScene::setVolume(const VolumeGrid& grid,
                            std::shared_ptr<const std::vector<float>> values) {
  if (values == values_ && grid == grid_) return;
  grid_ = grid;
  values_ = std::move(values);
  volume_->SetVisibility(values_ != nullptr);
  if (values_ == nullptr) return;
  reduction_ = 1;
  while (grid.voxels() / static_cast<std::size_t>(reduction_ * reduction_ * reduction_) >
         most_voxels_)
    ++reduction_;
  auto [shown, kept] =
      reduction_ > 1 ? averaged(grid, *values_, reduction_) : std::pair(grid, std::vector<float>());
  const std::vector<float>& drawn = reduction_ > 1 ? kept : *values_;
  image_->SetDimensions(shown.nx, shown.ny, shown.nz);
  image_->SetSpacing(shown.spacing_mm.x, shown.spacing_mm.y, shown.spacing_mm.z);
  image_->SetOrigin(shown.origin_mm.x, shown.origin_mm.y, shown.origin_mm.z);
  vtkNew<vtkFloatArray> array;
  array->SetNumberOfValues(static_cast<vtkIdType>(drawn.size()));
  std::ranges::copy(drawn, array->GetPointer(0));
  image_->GetPointData()->SetScalars(array);
  image_->Modified();
}

void VolumeScene::setWindowLevel(double window, double level) {
  if (!(window > 0) || !std::isfinite(window) || !std::isfinite(level)) return;
  window_ = window;
  level_ = level;
  applyTransfer();
}

void VolumeScene::setMode(VolumeMode mode) {
  mode_ = mode;
  applyTransfer();
}

/// Sets colours and opacities: over the window for shaded volumes and maxima, at the level for a
/// surface.
void VolumeScene::applyTransfer() {
  const double low = level_ - window_ / 2, high = level_ + window_ / 2;
  colour_->RemoveAllPoints();
  opacity_->RemoveAllPoints();
  const bool is_maximum = mode_ == VolumeMode::maximum;
  mapper_->SetBlendMode(is_maximum ? vtkVolumeMapper::MAXIMUM_INTENSITY_BLEND
                                   : vtkVolumeMapper::COMPOSITE_BLEND);
  volume_->GetProperty()->SetShade(!is_maximum);
  if (is_maximum) {
    colour_->AddRGBPoint(low, 0, 0, 0);
    colour_->AddRGBPoint(high, 1, 1, 1);
    opacity_->AddPoint(low, 1);
    return;
  }
  colour_->AddRGBPoint(low, 0.55, 0.42, 0.33);
  colour_->AddRGBPoint(level_, 0.80, 0.70, 0.58);
  colour_->AddRGBPoint(high, 1, 0.97, 0.90);
  if (mode_ == VolumeMode::surface) {
    opacity_->AddPoint(level_ - 0.02 * window_, 0);
    opacity_->AddPoint(level_ + 0.02 * window_, 1);
    return;
  }
  opacity_->AddPoint(low + 0.1 * window_, 0);
  opacity_->AddPoint(level_, 0.12);
  opacity_->AddPoint(high, 0.75);
}

void VolumeScene::placeCamera() {
  const Vec3 centre = grid_.center_mm();
  const double radius = std::max(norm(grid_.upper_corner_mm() - centre), 1e-6);
  camera_.place(*renderer()->GetActiveCamera(), centre, OrbitCamera::distance_for(radius),
                1.1 * radius);
}

void VolumeScene::prepare() {
  labels_->setScale(scale());
  placeCamera();
}

}  // namespace gantry
