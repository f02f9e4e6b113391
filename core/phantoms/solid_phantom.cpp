#include "core/phantoms/solid_phantom.hpp"

#include "core/base/error.hpp"
#include "core/phantoms/solid_crossing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

namespace {

constexpr std::size_t children = 8;           // balls that a ball of the next level holds
constexpr std::size_t most_replacing = 1024;  // capacity of Cover

bool is_finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

void validate(const Solid& solid) {
  const Axes& a = solid.axes;
  bool usable = solid.half.x > 0 && solid.half.y > 0 && solid.half.z > 0 && solid.taper >= 0 &&
                std::isfinite(solid.taper) && std::isfinite(solid.mu) && is_finite(solid.center) &&
                is_finite(solid.half);
  for (const double skew :
       {dot(a.x, a.y), dot(a.y, a.z), dot(a.z, a.x), norm(a.x) - 1, norm(a.y) - 1, norm(a.z) - 1})
    usable = usable && std::abs(skew) < 1e-6;
  for (const HalfSpace& clip : solid.clips)
    usable = usable && std::isfinite(clip.distance) && std::abs(norm(clip.normal) - 1) < 1e-6;
  if (!usable)
    throw UsageError("a solid is not usable", "phantom",
                     "give finite numbers, positive sizes, and unit axes at right angles");
}

/// Returns the radius of a ball about the centre that holds the solid.
double reach(const Solid& solid) {
  const Vec3 h = solid.half;
  if (solid.kind == SolidKind::ellipsoid) return std::max({h.x, h.y, h.z});
  if (solid.kind == SolidKind::box) return norm(h);
  const double widest = solid.kind == SolidKind::cone ? std::max(1.0, solid.taper) : 1.0;
  return std::hypot(widest * std::max(h.x, h.y), h.z);
}

/// Returns the squared radius, slightly enlarged: rounding must not lose a solid that a line
/// touches.
double square_of(double radius) { return 1.000001 * radius * radius; }

}  // namespace

/// The parts of a line that later solids occupy, disjoint and in ascending order.
class SolidPhantom::Cover {
 public:
  /// Adds an interval, and calls piece(low, high) for the parts of the interval that were still
  /// free.
  template <class Piece>
  void take(double low, double high, const Piece& piece) {
    std::size_t first = 0;
    while (first < count_ && parts_[first].high < low) ++first;
    std::size_t last = first;
    double free = low;
    Interval merged{low, high};
    for (; last < count_ && parts_[last].low <= high; ++last) {
      if (parts_[last].low > free) piece(free, parts_[last].low);
      free = std::max(free, parts_[last].high);
      merged = {std::min(merged.low, parts_[last].low), std::max(merged.high, parts_[last].high)};
    }
    if (free < high) piece(free, high);
    replace(first, last, merged);
  }

 private:
  void replace(std::size_t first, std::size_t last, Interval merged) {
    Interval* const begin = parts_.data();
    if (first == last)
      std::move_backward(begin + first, begin + count_, begin + count_ + 1);
    else
      std::move(begin + last, begin + count_, begin + first + 1);
    count_ = count_ + 1 - (last - first);
    parts_[first] = merged;
  }

  std::array<Interval, most_replacing> parts_;
  std::size_t count_ = 0;
};

SolidPhantom::SolidPhantom(const std::vector<Solid>& solids_mm, Overlap overlap,
                           Vec3 half_extent_mm)
    : overlap_(overlap), half_extent_mm_(half_extent_mm) {
  if (overlap == Overlap::replace && solids_mm.size() > most_replacing)
    throw UsageError(std::to_string(solids_mm.size()) + " solids are too many", "phantom",
                     "use " + std::to_string(most_replacing) + " at most");
  levels_.emplace_back();
  for (const Solid& solid : solids_mm) add(solid);
  make_levels();
}

void SolidPhantom::add(const Solid& solid) {
  validate(solid);
  const Axes& axes = solid.axes;
  const std::size_t index = items_.size(), first_clip = clips_.size();
  clips_.insert(clips_.end(), solid.clips.begin(), solid.clips.end());
  items_.push_back({solid.kind, solid.center, (1 / solid.half.x) * axes.x,
                    (1 / solid.half.y) * axes.y, (1 / solid.half.z) * axes.z, solid.taper, solid.mu,
                    first_clip, clips_.size()});
  levels_[0].push_back({solid.center, square_of(reach(solid)), index, index + 1});
}

void SolidPhantom::make_levels() {
  while (levels_.back().size() > children) {
    const std::vector<Ball> below = levels_.back();
    std::vector<Ball> level;
    for (std::size_t first = 0; first < below.size(); first += children) {
      Ball ball{{}, 0, first, std::min(below.size(), first + children)};
      const double share = 1.0 / static_cast<double>(ball.last - first);
      for (std::size_t i = first; i < ball.last; ++i)
        ball.center = ball.center + share * below[i].center;
      double radius = 0;
      for (std::size_t i = first; i < ball.last; ++i)
        radius = std::max(radius, norm(below[i].center - ball.center) + std::sqrt(below[i].reach2));
      ball.reach2 = square_of(radius);
      level.push_back(ball);
    }
    levels_.push_back(std::move(level));
  }
}

/// Calls each(item) for the solids whose balls are near, from the last to the first. Returns false
/// as soon as each() does.
template <class Near, class Visit>
bool SolidPhantom::visit(std::size_t level, std::size_t index, const Near& near,
                         const Visit& each) const {
  const Ball& ball = levels_[level][index];
  if (!near(ball)) return true;
  if (level == 0) return each(items_[index]);
  for (std::size_t i = ball.last; i-- > ball.first;)
    if (!visit(level - 1, i, near, each)) return false;
  return true;
}

