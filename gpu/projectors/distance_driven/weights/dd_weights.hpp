#pragma once

// The single weights of the distance-driven model, by columns and by rows of A, from the tables of
// dd_weight_scan.hpp.
#include "gpu/projectors/distance_driven/weights/dd_weight_scan.hpp"

namespace gantry::device {

/// Three successive columns of the detector, some of which see a pixel in one view. The weight of a
/// cell is the height of the voxel that its row sees, in rows, times part x path, with `part` that
/// of the column's interval on the layer which lies in the pixel, and with the path of the cell's
/// ray from layer to layer, DdColumn::path_mm(). Without HasPaths the paths are left out.
template <bool HasPaths>
struct DdCells {
  static constexpr int most = 3;
  int view, first_column, columns_of_detector;
  float central_row;
  float part[most];  ///< 0 in columns that do not see the pixel
  float part_square[most],
      rise[most];  ///< (part path)^2 = part_square + rise (row - central row)^2

  GANTRY_HD void set(int n, float part_of_column, float layer_mm, const DdColumn& column) {
    part[n] = part_of_column;
    if (!HasPaths) return;
    const float mm = layer_mm * part_of_column, up = mm * column.rise_per_row;
    part_square[n] = mm * mm * column.square_in_plane;
    rise[n] = up * up;
  }

  /// Calls use(cell, weight for a voxel of the height of the row) for the cells of a row, given its
  /// cell in the first column, some of them of weight 0.
  template <class Use>
  GANTRY_HD void for_cells(RayCell first, const Use& use) const {
    const float above_central = static_cast<float>(first.row) - central_row,
                distance = above_central * above_central;
    const auto use_column = [&](int n) {
      use(RayCell{first.ray + static_cast<unsigned>(n), first.view, first.row, first.column + n},
          HasPaths ? quick_sqrt(fmaf(rise[n], distance, part_square[n])) : part[n]);
    };
    use_column(0);
    // Whether the second sees the pixel or not, so that both values are fetched at once: the weight
    // of a cell that does not see the pixel is 0.
    if (columns_of_detector > 1) use_column(1);
    if (part[2] > 0) use_column(2);
  }
};

/// The heights of voxels that lie above each other: each from the fraction of a row that the fixed
/// point number `face`, in units of 2^-32 rows, holds, so that rounding errors do not add up.
struct DdSteps {
  std::int64_t low, step;  ///< lower face of the first voxel, from one voxel to the next
  float span;              ///< of a voxel, rows

  GANTRY_HD static std::int64_t units(double rows) {
    // Rows beyond most_rows see no voxel. To compare float32 takes less time than float64.
    constexpr double unit = 4294967296.0;
    constexpr float most_rows = 1048576;
    const float near = static_cast<float>(rows);
    return fabsf(near) < most_rows
               ? static_cast<std::int64_t>(rows * unit)
               : static_cast<std::int64_t>(near < 0 ? -most_rows : most_rows) << 32;
  }
  GANTRY_HD static DdSteps of(const DdHeights& heights, int iz, int step) {
    return {units(heights.at(iz)), units(heights.rows_per_voxel) * step,
            static_cast<float>(heights.rows_per_voxel)};
  }
  /// A slice that is seen by a single row, as a whole.
  GANTRY_HD static DdSteps planar() { return {0, 0, 1.0F}; }

  GANTRY_HD static int row_of(std::int64_t face) { return static_cast<int>(face >> 32); }
  /// The last row that can see the voxels k < count.
  GANTRY_HD int last_row(int count) const {
    return row_of(low + (count - 1) * step) + 1 + static_cast<int>(span);
  }

