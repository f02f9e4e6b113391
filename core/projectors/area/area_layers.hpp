#pragma once

#include "core/projectors/area/area_view.hpp"

#include <cstddef>
#include <vector>

namespace gantry {

/// Products of the strips of a view with some layers of the grid, plane by plane. Holds scratch
/// memory: an object serves one thread at a time, and either gather() or spread().
class AreaLayers {
 public:
  explicit AreaLayers(const VolumeGrid& grid);
  /// Returns the bytes of an object that takes `planes` planes of a grid, for `columns` columns.
  static std::size_t bytes(const VolumeGrid& grid, int columns);

  /// Planes first .. first + count - 1 of the volume, count <= area_planes.
  struct Planes {
    int first, count;
  };

  /// strips[plane][column] += the weighted pixels of layers first .. last - 1, of the columns that
  /// run along y, or of the others.
  void gather(const AreaView& view, bool along_y, int first, int last, const float* volume,
              Planes planes, double* strips);

  /// The layers that spread() adds to: value(plane, layer, pixel) of all planes of the grid.
  class Sums {
   public:
    Sums(const VolumeGrid& grid, bool along_y, int first, int last);
    void add_to(float* volume) const;

   private:
    friend class AreaLayers;
    double* block(int plane, int layer) {
      return &sum_[(static_cast<std::size_t>(plane) * blocks_ +
                    static_cast<std::size_t>((layer - first_) / area_lanes)) *
                   static_cast<std::size_t>(width_ * area_lanes)];
    }
    const VolumeGrid& grid_;
    bool along_y_;
    int first_, last_, width_;
    std::size_t blocks_;
    std::vector<double> sum_;  // [plane][layer / lanes][pixel][layer % lanes]
  };
  /// The transpose of gather() with the layers of `sums` and all planes: strips[plane][column].
  void spread(const AreaView& view, const double* strips, Sums& sums);

 private:
  void spread(const AreaView& view, const double* strips, Planes planes, Sums& sums);

  const VolumeGrid& grid_;
  std::vector<float> lines_;
  std::vector<double> sums_, strips_;
};

}  // namespace gantry
