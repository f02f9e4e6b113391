#include "studies/branchless_dd/printed_model.hpp"

#include "core/base/interrupt.hpp"
#include "core/projectors/common/layers.hpp"
#include "core/projectors/distance_driven/axial_rows.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry::branchless_dd {

namespace {

/// Rounds a value from 0 to 1 to a multiple of 1 / steps.
double rounded(double value, int steps) {
  return static_cast<double>(static_cast<int>(steps * value + 0.5)) / steps;
}

/// The sums of an image's elements below each of its (width + 1) (height + 1) corners.
struct SumTable {
  const double* sums;
  int width, height;

  /// Returns the sum below (u, z), in elements; beyond the image the sum at its edge.
  double at(double u, double z, const Reading& reading) const {
    if (reading.float32_places) {
      u = static_cast<float>(u);
      z = static_cast<float>(z);
    }
    u = std::clamp<double>(u, 0, width);
    z = std::clamp<double>(z, 0, height);
    const int i = std::min(static_cast<int>(u), width - 1),
              j = std::min(static_cast<int>(z), height - 1);
    double a = u - i, b = z - j;
    const int steps = reading.fraction_bits > 0 ? 1 << reading.fraction_bits : 0;
    if (steps > 0) {
      a = rounded(a, steps);
      b = rounded(b, steps);
    }
    const double across = reading.rounded_weights && steps > 0 ? rounded(a * b, steps) : a * b;
    const double* low = sums + static_cast<std::ptrdiff_t>(j) * (width + 1) + i;
    const double* high = low + width + 1;
    if (!reading.float32_values)
      return (1 - a - b + across) * low[0] + (a - across) * low[1] + (b - across) * high[0] +
             across * high[1];
    const auto entry = [](double sum) { return static_cast<double>(static_cast<float>(sum)); };
    return static_cast<float>((1 - a - b + across) * entry(low[0]) + (a - across) * entry(low[1]) +
                              (b - across) * entry(high[0]) + across * entry(high[1]));
  }
};

/// Tables of a stack of images.
class SumTables {
 public:
  /// `element` (n, i, j) returns element (i, j) of image n.
  template <class Element>
  SumTables(int count, int width, int height, const Element& element)
      : width_(width),
        height_(height),
        size_(static_cast<std::size_t>(width + 1) * static_cast<std::size_t>(height + 1)),
        sums_(static_cast<std::size_t>(count) * size_, 0.0) {
    const auto row = static_cast<std::size_t>(width + 1);
#pragma omp parallel for schedule(static)
    for (int n = 0; n < count; ++n) {
      double* at = sums_.data() + static_cast<std::size_t>(n) * size_ + row;
      for (int j = 0; j < height; ++j, at += row) {
        double sum = 0;
        for (int i = 0; i < width; ++i) {
          sum += element(n, i, j);
          at[i + 1] = at[i + 1 - static_cast<int>(row)] + sum;
        }
      }
    }
  }
  SumTable operator[](int n) const {
    return {sums_.data() + static_cast<std::size_t>(n) * size_, width_, height_};
  }

 private:
  int width_, height_;
  std::size_t size_;
  std::vector<double> sums_;
};

/// A ray in the axes of the layers: where it meets the plane w = 0, and its slopes there.
struct LayerRay {
  double u, u_slope, z, z_slope;

  LayerRay(const Ray& ray, bool along_y) {
    const Vec3 o = ray.origin_mm, d = ray.direction;
    const double w = along_y ? o.y : o.x, dw = along_y ? d.y : d.x;
    u_slope = (along_y ? d.x : d.y) / dw;
    z_slope = d.z / dw;
    u = (along_y ? o.x : o.y) - w * u_slope;
    z = o.z - w * z_slope;
  }
  /// Returns the length of the ray in a layer of thickness 1.
  double length() const { return std::sqrt(1 + u_slope * u_slope + z_slope * z_slope); }
};

SumTables layer_tables(const VolumeGrid& grid, const Layers& layers,
                       std::span<const float> volume) {
  return {layers.count, layers.width, grid.nz, [&](int k, int i, int z) {
            return volume[layers.along_y ? grid.index(i, k, z) : grid.index(k, i, z)];
          }};
}

/// Returns the value of a cell.
double cell_value(const ViewRays& rays, int column, int row, const VolumeGrid& grid,
                  const Layers& layers, const SumTables& tables, const Reading& reading) {
  const auto ray = [&](double c, double q) { return LayerRay(rays.ray(c, q), layers.along_y); };
  const LayerRay left = ray(column - 0.5, row), right = ray(column + 0.5, row),
                 down = ray(column, row - 0.5), up = ray(column, row + 0.5);
  const double bottom_mm = grid.lower_corner_mm().z;
  double sum = 0;
  for (int k = 0; k < layers.count; ++k) {
    const double w = layers.w_first_mm + k * layers.w_spacing_mm;
    const auto u = [&](const LayerRay& r) {
      return (r.u + w * r.u_slope - layers.u_lower_mm) / layers.u_spacing_mm;
    };
    const auto z = [&](const LayerRay& r) {
      return (r.z + w * r.z_slope - bottom_mm) / grid.spacing_mm.z;
    };
    const auto [u0, u1] = std::minmax({u(left), u(right)});
    const auto [z0, z1] = std::minmax({z(down), z(up)});
    const SumTable table = tables[k];
    const auto at = [&](double x, double y) { return table.at(x, y, reading); };
    sum += ((at(u1, z1) - at(u0, z1)) - (at(u1, z0) - at(u0, z0))) / ((u1 - u0) * (z1 - z0));
  }
  return sum * layers.w_spacing_mm * ray(column, row).length();
}

/// What the backprojection of a view needs.
struct BackprojectedView {
  DdView view;
  AxialRows axial;
  std::vector<LayerRay> rays;    ///< of the cells of the first row, in the order of `view`
  std::vector<double> z_growth;  ///< of their slopes along z, per row
  const float* values;           ///< [row][column]

