#include "gui/render/slice_scene.hpp"

#include "gui/render/overlay_prop.hpp"
#include "gui/render/slice_prop.hpp"

#include <vtkRenderer.h>

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

bool sameFrame(const SliceImage& a, const SliceImage& b) {
  return a.axis == b.axis && a.width == b.width && a.height == b.height && a.u0_mm == b.u0_mm &&
         a.v0_mm == b.v0_mm && a.du_mm == b.du_mm && a.dv_mm == b.dv_mm;
}

/// Returns whether the slice has pixels and a value for each pixel; other slices show nothing.
bool drawable(const SliceImage& s) {
  return s.width > 0 && s.height > 0 &&
         s.values.size() == static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height);
}

ObjectBox boxOf(const SliceImage& s) {
  const auto [low_u, high_u] =
      std::minmax({s.u0_mm - 0.5 * s.du_mm, s.u0_mm + (s.width - 0.5) * s.du_mm});
  const auto [low_v, high_v] =
      std::minmax({s.v0_mm - 0.5 * s.dv_mm, s.v0_mm + (s.height - 0.5) * s.dv_mm});
  return {low_u, high_u, low_v, high_v};
}

double distanceToSegment(PointPx p, PointPx a, PointPx b) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double t =
      square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace

SliceScene::SliceScene()
    : picture_(vtkSmartPointer<SliceProp>::New()), overlay_(vtkSmartPointer<OverlayProp>::New()) {
  overlay_->setDraw([this](Painter& painter) {
    drawSliceDecoration(painter, layout_, decoration_, transform_, theme());
  });
  renderer()->AddViewProp(picture_);
  addOverlay(*overlay_);
}

SliceScene::~SliceScene() {
  detach();
  overlay_->setDraw(nullptr);
}

void SliceScene::setImage(std::shared_ptr<const SliceImage> image) {
  if (image && !drawable(*image)) image = nullptr;
  const bool moved = !image || !image_ || !sameFrame(*image, *image_);
  image_ = std::move(image);
  picture_->setImage(image_);
  if (moved && fitted_) fit();
}

void SliceScene::setWindowLevel(double window, double level) {
  if (!(window > 0) || !std::isfinite(window) || !std::isfinite(level)) return;
  window_ = window;
  level_ = level;
}

void SliceScene::setColourMap(ColourMap map) { map_ = map; }

void SliceScene::setColourBar(bool shown, const std::string& unit) {
  decoration_.colour_bar = shown;
  decoration_.unit = unit;
  layOut();
}

void SliceScene::setInterpolation(Interpolation interpolation) {
  picture_->setInterpolated(interpolation == Interpolation::linear);
}

void SliceScene::setView(const SliceCamera& camera) {
  if (!(camera.mm_per_pixel > 0) || !std::isfinite(camera.mm_per_pixel)) return;
  fitted_ = false;
  transform_.camera = camera;
}

void SliceScene::fit() {
  fitted_ = true;
  if (!image_) return;
  const ObjectBox box = object_.value_or(boxOf(*image_));
  const RectPx& p = layout_.picture;
  // The object lies in the middle of what the header leaves of the view.
  const double height = std::max(p.height - layout_.header.height, 1.0);
  const double mm_per_pixel = std::max((box.high_u_mm - box.low_u_mm) / std::max(p.width, 1.0),
                                       (box.high_v_mm - box.low_v_mm) / height);
  const double up_mm = 0.5 * layout_.header.height * mm_per_pixel * (transform_.v_up ? 1 : -1);
  transform_.camera = {0.5 * (box.low_u_mm + box.high_u_mm),
                       0.5 * (box.low_v_mm + box.high_v_mm) + up_mm, mm_per_pixel};
}

void SliceScene::setObject(const std::optional<ObjectBox>& object) {
  object_ = object;
  if (fitted_) fit();
}

void SliceScene::setVUp(bool up) {
  transform_.v_up = up;
  if (fitted_) fit();
}
void SliceScene::setEdgeLetters(const EdgeLetters& letters) { decoration_.letters = letters; }
void SliceScene::setScaleBar(bool shown) { decoration_.scale_bar = shown; }
void SliceScene::setLengthsAreKnown(bool known) { decoration_.lengths_are_known = known; }

void SliceScene::setTitle(const std::string& title, std::optional<Rgb> colour,
                          std::vector<std::string> shorter) {
  decoration_.title = title;
  decoration_.shorter_titles = std::move(shorter);
  decoration_.colour = colour;
  layOut();
}

