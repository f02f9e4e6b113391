// The line integrals are in closed form for additive ellipses with clip lines, as in Yu, Noo,
// Dennerlein, Wunderlich, Lauritsch and Hornegger, Phys. Med. Biol. 57 (2012) N237. For the line o
// + t d, an ellipse of centre c and its map M onto the unit disc, o' = M (o - c) and d' = M d, the
// chord is
//   2 sqrt(|d'|^2 - (o' x d')^2) / |d'|^2   about   t = -<o', d'> / |d'|^2.
// The cross product keeps digits that <o', d'>^2 - |d'|^2 (|o'|^2 - 1) would lose by cancellation.
#include "core/phantoms/shape_phantom.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr std::size_t cluster_size = 8;

void validate(const EllipseShape& shape) {
  bool usable = shape.a_mm > 0 && shape.b_mm > 0;
  for (const double number :
       {shape.x0_mm, shape.y0_mm, shape.a_mm, shape.b_mm, shape.angle_rad, shape.mu})
    usable = usable && std::isfinite(number);
  for (const HalfPlane& clip : shape.clips)
    usable = usable && std::isfinite(clip.distance_mm) && std::isfinite(clip.angle_rad);
  if (!usable)
    throw UsageError("an ellipse is not usable", "phantom",
                     "give finite numbers and positive half axes");
}

}  // namespace

ShapePhantom::ShapePhantom(const std::vector<EllipseShape>& shapes, Vec3 half_extent_mm)
    : half_extent_mm_(half_extent_mm) {
  for (const EllipseShape& shape : shapes) add(shape);
  make_clusters();
}

void ShapePhantom::add(const EllipseShape& shape) {
  validate(shape);
  const double c = std::cos(shape.angle_rad), s = std::sin(shape.angle_rad);
  const double reach = std::max(shape.a_mm, shape.b_mm);
  const std::size_t first_clip = clips_.size();
  for (const HalfPlane& clip : shape.clips) {
    const double nx = std::cos(clip.angle_rad), ny = std::sin(clip.angle_rad);
    clips_.push_back({nx, ny, clip.distance_mm + nx * shape.x0_mm + ny * shape.y0_mm});
  }
  items_.push_back({shape.x0_mm, shape.y0_mm, reach, shape.mu, c / shape.a_mm, s / shape.a_mm,
                    -s / shape.b_mm, c / shape.b_mm, first_clip, clips_.size()});
}

void ShapePhantom::make_clusters() {
  for (std::size_t first = 0; first < items_.size(); first += cluster_size) {
    Cluster cluster{0, 0, 0, first, std::min(items_.size(), first + cluster_size)};
    for (std::size_t i = first; i < cluster.last; ++i) {
      cluster.x0 += items_[i].x0 / static_cast<double>(cluster.last - first);
      cluster.y0 += items_[i].y0 / static_cast<double>(cluster.last - first);
    }
    for (std::size_t i = first; i < cluster.last; ++i) {
      const double away = std::hypot(items_[i].x0 - cluster.x0, items_[i].y0 - cluster.y0);
      cluster.reach = std::max(cluster.reach, 1.000001 * (away + items_[i].reach));
    }
    clusters_.push_back(cluster);
  }
}

bool ShapePhantom::holds(const Item& item, double x, double y) const {
  const double dx = x - item.x0, dy = y - item.y0;
  if (dx * dx + dy * dy > item.reach * item.reach) return false;
  const double u = item.m00 * dx + item.m01 * dy, v = item.m10 * dx + item.m11 * dy;
  if (u * u + v * v > 1) return false;
  for (std::size_t i = item.first_clip; i < item.last_clip; ++i)
    if (clips_[i].normal_x * x + clips_[i].normal_y * y >= clips_[i].distance) return false;
  return true;
}

double ShapePhantom::mu_at(Vec3 p) const {
  double sum = 0;
  for (const Cluster& cluster : clusters_) {
    const double dx = p.x - cluster.x0, dy = p.y - cluster.y0;
    if (dx * dx + dy * dy > cluster.reach * cluster.reach) continue;
    for (std::size_t i = cluster.first; i < cluster.last; ++i)
      if (holds(items_[i], p.x, p.y)) sum += items_[i].mu;
  }
  return sum;
}

/// Returns the length in mm of the line o + t d, |d| = 1, inside an item.
double ShapePhantom::chord(const Item& item, double ox, double oy, double dx, double dy) const {
  const double rx = ox - item.x0, ry = oy - item.y0;
  const double px = item.m00 * rx + item.m01 * ry, py = item.m10 * rx + item.m11 * ry;
  const double qx = item.m00 * dx + item.m01 * dy, qy = item.m10 * dx + item.m11 * dy;
  const double squared = qx * qx + qy * qy, cross = px * qy - py * qx;
  const double inside = squared - cross * cross;
  if (inside <= 0) return 0;
  const double middle = -(px * qx + py * qy) / squared, half = std::sqrt(inside) / squared;
  double low = middle - half, high = middle + half;
  for (std::size_t i = item.first_clip; i < item.last_clip; ++i) {
    const double slope = clips_[i].normal_x * dx + clips_[i].normal_y * dy;
    const double left = clips_[i].distance - clips_[i].normal_x * ox - clips_[i].normal_y * oy;
    // The clip keeps t slope < left; a line parallel to the edge is wholly inside or outside.
    if (slope > 0) high = std::min(high, left / slope);
    if (slope < 0) low = std::max(low, left / slope);
    if (slope == 0 && left <= 0) return 0;
  }
  return std::max(0.0, high - low);
}

double ShapePhantom::line_integral(const Ray& ray) const {
  const double across = std::hypot(ray.direction.x, ray.direction.y);
  if (across == 0) return 0;
  const double ox = ray.origin_mm.x, oy = ray.origin_mm.y;
  const double dx = ray.direction.x / across, dy = ray.direction.y / across;
  double sum = 0;
  for (const Cluster& cluster : clusters_) {
    if (std::abs((cluster.x0 - ox) * dy - (cluster.y0 - oy) * dx) > cluster.reach) continue;
    for (std::size_t i = cluster.first; i < cluster.last; ++i) {
      const Item& item = items_[i];
      if (std::abs((item.x0 - ox) * dy - (item.y0 - oy) * dx) < item.reach)
        sum += item.mu * chord(item, ox, oy, dx, dy);
    }
  }
  return sum / across;
}

}  // namespace gantry
