#include "gui/render/volume/volume_scene.hpp"

#include "gui/render/overlay_prop.hpp"

#include <vtkColorTransferFunction.h>
#include <vtkFixedPointVolumeRayCastMapper.h>
#include <vtkFloatArray.h>
#include <vtkGPUVolumeRayCastMapper.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPointData.h>
#include <vtkRenderer.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double first_azimuth_deg = 30, first_elevation_deg = 18;
constexpr double text_size = 12, margin_px = 10;
constexpr double handle_px = 6, handle_reach_px = 11;
constexpr double moving_ms = 25, still_ms = 80;  // that a picture may take
constexpr int first_moving_block = 3, coarsest_block = 8;
constexpr std::array<ClipFace, 6> faces = {
    {{0, false}, {0, true}, {1, false}, {1, true}, {2, false}, {2, true}}};

vtkSmartPointer<vtkVolumeMapper> mapperOf(RayCaster caster) {
  if (caster == RayCaster::processor) {
    const vtkNew<vtkFixedPointVolumeRayCastMapper> mapper;
    mapper->AutoAdjustSampleDistancesOff();
    mapper->IntermixIntersectingGeometryOff();
    return mapper.Get();
  }
  const vtkNew<vtkGPUVolumeRayCastMapper> mapper;
  mapper->AutoAdjustSampleDistancesOff();
  return mapper.Get();
}

/// Calls body with the mapper, whose two kinds have these functions of the same names in common but
/// no base class with them.
template <class Body>
void withMapper(vtkVolumeMapper* mapper, const Body& body) {
  if (auto* fixed = vtkFixedPointVolumeRayCastMapper::SafeDownCast(mapper)) return body(*fixed);
  body(*vtkGPUVolumeRayCastMapper::SafeDownCast(mapper));
}

}  // namespace

std::size_t VolumeScene::mostVoxels(RayCaster caster) {
  return caster == RayCaster::graphics_card ? std::size_t{512} * 512 * 512
                                            : std::size_t{128} * 128 * 64;
}

VolumeScene::VolumeScene(RayCaster caster)
    : caster_(caster),
      camera_(first_azimuth_deg, first_elevation_deg),
      image_(vtkSmartPointer<vtkImageData>::New()),
      mapper_(mapperOf(caster)),
      volume_(vtkSmartPointer<vtkVolume>::New()),
      colour_(vtkSmartPointer<vtkColorTransferFunction>::New()),
      opacity_(vtkSmartPointer<vtkPiecewiseFunction>::New()),
      labels_(vtkSmartPointer<OverlayProp>::New()) {
  mapper_->SetInputData(image_);
  mapper_->SetCroppingRegionFlagsToSubVolume();
  volume_->SetMapper(mapper_);
  vtkVolumeProperty* property = volume_->GetProperty();
  property->SetColor(colour_);
  property->SetScalarOpacity(opacity_);
  property->SetInterpolationTypeToLinear();
  property->SetAmbient(0.25);
  property->SetDiffuse(0.75);
  property->SetSpecular(0.15);
  labels_->setDraw([this](Painter& painter) { draw(painter); });
  renderer()->AddVolume(volume_);
  addOverlay(*labels_);
  volume_->VisibilityOff();
  applyTransfer();
}

VolumeScene::~VolumeScene() {
  detach();
  labels_->setDraw(nullptr);
}

void VolumeScene::setVolume(const ReducedVolume& volume) {
  if (volume.values == shown_.values && volume.grid == shown_.grid) return;
  volume_->SetVisibility(volume.values != nullptr);
  if (volume.values == nullptr) {  // the camera and a clip box stay for what comes next
    shown_.values.reset();
    shown_.block = {};
    return;
  }
  if (volume.whole != shown_.whole) {
    whole_ = ClipBox::around(volume.whole);
    setClip(std::nullopt);
  }
  const bool was_shown = shown_.values != nullptr;
  const ReducedVolume before = std::exchange(shown_, volume);  // whose values the image refers to
  const VolumeGrid& grid = shown_.grid;
  image_->SetDimensions(grid.nx, grid.ny, grid.nz);
  image_->SetSpacing(grid.spacing_mm.x, grid.spacing_mm.y, grid.spacing_mm.z);
  image_->SetOrigin(grid.origin_mm.x, grid.origin_mm.y, grid.origin_mm.z);
  const vtkNew<vtkFloatArray> array;
  // VTK's signature is not const, but mappers only read.
  array->SetArray(const_cast<float*>(shown_.values->data()),
                  static_cast<vtkIdType>(shown_.values->size()), 1);
  image_->GetPointData()->SetScalars(array);
  image_->Modified();
  const double step = std::min({grid.spacing_mm.x, grid.spacing_mm.y, grid.spacing_mm.z});
  withMapper(mapper_, [step](auto& mapper) { mapper.SetSampleDistance(static_cast<float>(step)); });
  volume_->GetProperty()->SetScalarOpacityUnitDistance(
      norm(shown_.whole.upper_corner_mm() - shown_.whole.lower_corner_mm()) / 250);
  fresh_ = true;
  if (!was_shown) ms_per_ray_ = 0;
}