template <class Near, class Visit>
void SolidPhantom::visit_from_last(const Near& near, const Visit& each) const {
  for (std::size_t i = levels_.back().size(); i-- > 0;)
    if (!visit(levels_.size() - 1, i, near, each)) return;
}

bool SolidPhantom::holds(const Item& item, Vec3 point) const {
  const Vec3 away = point - item.center;
  const Vec3 p{dot(item.row_x, away), dot(item.row_y, away), dot(item.row_z, away)};
  const double across = p.x * p.x + p.y * p.y;
  bool inside = std::abs(p.z) <= 1;
  switch (item.kind) {
    case SolidKind::ellipsoid:
      inside = across + p.z * p.z <= 1;
      break;
    case SolidKind::cylinder:
      inside = inside && across <= 1;
      break;
    case SolidKind::cone:
      inside = inside && std::sqrt(across) <= (item.taper + 1 + (item.taper - 1) * p.z) / 2;
      break;
    case SolidKind::box:
      inside = inside && std::abs(p.x) <= 1 && std::abs(p.y) <= 1;
      break;
  }
  for (std::size_t i = item.first_clip; inside && i < item.last_clip; ++i)
    inside = dot(clips_[i].normal, point) < clips_[i].distance;
  return inside;
}

double SolidPhantom::mu_at(Vec3 point) const {
  if (is_section()) point.z = 0;
  double sum = 0;
  visit_from_last(
      [&](const Ball& ball) {
        const Vec3 away = point - ball.center;
        return dot(away, away) <= ball.reach2;
      },
      [&](const Item& item) {
        if (!holds(item, point)) return true;
        sum += item.mu;
        return overlap_ == Overlap::add;
      });
  return sum;
}

/// Returns the part of the line o + t d, |d| = 1, inside a solid.
SolidPhantom::Interval SolidPhantom::crossing(const Item& item, Vec3 o, Vec3 d) const {
  // Relative to the point of the line nearest to the centre, the numbers are small and keep their
  // digits.
  const double nearest = dot(item.center - o, d);
  const Vec3 away = o + nearest * d - item.center;
  const Vec3 p{dot(item.row_x, away), dot(item.row_y, away), dot(item.row_z, away)};
  const Vec3 q{dot(item.row_x, d), dot(item.row_y, d), dot(item.row_z, d)};
  Crossing inside{0, 0};
  switch (item.kind) {
    case SolidKind::ellipsoid:
      inside = cross_ball(p, q);
      break;
    case SolidKind::cylinder:
      inside = cross_cylinder(p, q);
      break;
    case SolidKind::cone:
      inside = cross_cone(p, q, item.taper);
      break;
    case SolidKind::box:
      inside = cross_cube(p, q);
      break;
  }
  Interval part{inside.low + nearest, inside.high + nearest};
  for (std::size_t i = item.first_clip; i < item.last_clip; ++i) {
    const double slope = dot(clips_[i].normal, d);
    const double left = clips_[i].distance - dot(clips_[i].normal, o);
    // The clip keeps t slope < left; a line parallel to the face is wholly inside or outside.
    if (slope > 0) part.high = std::min(part.high, left / slope);
    if (slope < 0) part.low = std::max(part.low, left / slope);
    if (slope == 0 && left <= 0) return {0, 0};
  }
  return part;
}

/// Calls piece(low, high, mu) for the parts of the line o + t d, |d| = 1, that lie in a solid. With
/// Overlap::add the pieces may overlap.
template <class Piece>
void SolidPhantom::for_pieces(Vec3 o, Vec3 d, const Piece& piece) const {
  Cover cover;
  visit_from_last(
      [&](const Ball& ball) {
        const Vec3 away = ball.center - o;
        const double along = dot(away, d);
        return dot(away, away) - along * along <= ball.reach2;
      },
      [&](const Item& item) {
        const auto [low, high] = crossing(item, o, d);
        if (low >= high) return true;
        if (overlap_ == Overlap::add)
          piece(low, high, item.mu);
        else
          cover.take(low, high, [&](double from, double to) { piece(from, to, item.mu); });
        return true;
      });
}

double SolidPhantom::line_integral(const Ray& ray) const {
  Vec3 origin = ray.origin_mm, direction = ray.direction;
  double across = 1;  // of a section: length of the projection onto the plane z = 0 per length
  if (is_section()) {
    across = std::hypot(direction.x, direction.y);
    if (across == 0) return 0;
    origin.z = 0;
    direction = {direction.x / across, direction.y / across, 0};
  }
  double sum = 0;
  for_pieces(origin, direction,
             [&](double low, double high, double mu) { sum += mu * (high - low); });
  return sum / across;
}

/// The means are exact: each piece of the line contributes to the voxels that it crosses.
void SolidPhantom::add_row(Vec3 first, double step, int /*subsamples*/,
                           std::span<double> sums) const {
  if (is_section()) first.z = 0;
  first.x -= step / 2;
  const auto cells = static_cast<double>(sums.size());
  for_pieces(first, {1, 0, 0}, [&](double low, double high, double mu) {
    low = std::clamp(low / step, 0.0, cells);
    high = std::clamp(high / step, 0.0, cells);
    for (auto i = static_cast<std::size_t>(low); static_cast<double>(i) < high; ++i) {
      const auto edge = static_cast<double>(i);
      sums[i] += mu * (std::min(high, edge + 1) - std::max(low, edge));
    }
  });
}

}  // namespace gantry
