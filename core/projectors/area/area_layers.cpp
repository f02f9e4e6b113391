#include "core/projectors/area/area_layers.hpp"

namespace gantry {

namespace {

std::size_t widest(const VolumeGrid& grid) {
  return static_cast<std::size_t>(std::max(grid.nx, grid.ny));
}
std::size_t planes_at_once(const VolumeGrid& grid) {
  return static_cast<std::size_t>(std::min(grid.nz, area_planes));
}
std::size_t sums_of_planes(const VolumeGrid& grid) {
  return planes_at_once(grid) *
         static_cast<std::size_t>(area_rows(static_cast<int>(widest(grid))) * area_lanes);
}

/// Copies layers first .. last - 1 of a plane to lines[pixel][lane], with zeros in other lanes.
void copy_lines(const VolumeGrid& grid, bool along_y, int first, int last, const float* plane,
                float* lines) {
  const int count = last - first, width = along_y ? grid.nx : grid.ny;
  const std::ptrdiff_t layer_step = along_y ? grid.nx : 1, pixel_step = along_y ? 1 : grid.nx;
  for (int l = 0; l < area_lanes; ++l) {
    const float* from = plane + (first + std::min(l, count - 1)) * layer_step;
    float* to = lines + l;
    for (int u = 0; u < width; ++u, to += area_lanes, from += pixel_step)
      *to = l < count ? *from : 0.0F;
  }
}

}  // namespace

AreaLayers::AreaLayers(const VolumeGrid& grid)
    : grid_(grid), lines_(widest(grid) * area_lanes), sums_(sums_of_planes(grid), 0.0) {}

std::size_t AreaLayers::bytes(const VolumeGrid& grid, int columns) {
  const std::size_t strips =
      planes_at_once(grid) * static_cast<std::size_t>((columns + 1) * area_lanes);
  return widest(grid) * area_lanes * sizeof(float) +
         (sums_of_planes(grid) + strips) * sizeof(double);
}

void AreaLayers::gather(const AreaView& view, bool along_y, int first, int last,
                        const float* volume, Planes planes, double* strips) {
  const int width = view.slices(along_y).width;
  const auto columns = static_cast<std::size_t>(view.columns());
  const std::size_t plane_sums = static_cast<std::size_t>(area_rows(width) * area_lanes);
  std::size_t entries = 0;
  for (const AreaRun& run : view.runs())
    if (run.along_y == along_y)
      entries += run.edges.size() * static_cast<std::size_t>(planes.count);
  strips_.assign(entries * area_lanes, 0.0);
  for (int layer = first; layer < last && entries > 0; layer += area_lanes) {
    for (int p = 0; p < planes.count; ++p) {
      copy_lines(grid_, along_y, layer, std::min(layer + area_lanes, last),
                 volume + grid_.index(0, 0, planes.first + p), lines_.data());
      area_kernels().sum_lines(view.distance(along_y, layer), lines_.data(), width,
                               sums_.data() + static_cast<std::size_t>(p) * plane_sums);
    }
    double* lanes = strips_.data();
    for (const AreaRun& run : view.runs()) {
      if (run.along_y != along_y) continue;
      area_kernels().gather(run.edges.data(), static_cast<int>(run.edges.size()), layer, width,
                            sums_.data(), planes.count, lanes);
      lanes += run.edges.size() * static_cast<std::size_t>(planes.count) * area_lanes;
    }
  }
  const double* lanes = strips_.data();
  for (const AreaRun& run : view.runs()) {
    if (run.along_y != along_y) continue;
    for (int p = 0; p < planes.count; ++p) {
      lanes += area_lanes;  // entry 0
      double* out = strips + static_cast<std::size_t>(p) * columns + run.first_column;
      for (int c = 0; c < run.columns; ++c, lanes += area_lanes) {
        double sum = 0;
        for (int l = 0; l < area_lanes; ++l) sum += lanes[l];
        out[c] += run.sign * view.scale(run.first_column + c) * sum;
      }
    }
  }
  for (const int column : view.single_columns()) {
    if (view.strip(column).along_y != along_y) continue;
    for (int p = 0; p < planes.count; ++p) {
      double sum = 0;
      view.visit(column, first, last, [&](int layer, int pixel, double weight) {
        sum +=
            weight *
            volume[grid_.index(along_y ? pixel : layer, along_y ? layer : pixel, planes.first + p)];
      });
      strips[static_cast<std::size_t>(p) * columns + static_cast<std::size_t>(column)] += sum;
    }
  }
}

AreaLayers::Sums::Sums(const VolumeGrid& grid, bool along_y, int first, int last)
    : grid_(grid),
      along_y_(along_y),
      first_(first),
      last_(last),
      width_(along_y ? grid.nx : grid.ny),
      blocks_(static_cast<std::size_t>((last - first + area_lanes - 1) / area_lanes)),
      sum_(static_cast<std::size_t>(grid.nz) * blocks_ *
               static_cast<std::size_t>(width_ * area_lanes),
           0.0) {}

void AreaLayers::Sums::add_to(float* volume) const {
  const double* value = sum_.data();
  for (int iz = 0; iz < grid_.nz; ++iz)
    for (int layer = first_; layer < last_; layer += area_lanes) {
      const int count = std::min(area_lanes, last_ - layer);
      for (int pixel = 0; pixel < width_; ++pixel, value += area_lanes)
        for (int l = 0; l < count; ++l)
          volume[grid_.index(along_y_ ? pixel : layer + l, along_y_ ? layer + l : pixel, iz)] +=
              static_cast<float>(value[l]);
    }
}

void AreaLayers::spread(const AreaView& view, const double* strips, Sums& sums) {
  for (int plane = 0; plane < grid_.nz; plane += area_planes)
    spread(view, strips, {plane, std::min(area_planes, grid_.nz - plane)}, sums);
}

void AreaLayers::spread(const AreaView& view, const double* strips, Planes planes, Sums& sums) {
  const bool along_y = sums.along_y_;
  const int width = sums.width_;
  constexpr double least = 1e-200;  // so that zeros have a unit
  const auto columns = static_cast<std::size_t>(view.columns());
  const std::size_t plane_sums = static_cast<std::size_t>(area_rows(width) * area_lanes);
  const auto values = [&](int p) {
    return strips + static_cast<std::size_t>(planes.first + p) * columns;
  };
  double largest = 0;
  for (const AreaRun& run : view.runs())
    if (run.along_y == along_y)
      for (int p = 0; p < planes.count; ++p)
        for (int c = run.first_column; c < run.first_column + run.columns; ++c)
          largest = std::max(largest, std::abs(view.scale(c) * values(p)[c]));
  // Sums of the rises stay below 2^52 units.
  const double unit = std::exp2(std::ilogb(2.0 * view.columns() * largest + least) + 1 - 52),
               rounding = 1.5 * 0x1p52 * unit;
  strips_.clear();  // the rises of the edges, run by run: [plane][edge]
  for (const AreaRun& run : view.runs()) {
    if (run.along_y != along_y) continue;
    for (int p = 0; p < planes.count; ++p) {
      double before = 0;
      for (int c = run.first_column; c < run.first_column + run.columns; ++c) {
        const double value = run.sign * view.scale(c) * values(p)[c] + rounding - rounding;
        strips_.push_back(before - value);
        before = value;
      }
      strips_.push_back(before);
    }
  }
  for (int layer = sums.first_; layer < sums.last_ && !strips_.empty(); layer += area_lanes) {
    const double* rises = strips_.data();
    for (const AreaRun& run : view.runs()) {
      if (run.along_y != along_y) continue;
      area_kernels().spread(run.edges.data(), static_cast<int>(run.edges.size()), layer, width,
                            rises, rounding, planes.count, sums_.data());
      rises += run.edges.size() * static_cast<std::size_t>(planes.count);
    }
    for (int p = 0; p < planes.count; ++p)
      area_kernels().collect_lines(view.distance(along_y, layer), width,
                                   sums_.data() + static_cast<std::size_t>(p) * plane_sums,
                                   sums.block(planes.first + p, layer));
  }
  for (const int column : view.single_columns()) {
    if (view.strip(column).along_y != along_y) continue;
    for (int p = 0; p < planes.count; ++p) {
      const double value = values(p)[column];
      view.visit(column, sums.first_, sums.last_, [&](int layer, int pixel, double weight) {
        const int lane = (layer - sums.first_) % area_lanes;
        sums.block(planes.first + p, layer)[pixel * area_lanes + lane] += weight * value;
      });
    }
  }
}

}  // namespace gantry