bool VolumeScene::setWindowLevel(double window, double level) {
  if (!(window > 0) || !std::isfinite(window) || !std::isfinite(level)) return false;
  if (window == window_ && level == level_) return false;
  window_ = window;
  level_ = level;
  if (mode_ == VolumeMode::shaded && transfer_preset(preset_).in_hu) return false;
  applyTransfer();
  return true;
}

void VolumeScene::setMuWater(double mu_water) {
  if (!(mu_water > 0) || mu_water == mu_water_) return;
  mu_water_ = mu_water;
  applyTransfer();
}

void VolumeScene::setMode(VolumeMode mode) {
  mode_ = mode;
  applyTransfer();
}

void VolumeScene::setPreset(const std::string& key) {
  preset_ = key;
  applyTransfer();
}

/// Sets colours and opacities: those of the preset for shaded volumes, grey over the window for
/// maxima, a step at the level for a surface.
void VolumeScene::applyTransfer() {
  fresh_ = true;
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
  const TransferPreset& preset = transfer_preset(mode_ == VolumeMode::surface ? "window" : preset_);
  for (const TransferPreset::Stop& stop : preset.stops) {
    const double mu = preset.mu_of(stop, window_, level_, mu_water_);
    colour_->AddRGBPoint(mu, stop.colour.r / 255.0, stop.colour.g / 255.0, stop.colour.b / 255.0);
    if (mode_ == VolumeMode::shaded) opacity_->AddPoint(mu, stop.opacity);
  }
  if (mode_ != VolumeMode::surface) return;
  opacity_->AddPoint(level_ - 0.02 * window_, 0);
  opacity_->AddPoint(level_ + 0.02 * window_, 1);
}

void VolumeScene::setClip(const std::optional<ClipBox>& clip) {
  clip_ = clip == whole_ ? std::nullopt : clip;
  mapper_->SetCropping(clip_.has_value());
  if (clip_)
    mapper_->SetCroppingRegionPlanes(clip_->low[0], clip_->high[0], clip_->low[1], clip_->high[1],
                                     clip_->low[2], clip_->high[2]);
}

PointPx VolumeScene::toDisplay(Vec3 at) const {
  return OrbitCamera::to_display(*renderer()->GetActiveCamera(), at, widthPx(), heightPx());
}

PointPx VolumeScene::handleOf(const ClipFace& face) const {
  return toDisplay(middle_of(box(), face));
}

std::optional<ClipFace> VolumeScene::faceAt(double x_px, double y_px) const {
  if (!clip_shown_ || shown_.values == nullptr) return std::nullopt;
  std::optional<ClipFace> nearest;
  double least = handle_reach_px;
  for (const ClipFace& face : faces) {
    const PointPx at = handleOf(face);
    const double distance = std::hypot(at.x - x_px, at.y - y_px);
    if (distance > least) continue;
    least = distance;
    nearest = face;
  }
  return nearest;
}

double VolumeScene::faceMoveMm(const ClipFace& face, double dx_px, double dy_px) const {
  const Vec3 middle = middle_of(box(), face);
  const double reach_mm = 0.01 * norm(as_vector(whole_.high) - as_vector(whole_.low));
  std::array<double, 3> along{};
  along[face.axis] = reach_mm;
  const PointPx from = toDisplay(middle), to = toDisplay(middle + as_vector(along));
  const double x = to.x - from.x, y = to.y - from.y, square = x * x + y * y;
  // An axis that points at the viewer is seen as a point: a move does not tell how far.
  if (square < 0.01) return 0;
  return reach_mm * (dx_px * x + dy_px * y) / square;
}