  /// Calls use(k, row, height in rows) for the rows that see the voxels k < Most, on the detector
  /// or beyond, some of them with the height 0. Without Tall, voxels are at most a row high.
  /// SparesRegisters: whether faces are computed one after another and not beforehand, which suits
  /// a use(...) that needs many registers.
  template <int Most, bool Tall = true, bool SparesRegisters = true, class Use>
  GANTRY_HD void for_parts(const Use& use) const {
    [[maybe_unused]] constexpr auto least_part = static_cast<float>(least_dd_overlap);
    std::int64_t face = low;
#pragma unroll
    for (int k = 0; k < Most; ++k, face += step) {
#ifdef __CUDA_ARCH__
      if constexpr (SparesRegisters) asm volatile("" : "+l"(face));  // not known beforehand
#endif
      const float below = static_cast<float>(static_cast<std::uint32_t>(face)) * 0x1p-32F;
      int row = row_of(face);
      const float in_first = fminf(span, 1.0F - below),
                  in_next = Tall ? fminf(span - in_first, 1.0F) : span - in_first;
      use(k, row, in_first);
      use(k, ++row, in_next);
      if constexpr (Tall)
        for (float rest = span - in_first - in_next; rest > least_part; rest -= 1.0F)
          use(k, ++row, fminf(rest, 1.0F));
    }
  }
};

/// The single weights of a scan, for methods that use rows and columns one by one (gpu/access).
/// Without HasPaths, every weight lacks the path of its ray, by which the values of the rays have
/// to be multiplied before: that takes one square root a ray instead of one a weight.
template <bool HasPaths>
struct DdWeightsOf {
  /// Voxels above each other share the columns of the detector that see them, and neighbours the
  /// sums of rows: the more of them, the less is computed, as long as the GPU is kept busy.
  static constexpr int deep = 4, deep_of_thread = 16;
  /// Numbers that gather() and spread() need room for, so that voxels of up to two rows are done at
  /// once.
  template <int Voxels>
  static constexpr int room_for = 2 * Voxels + 2;
  DdWeightScan scan;

  GANTRY_HD int views() const { return scan.views; }

  /// The weights without the paths, and the path of a ray (HasRayFactors, gpu/access/columns.cuh).
  DdWeightsOf<false> without_factors() const { return {scan}; }
  GANTRY_HD float factor(const RayCell& cell) const {
    const float from_central = scan.planar ? 0.0F : static_cast<float>(cell.row) - scan.central_row;
    return scan.columns_of(cell.view)[cell.column].path_mm(scan.view[cell.view].layer_mm,
                                                           from_central);
  }

  /// sum[k] += sum of value(RayCell) a^Power over the cells of view v, with a the weight of the
  /// voxel iz + k step, for k < count.
  template <int Power, int Most, class Value>
  GANTRY_HD void gather(int ix, int iy, int iz, int step, int count, int v, const Value& value,
                        const Room& room, float (&sum)[Most]) const {
    visit(ix, iy, iz, step, v, [&](const Cells& cells, const DdSteps& steps) {
      const auto sum_of_row = [&](RayCell first) {
        float of_row = 0;
        cells.for_cells(first, [&](RayCell cell, float weight) {
          of_row = fmaf(value(cell), Power == 2 ? weight * weight : weight, of_row);
        });
        return of_row;
      };
      if (scan.planar) {
        sum[0] += sum_of_row(first_cell(cells, 0));
        return;
      }
      // Sums of the rows `first` .. `first + rows - 1`, all on the detector, to room[n] and on.
      const auto fill = [&](int first, int rows, int n) {
        RayCell cell = first_cell(cells, first);
#pragma unroll 4
        for (const int end = n + rows; n < end; ++n, to_next_row(cell)) room[n] = sum_of_row(cell);
      };
      const auto add_part = [&](int k, float of_row, float height) {
        sum[k] = fmaf(of_row, Power == 2 ? height * height : height, sum[k]);
      };
      const int low = DdSteps::row_of(steps.low), rows = steps.last_row(Most) - low + 1;
      if (steps.span <= 1 && rows <= room.size) {  // all rows at once, with 0 beyond the detector
        const int before = least(most(-low, 0), rows),
                  end = most(least(rows, scan.rows - low), before);
        for (int n = 0; n < before; ++n) room[n] = 0;
        fill(low + before, end - before, before);
        for (int n = end; n < rows; ++n) room[n] = 0;
        DdSteps from_low = steps;
        from_low.low -= static_cast<std::int64_t>(low) << 32;
        from_low.template for_parts<Most, false>(
            [&](int k, int row, float height) { add_part(k, room[row], height); });
        return;
      }
      for_windows(steps, count, room, [&](int first, int of_window) {
        fill(first, of_window, 0);
        steps.template for_parts<Most>([&](int k, int row, float height) {
          if (static_cast<unsigned>(row - first) < static_cast<unsigned>(of_window))
            add_part(k, room[row - first], height);
        });
      });
    });
  }