  BackprojectedView(const ScanGeometry& geometry, const VolumeGrid& grid, int index,
                    const float* all_rays)
      : view(geometry, grid, index),
        axial(geometry, grid, index),
        values(all_rays + static_cast<std::size_t>(index) * geometry.cells()) {
    const ViewRays view_rays(geometry, index);
    for (std::size_t c = 0; c < static_cast<std::size_t>(geometry.columns()); ++c) {
      const auto column = static_cast<double>(view.column(c));
      const auto ray = [&](int row) {
        return LayerRay(view_rays.ray(column, row), view.slices.along_y);
      };
      rays.push_back(ray(0));
      z_growth.push_back(ray(1).z_slope - rays.back().z_slope);
    }
  }
  /// Returns a ray times its length in a layer.
  double weighted(int cell, int row) const {
    const auto c = static_cast<std::size_t>(cell);
    LayerRay ray = rays[c];
    ray.z_slope += row * z_growth[c];
    return values[static_cast<std::size_t>(row) * rays.size() + view.column(c)] *
           view.slices.w_spacing_mm * ray.length();
  }
};

/// Returns the cell coordinate, in the order of the view's table, of a pixel's side on layer k.
double cell_at_side(const DdView& view, int k, double side) {
  const ExactLocate& map = view.exact_locate;
  const double edge = (side - view.shift_first - k * view.shift_step) /
                      (view.scale_first + k * view.scale_step),
               at = (map.a * edge + map.b) / (map.c * edge + map.d);
  return map.gain * (map.arc ? std::atan(at) : at) + map.bias;
}

/// Adds a view to the voxels at (x, y), which lie `stride` values apart.
void add_line(const BackprojectedView& from, const SumTable& table, int x, int y, int voxels,
              const Reading& reading, double* out, std::size_t stride) {
  const bool along_y = from.view.slices.along_y;
  const int i = along_y ? x : y, k = along_y ? y : x;
  const auto [left, right] =
      std::minmax({cell_at_side(from.view, k, i), cell_at_side(from.view, k, i + 1)});
  const RowEdges rows = from.axial.at(i, k);
  const auto below = [&, u0 = left, u1 = right](int z) {
    const double row = (z - rows.origin) / rows.pitch;
    return table.at(u1, row, reading) - table.at(u0, row, reading);
  };
  const double area = (right - left) / rows.pitch;
  double low = below(0);
  for (int z = 0; z < voxels; ++z, out += stride) {
    const double high = below(z + 1);
    *out += (high - low) / area;
    low = high;
  }
}

void check(const Interrupt* interrupt) {
  if (interrupt != nullptr) interrupt->check();
}

}  // namespace

std::vector<double> project_as_printed(const ScanGeometry& geometry, const VolumeGrid& grid,
                                       std::span<const float> volume, ViewSubset views,
                                       const Reading& reading, const Interrupt* interrupt) {
  std::vector<double> out(static_cast<std::size_t>(views.count) * geometry.cells());
  for (const bool along_y : {true, false}) {
    const std::vector<int> indices = views_of_kind(geometry, views, along_y);
    if (indices.empty()) continue;
    const Layers layers = Layers::of(grid, along_y);
    const SumTables tables = layer_tables(grid, layers, volume);
    for (const int index : indices) {
      check(interrupt);
      double* own = out.data() + static_cast<std::size_t>((index - views.first) / views.stride) *
                                     geometry.cells();
      const ViewRays rays(geometry, index);
#pragma omp parallel for schedule(dynamic)
      for (int column = 0; column < geometry.columns(); ++column)
        for (int row = 0; row < geometry.rows(); ++row)
          own[cell_index(geometry, column, row)] =
              cell_value(rays, column, row, grid, layers, tables, reading);
    }
  }
  return out;
}

std::vector<double> backproject_as_printed(const ScanGeometry& geometry, const VolumeGrid& grid,
                                           std::span<const float> rays, ViewSubset views,
                                           const Reading& reading, int step,
                                           const Interrupt* interrupt) {
  const int across = (grid.nx + step - 1) / step, along = (grid.ny + step - 1) / step;
  const auto slice = static_cast<std::size_t>(across) * static_cast<std::size_t>(along);
  std::vector<double> out(slice * static_cast<std::size_t>(grid.nz));
  constexpr int at_once = 32;
  for (int first = 0; first < views.count; first += at_once) {
    check(interrupt);
    std::vector<BackprojectedView> part;
    for (int n = first; n < std::min(views.count, first + at_once); ++n)
      part.emplace_back(geometry, grid, views.view(n), rays.data());
    const SumTables tables(
        static_cast<int>(part.size()), geometry.columns(), geometry.rows(),
        [&](int n, int c, int q) { return part[static_cast<std::size_t>(n)].weighted(c, q); });
#pragma omp parallel for schedule(static)
    for (int y = 0; y < along; ++y)
      for (int x = 0; x < across; ++x)
        for (std::size_t n = 0; n < part.size(); ++n)
          add_line(part[n], tables[static_cast<int>(n)], step * x, step * y, grid.nz, reading,
                   out.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(across) +
                       static_cast<std::size_t>(x),
                   slice);
  }
  return out;
}

}  // namespace gantry::branchless_dd