std::string VolumeScene::label() const {
  std::string text = title_;
  const auto times = [](int n) { return std::to_string(n) + " x " + std::to_string(n); };
  if (const VoxelBlock& block = shown_.block; block != VoxelBlock())
    text += "  (averaged over " + std::to_string(block.x) + " x " + std::to_string(block.y) +
            " x " + std::to_string(block.z) + " voxels)";
  if (ray_block_ > 1)
    text += std::string(moving_ ? "  (while it moves: " : "  (") + "one ray for " +
            times(ray_block_) + " pixels)";
  if (clip_) text += "  (cut by the box)";
  return text;
}

void VolumeScene::draw(Painter& painter) const {
  if (shown_.values != nullptr && cross_) {
    const std::array<double, 3> at = {cross_->at.x, cross_->at.y, cross_->at.z};
    // The line along z lies in the coronal and the sagittal plane; it has the colour of the axial
    // plane, which it is normal to.
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::array<double, 3> a = at, b = at;
      a[axis] = box().low[axis];
      b[axis] = box().high[axis];
      painter.line(toDisplay(as_vector(a)), toDisplay(as_vector(b)), 1, cross_->colours[2 - axis],
                   0.6);
    }
  }
  if (clip_shown_ && shown_.values != nullptr) drawClip(painter);
  const TextStyle style{rgb(0xFFFFFF), text_size, true, rgb(0x000000)};
  painter.text(margin_px, margin_px, painter.elided(label(), style, widthPx() - 2 * margin_px),
               style, AlignX::left, AlignY::top);
}

void VolumeScene::drawClip(Painter& painter) const {
  const ClipBox& cut = box();
  const auto corner = [&](unsigned int bits) {
    std::array<double, 3> at{};
    for (std::size_t i = 0; i < 3; ++i) at[i] = (bits >> i & 1U) != 0 ? cut.high[i] : cut.low[i];
    return toDisplay(as_vector(at));
  };
  for (unsigned int from = 0; from < 8; ++from)
    for (unsigned int i = 0; i < 3; ++i)
      if ((from >> i & 1U) == 0)
        painter.line(corner(from), corner(from | 1U << i), 1, rgb(0xFFFFFF), 0.5);
  for (const ClipFace& face : faces) {
    painter.disc(handleOf(face), handle_px, rgb(0x000000), 0.7);
    painter.disc(handleOf(face), handle_px - 1.5, theme().accent);
  }
}

void VolumeScene::placeCamera() {
  const VolumeGrid& grid = shown_.whole;
  const Vec3 centre = grid.center_mm();
  const double radius = std::max(norm(grid.upper_corner_mm() - centre), 1e-6);
  // Objects seldom fill the corners of their grid.
  camera_.place(*renderer()->GetActiveCamera(), centre, OrbitCamera::distance_for(0.75 * radius),
                1.1 * radius);
}

void VolumeScene::noteFrame(double ms) {
  if (std::exchange(fresh_, false)) return;
  const double rays = static_cast<double>(deviceWidth()) * deviceHeight() /
                      (static_cast<double>(ray_block_) * ray_block_);
  const double now = ms / rays;
  ms_per_ray_ = ms_per_ray_ == 0 ? now : 0.7 * ms_per_ray_ + 0.3 * now;
}

/// Chooses for how many pixels one ray is cast.
void VolumeScene::chooseRays() {
  ray_block_ = 1;
  const double pixels = static_cast<double>(deviceWidth()) * deviceHeight();
  if (ms_per_ray_ > 0)
    ray_block_ = static_cast<int>(
        std::ceil(std::sqrt(ms_per_ray_ * pixels / (moving_ ? moving_ms : still_ms)) - 0.1));
  else if (moving_ && caster_ == RayCaster::processor)
    ray_block_ = first_moving_block;
  ray_block_ = std::clamp(ray_block_, 1, coarsest_block);
  withMapper(mapper_, [this](auto& mapper) {
    mapper.SetImageSampleDistance(static_cast<float>(ray_block_));
  });
}

void VolumeScene::prepare() {
  labels_->setScale(scale());
  placeCamera();
  chooseRays();
}

}  // namespace gantry
