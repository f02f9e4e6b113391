#pragma once

// A sweep of weighted updates (SART, OS-SART) over a stored matrix and its stored transpose.
//
// A layout gives access to its matrix rows by a class Lines. line(place) returns the matrix row
// that is stored at index `place`: `row`, its number (below 0: none, the index is padding),
// `length`, its entries with padding, and entry(e). An entry with an index below 0 is padding, and
// so are all entries behind it. The entries of a row of the transpose ascend by index.
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"

#include <cstddef>
#include <cstdint>

namespace gantry::device {

struct LineEntry {
  int index;
  float weight;
};

/// The matrix rows of CSR.
struct CsrSweepRows {
  static constexpr int together = 1;  ///< matrix rows whose entries are interleaved in memory

  struct Line {
    const int* index;
    const float* weight;
    std::int64_t row;
    int length;

    GANTRY_HD LineEntry entry(int e) const { return {index[e], weight[e]}; }
  };

  SparseRows rows;

  GANTRY_HD Line line(std::int64_t place) const {
    const std::int64_t begin = rows.start[place];
    return {rows.index + begin, rows.weight + begin, place,
            static_cast<int>(rows.start[place + 1] - begin)};
  }
};

/// The type of a table first[view][place]: the entries of a voxel in a view are numbers
/// first[view][place] to first[view + 1][place] - 1. It has 16 bits because a voxel has only a few
/// entries in a view, so that reading the table takes a large part of the time.
using ViewStart = std::uint16_t;
constexpr std::int64_t longest_swept_column = 65535;

/// Computes the table `first` for one voxel.
template <class Lines>
GANTRY_HD void find_view_starts(const Lines& lines, std::int64_t place, std::int64_t places,
                                int views, int cells, ViewStart* first) {
  const auto line = lines.line(place);
  int view = 0, e = 0;
  for (; e < line.length; ++e) {
    const int index = line.entry(e).index;
    if (index < 0) break;
    for (; view <= index / cells; ++view) first[view * places + place] = static_cast<ViewStart>(e);
  }
  for (; view <= views; ++view) first[view * places + place] = static_cast<ViewStart>(e);
}

/// A SubsetUpdate and its operands.
struct SweepData {
  float* x;
  const float *b, *row_weight;
  float* r;
  float relaxation, low, smallest_column_sum;
  float column_weight;  ///< if above 0, replaces 1 / column sum
};

/// The measured value of a ray and its weight, loaded before the ray's sum is known.
struct SweptRay {
  float b, weight;
};
GANTRY_HD SweptRay swept_ray(const SweepData& data, std::int64_t ray) {
  return {data.b[ray], data.row_weight[ray]};
}

/// Stores the weighted residual of a ray; returns the square of the residual without weight.
GANTRY_HD double store_residual(const SweepData& data, std::int64_t ray, SweptRay measured,
                                float sum) {
  const float residual = measured.b - sum;
  data.r[ray] = residual * measured.weight;
  return static_cast<double>(residual) * residual;
}

/// Updates a voxel from the sum of weight times residual over its rays (gradient) and the sum of
/// weights; returns the square of its change.
GANTRY_HD double update_voxel(const SweepData& data, std::int64_t voxel, float x, float gradient,
                              float column_sum) {
  const float along = data.column_weight > 0                  ? gradient * data.column_weight
                      : column_sum > data.smallest_column_sum ? gradient / column_sum
                                                              : 0.0F,
              moved = x + data.relaxation * along, updated = moved < data.low ? data.low : moved;
  data.x[voxel] = updated;
  const double change = static_cast<double>(updated) - x;
  return change * change;
}

/// Updates a voxel from its entries in some views; returns the square of its change. Before it
/// calls wait(), after which the residuals and the image are up to date, it only reads the matrix.
template <class Line, class Wait>
GANTRY_HD double sweep_voxel(const SweepData& data, const Line& line, const ViewStart* first,
                             std::int64_t place, std::int64_t places, const ViewRange& views,
                             const Wait& wait) {
  std::int64_t at = views.first * places + place;
  int e = 0, end = 0;
  LineEntry ahead{0, 0};
  if (views.count > 0) {
    e = first[at];
    end = first[at + places];
    if (e < end) ahead = line.entry(e);
  }
  wait();
  const float x = data.x[line.row];
  float gradient = 0, column_sum = 0;
  for (int i = 0; i < views.count; ++i) {
    if (i > 0) {
      at += views.stride * places;
      e = first[at];
      end = first[at + places];
      if (e < end) ahead = line.entry(e);
    }
    while (e < end) {
      const LineEntry one = ahead;
      if (++e < end) ahead = line.entry(e);
      gradient += one.weight * data.r[one.index];
      column_sum += one.weight;
    }
  }
  return update_voxel(data, line.row, x, gradient, column_sum);
}

}  // namespace gantry::device