  /// Calls add(RayCell, sum of a_k x[k]) for the cells of view v, with a_k the weight of the voxel
  /// iz + k step, for k < count.
  template <int Most, class Add>
  GANTRY_HD void spread(int ix, int iy, int iz, int step, int count, int v, const float (&x)[Most],
                        const Room& room, const Add& add) const {
    visit(ix, iy, iz, step, v, [&](const Cells& cells, const DdSteps& steps) {
      const auto add_to_row = [&](RayCell first, float sum) {
        cells.for_cells(first, [&](RayCell cell, float weight) {
          if (weight > 0) add(cell, weight * sum);
        });
      };
      if (scan.planar) {
        add_to_row(first_cell(cells, 0), x[0]);
        return;
      }
      for_windows(steps, count, room, [&](int first, int rows) {
        for (int n = 0; n < rows; ++n) room[n] = 0;
        steps.template for_parts<Most>([&](int k, int row, float height) {
          if (static_cast<unsigned>(row - first) < static_cast<unsigned>(rows))
            room[row - first] = fmaf(height, x[k], room[row - first]);
        });
        RayCell cell = first_cell(cells, first);
        for (int n = 0; n < rows; ++n, to_next_row(cell))
          if (const float of_row = room[n]; of_row != 0.0F) add_to_row(cell, of_row);
      });
    });
  }

  /// Calls use(k, RayCell, weight) for the rays of view v that weigh the voxels iz + k step, with
  /// k < count.
  template <int Most, class Use>
  GANTRY_HD void visit_columns(int ix, int iy, int iz, int step, int count, int v,
                               const Use& use) const {
    visit(ix, iy, iz, step, v, [&](const Cells& cells, const DdSteps& steps) {
      steps.template for_parts<Most, true, false>([&](int k, int row, float height) {
        if (k >= count || !(height > 0) || row < 0 || row >= scan.rows) return;
        cells.for_cells(first_cell(cells, row), [&](RayCell cell, float weight) {
          if (weight > 0) use(k, cell, weight * height);
        });
      });
    });
  }

  /// Calls use(voxel, weight) for the voxels that a ray weighs; `lanes` threads divide the layers.
  template <class Use>
  GANTRY_HD void visit_row(std::uint32_t number, int lane, int lanes, const Use& use) const {
    const int c = static_cast<int>(number % scan.columns);
    const auto rest = static_cast<int>(number / scan.columns);
    const int row = rest % scan.rows, v = rest / scan.rows;
    const DdWeightView& view = scan.view[v];
    const DdColumn column = scan.columns_of(v)[c];
    const double lower = column.edge, upper = scan.columns_of(v)[c + 1].edge;
    const float path_mm = column.path_mm(view.layer_mm, static_cast<float>(row) - scan.central_row);
    const int width = view.along_y ? scan.nx : scan.ny, slices = view.along_y ? scan.ny : scan.nx;
    for (int k = lane; k < slices; k += lanes) {
      const DdLayer layer = dd_layer(view, k);
      const double at = fma(layer.scale, lower, layer.shift),
                   next = fma(layer.scale, upper, layer.shift);
      const DdRange pixels = dd_range(fmin(at, next), fmax(at, next), width);
      for (int i = pixels.first; i <= pixels.last; ++i)
        if (const float part = dd_part(static_cast<float>(at - i), static_cast<float>(next - i));
            part > 0)
          visit_line(view, i, k, row, part * path_mm, use);
    }
  }

