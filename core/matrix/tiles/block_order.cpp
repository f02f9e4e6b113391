#include "core/matrix/tiles/block_order.hpp"

#include "core/matrix/tiles/pseudo_morton.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr std::size_t patch = 16, group = 32;

BlockOrder natural(std::size_t indices, std::size_t multiple) {
  std::vector<std::int32_t> at((indices + multiple - 1) / multiple * multiple, -1);
  for (std::size_t i = 0; i < indices; ++i) at[i] = static_cast<std::int32_t>(i);
  return with_positions(std::move(at), indices);
}

std::size_t rays_of_slice(const ScanGeometry& geometry) {
  return static_cast<std::size_t>(geometry.views()) * static_cast<std::size_t>(geometry.columns());
}

/// Returns for each column the angle between its ray and the ray of column 0 of the same view, in
/// views.
std::vector<int> turned_by(const ScanGeometry& geometry) {
  const double step = geometry.angle_rad(1) - geometry.angle_rad(0);
  const ViewRays rays(geometry, 0);
  const auto angle = [&](int column) {
    const Vec3 d = rays.ray(column, geometry.spec().central_row).direction;
    return std::atan2(d.y, d.x);
  };
  std::vector<int> turned;
  for (int c = 0; c < geometry.columns(); ++c)
    turned.push_back(
        static_cast<int>(std::lround(std::remainder(angle(c) - angle(0), 2 * pi) / step)));
  return turned;
}

/// Sorts the rays by direction. Direction t has one ray of each column: in the view in which the
/// ray is parallel to the ray of column 0 in view t. Opposite directions stand beside each other,
/// the second with its columns reversed, so that a ray stands beside the ray that runs back along
/// it.
BlockOrder folded(const ScanGeometry& geometry) {
  const int views = geometry.views(), columns = geometry.columns();
  const std::vector<int> turned = turned_by(geometry);
  return along_curve(views, columns, rays_of_slice(geometry), [&](int a, int b) {
    const bool back = a % 2 == 1;
    const int c = back ? columns - 1 - b : b;
    const int line = a / 2 + (back ? views / 2 : 0);
    const int view = ((line - turned[static_cast<std::size_t>(c)]) % views + views) % views;
    return view * columns + c;
  });
}

}  // namespace

BlockOrder with_positions(std::vector<std::int32_t> at, std::size_t indices) {
  BlockOrder order{std::move(at), std::vector<std::int32_t>(indices, -1)};
  order.at.shrink_to_fit();
  for (std::size_t p = 0; p < order.at.size(); ++p)
    if (order.at[p] >= 0)
      order.position[static_cast<std::size_t>(order.at[p])] = static_cast<std::int32_t>(p);
  return order;
}

BlockOrder along_curve(int a, int b, std::size_t indices,
                       const std::function<int(int, int)>& index) {
  const PseudoMorton curve(a, b);
  std::vector<std::int32_t> at(static_cast<std::size_t>(curve.size()), -1);
  for (int i = 0; i < a; ++i)
    for (int k = 0; k < b; ++k) at[static_cast<std::size_t>(curve.index({i, k}))] = index(i, k);
  return with_positions(std::move(at), indices);
}

BlockOrder part_of(const BlockOrder& order, std::size_t multiple,
                   const std::function<bool(std::int32_t)>& kept) {
  std::vector<std::int32_t> at;
  for (std::size_t first = 0; first < order.at.size(); first += multiple) {
    for (std::size_t p = first; p < first + multiple; ++p)
      at.push_back(order.at[p] >= 0 && kept(order.at[p]) ? order.at[p] : -1);
    const auto run = at.end() - static_cast<std::ptrdiff_t>(multiple);
    if (std::all_of(run, at.end(), [](std::int32_t index) { return index < 0; }))
      at.erase(run, at.end());
  }
  return with_positions(std::move(at), order.position.size());
}

bool folds(const ScanGeometry& geometry) {
  const ScanSpec& spec = geometry.spec();
  const int views = geometry.views();
  if (!geometry.rotates() || views < 4 || views % 2 != 0) return false;
  if (std::abs(2 * spec.central_column - (spec.detector_columns - 1)) > 2) return false;
  const double step = geometry.angle_rad(1) - geometry.angle_rad(0);
  if (std::abs(std::abs(step) * views - 2 * pi) > 1e-3 * std::abs(step)) return false;
  for (int v = 0; v < views; ++v)
    if (std::abs(geometry.angle_rad(v) - geometry.angle_rad(0) - v * step) > 1e-3 * std::abs(step))
      return false;
  return true;
}

BlockOrder pixel_order(const VolumeGrid& grid, BlockOrderKind kind) {
  const auto pixels = static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny);
  if (kind == BlockOrderKind::natural) return natural(pixels, patch);
  return along_curve(grid.nx, grid.ny, pixels, [&](int x, int y) { return y * grid.nx + x; });
}

BlockOrder ray_order(const ScanGeometry& geometry, BlockOrderKind kind) {
  const int views = geometry.views(), columns = geometry.columns();
  if (kind == BlockOrderKind::natural) return natural(rays_of_slice(geometry), group);
  if (kind == BlockOrderKind::folded && folds(geometry)) return folded(geometry);
  return along_curve(views, columns, rays_of_slice(geometry),
                     [&](int v, int c) { return v * columns + c; });
}

ParamSpec block_order_param() {
  return {.key = "order",
          .label = "Order",
          .unit = "",
          .fallback = std::string("folded"),
          .choices = {"folded", "pseudo-morton", "natural"},
          .study_choices = {"pseudo-morton", "natural"},
          .help =
              "Which rays and pixels a block holds. pseudo-morton, as published: patches of 4 x "
              "4 pixels, rays of neighbouring views and cells; half the blocks of natural. "
              "folded: in a full turn also each ray beside the one that runs back along it, a "
              "sixth fewer; otherwise the same.",
          .in_names = "order"};
}

BlockOrderKind block_order_kind(const std::string& name) {
  return name == "natural"  ? BlockOrderKind::natural
         : name == "folded" ? BlockOrderKind::folded
                            : BlockOrderKind::pseudo_morton;
}

}  // namespace gantry