void SliceScene::setSelected(bool selected) { decoration_.selected = selected; }

void SliceScene::setStatus(const std::string& status, const std::string& brief) {
  decoration_.status = status;
  decoration_.brief_status = brief;
  layOut();
}

void SliceScene::setNotice(const std::string& notice) { decoration_.notice = notice; }
void SliceScene::setProfile(std::optional<LineSegment> profile) { decoration_.profile = profile; }
void SliceScene::setRegions(std::vector<RegionMark> regions) {
  decoration_.regions = std::move(regions);
}
void SliceScene::setEdge(std::optional<LineSegment> edge) { decoration_.edge = edge; }
void SliceScene::setRulers(std::vector<RulerMark> rulers) {
  decoration_.rulers = std::move(rulers);
}
void SliceScene::setDivider(std::optional<Divider> divider) {
  decoration_.divider = std::move(divider);
}
bool SliceScene::isOnDivider(double x_px) const {
  constexpr double reach = 7;
  return decoration_.divider &&
         std::abs(worldToDisplay(decoration_.divider->u_mm, 0).x - x_px) <= reach;
}
void SliceScene::setCursor(std::optional<PointMm> cursor) { decoration_.cursor = cursor; }

void SliceScene::setCrossHair(std::optional<CrossHair> cross_hair) {
  decoration_.cross_hair = cross_hair;
}

std::optional<ScaleBar> SliceScene::scaleBar() const {
  return decoration_.scale_bar && image_ ? scaleBarFor(layout_, transform_.camera.mm_per_pixel)
                                         : std::nullopt;
}

ProfilePart SliceScene::profilePartAt(double x_px, double y_px) const {
  if (!decoration_.profile) return ProfilePart::none;
  const LineSegment& line = *decoration_.profile;
  const PointPx p{x_px, y_px}, a = worldToDisplay(line.u0_mm, line.v0_mm),
                               b = worldToDisplay(line.u1_mm, line.v1_mm);
  constexpr double handle_reach = 9, line_reach = 6;
  const double to_start = std::hypot(p.x - a.x, p.y - a.y),
               to_end = std::hypot(p.x - b.x, p.y - b.y);
  if (std::min(to_start, to_end) <= handle_reach)
    return to_start < to_end ? ProfilePart::start : ProfilePart::end;
  return distanceToSegment(p, a, b) <= line_reach ? ProfilePart::body : ProfilePart::none;
}

const SliceProp& SliceScene::picture() const { return *picture_; }

void SliceScene::onResize() { layOut(); }

void SliceScene::layOut() {
  const RectPx before = layout_.picture;
  const double header_before = layout_.header.height;
  layout_ = layoutSlice(widthPx(), heightPx(), scale(), decoration_);
  transform_.picture = layout_.picture;
  const bool resized = before.width != layout_.picture.width ||
                       before.height != layout_.picture.height ||
                       header_before != layout_.header.height;
  if (fitted_ && resized) fit();
}

void SliceScene::prepare() {
  decoration_.window = window_;
  decoration_.level = level();
  decoration_.map = map_;
  decoration_.slice = sliceRect();
  overlay_->setScale(scale());
  picture_->setMapping(window_, level(), map_);
  placePicture();
}

RectPx SliceScene::sliceRect() const {
  if (!image_) return {};
  return rectOf(boxOf(*image_));
}

RectPx SliceScene::rectOf(const ObjectBox& box) const {
  const PointPx a = worldToDisplay(box.low_u_mm, box.low_v_mm),
                b = worldToDisplay(box.high_u_mm, box.high_v_mm);
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(b.x - a.x), std::abs(b.y - a.y)};
}

void SliceScene::placePicture() {
  if (!image_) return;
  const SliceImage& s = *image_;
  // Device pixels run upwards from the bottom left corner, logical pixels downwards from the top
  // left corner.
  const PointMm corner = displayToWorld(0, heightPx());
  const double mm_per_device_px = transform_.camera.mm_per_pixel / scale();
  picture_->setPlacement({mm_per_device_px / (s.du_mm * s.width),
                          ((corner.u - s.u0_mm) / s.du_mm + 0.5) / s.width,
                          mm_per_device_px * (transform_.v_up ? 1 : -1) / (s.dv_mm * s.height),
                          ((corner.v - s.v0_mm) / s.dv_mm + 0.5) / s.height});
}

}  // namespace gantry