 private:
  using Cells = DdCells<HasPaths>;

  /// Calls use(cells, steps) for the columns of the detector that see a pixel, some at a time.
  template <class Use>
  GANTRY_HD void visit(int ix, int iy, int iz, int step, int v, const Use& use) const {
    const DdWeightView& view = scan.view[v];
    const int pixel = view.along_y ? ix : iy, slice = view.along_y ? iy : ix;
    const DdLayer layer = dd_layer(view, slice);
    const ColumnRange columns = dd_columns(scan, view, layer, pixel);
    if (columns.first > columns.last) return;
    const DdSteps steps = scan.planar ? DdSteps::planar()
                                      : DdSteps::of(dd_heights(scan, view, pixel, slice), iz, step);
    const DdColumn* of_view = scan.columns_of(v);
    DdColumn column = of_view[columns.first];
    float edge = layer.from_pixel(column.edge, pixel);
    for (int begin = columns.first; begin <= columns.last;) {
      // The second of the columns exists, whether it sees the pixel or not.
      const int first = most(least(begin, scan.columns - 2), 0);
      Cells cells;
      cells.view = v;
      cells.first_column = first;
      cells.columns_of_detector = scan.columns;
      cells.central_row = scan.central_row;
#pragma unroll
      for (int n = 0; n < Cells::most; ++n) {
        cells.part[n] = cells.part_square[n] = cells.rise[n] = 0;
        if (first + n < begin || first + n > columns.last) continue;
        const DdColumn next = of_view[first + n + 1];
        const float next_edge = layer.from_pixel(next.edge, pixel);
        if (scan.planar) column.rise_per_row = 0;
        cells.set(n, dd_part(edge, next_edge), view.layer_mm, column);
        column = next;
        edge = next_edge;
      }
      begin = first + Cells::most;
      if (cells.part[0] + cells.part[1] + cells.part[2] > 0) use(cells, steps);
    }
  }
  GANTRY_HD RayCell first_cell(const Cells& cells, int row) const {
    return ray_cell(cells.view, row, cells.first_column, scan.rows, scan.columns);
  }
  GANTRY_HD void to_next_row(RayCell& cell) const {
    cell.ray += static_cast<unsigned>(scan.columns);
    ++cell.row;
  }
  /// Calls use(first row, number) for the rows of the detector that can see the voxels k < count,
  /// as many at a time as there is room for.
  template <class Use>
  GANTRY_HD void for_windows(const DdSteps& steps, int count, const Room& room,
                             const Use& use) const {
    const int last = least(steps.last_row(count), scan.rows - 1);
    for (int first = most(DdSteps::row_of(steps.low), 0); first <= last; first += room.size)
      use(first, least(room.size, last - first + 1));
  }

  /// Calls use(voxel, weight) for the voxels under a row on the voxel line of pixel i of layer k.
  template <class Use>
  GANTRY_HD void visit_line(const DdWeightView& view, int i, int k, int row, float weight,
                            const Use& use) const {
    const int x = view.along_y ? i : k, y = view.along_y ? k : i;
    const std::size_t pixel = static_cast<std::size_t>(y) * scan.nx + x,
                      pixels = static_cast<std::size_t>(scan.nx) * scan.ny;
    if (scan.planar) {
      use(pixel, weight);
      return;
    }
    const DdHeights heights = dd_heights(scan, view, i, k);
    const double low = (row - heights.at_zero) / heights.rows_per_voxel,
                 high = (row + 1 - heights.at_zero) / heights.rows_per_voxel;
    constexpr double spare = 1e-6;
    const DdRange voxels = dd_range(low - spare, high + spare, scan.nz);
    for (int z = voxels.first; z <= voxels.last; ++z)
      if (const float height = heights.part_in_voxel(row, z); height > 0)
        use(pixel + static_cast<std::size_t>(z) * pixels, weight * height);
  }
};
using DdWeights = DdWeightsOf<true>;

}  // namespace gantry::device
