#include "core/corrections/bad_cells.hpp"

#include "core/base/error.hpp"
#include "core/base/for_lines.hpp"
#include "core/corrections/cell_repair.hpp"
#include "core/corrections/robust.hpp"

#include <array>

namespace gantry {

namespace {

constexpr int few_rows = 3;                // detectors of fewer are compared along the rows only
constexpr int reach = 6;                   // neighbours on each side, along a row or a column
constexpr float least_level = 1e-3F;       // of the range of all levels: less is no difference
constexpr float least_difference = 1e-6F;  // line integral; where all levels are equal
constexpr float least_roughness = 1e-6F;   // of the range of all levels: rounding alone causes it
constexpr std::size_t most_neighbours = 24;
constexpr float least_dark = 11;     // line integral; no object lets so little of a beam through
constexpr float least_alike = 0.5F;  // difference of a neighbour over that of the cell
constexpr int fewest_alike = 2;      // such neighbours of a cell that sees an object

/// Statistics of each cell over the views.
struct CellStatistics {
  std::vector<float> level;      ///< the mean, without zingers
  std::vector<float> roughness;  ///< change from view to view, without zingers
  std::vector<float> change;     ///< likewise, with them
};

/// Some values near a cell.
class Neighbours {
 public:
  void add(float value) { values_[count_++] = value; }
  /// Returns the values, which the caller may reorder.
  std::span<float> values() { return {values_.data(), count_}; }
  float median() { return count_ > 0 ? upper_median(values()) : 0.0F; }
  float lower_quartile() {
    if (count_ == 0) return 0;
    const auto at = values().begin() + static_cast<std::ptrdiff_t>(count_ / 4);
    std::ranges::nth_element(values(), at);
    return *at;
  }

 private:
  std::array<float, most_neighbours> values_{};
  std::size_t count_ = 0;
};

class BadCells : public Correction {
 public:
  BadCells(const ScanGeometry& scan, const Params& params)
      : Correction(scan),
        level_(static_cast<float>(params.real("level"))),
        still_(static_cast<float>(params.real("still"))),
        wild_(static_cast<float>(params.real("wild"))) {}
  std::size_t workspace_bytes() const override { return 9 * sizeof(float) * cells(); }

 private:
  std::vector<std::string> correct(std::span<float> line_integrals,
                                   const Interrupt* interrupt) const override {
    if (views() < 3)
      throw InputError("needs 3 views, and the scan has " + std::to_string(views()), "bad_cells",
                       "leave this correction out");
    const std::vector<std::size_t> bad = find(statistics(line_integrals, interrupt), interrupt);
    if (bad.size() > cells() / 4)
      throw InputError(
          "finds " + std::to_string(bad.size()) + " bad cells of " + std::to_string(cells()),
          "bad_cells", "raise level and wild, or lower still");
    const CellRepair repair(rows(), columns(), bad);
    for_lines(views(), interrupt,
              [&](std::ptrdiff_t index) { repair.apply(view(line_integrals, index)); });
    if (bad.empty()) return {"no cell is dead, stuck or wild"};
    return {counted(bad.size(), "cell") + " of " + std::to_string(cells()) +
            (bad.size() == 1 ? " is" : " are") +
            " dead, stuck or wild and got the mean of the living neighbours"};
  }

  CellStatistics statistics(std::span<const float> values, const Interrupt* interrupt) const {
    CellStatistics result{std::vector<float>(cells()), std::vector<float>(cells()),
                          std::vector<float>(cells())};
    for_lines(rows(), interrupt, [&](std::ptrdiff_t row) {
      constexpr std::size_t chunk = 64;  // cells whose values of all views stay in the cache
      const auto width = static_cast<std::size_t>(columns()),
                 first = static_cast<std::size_t>(row) * width;
      for (std::size_t c = 0; c < width; c += chunk)
        take_statistics(values, first + c, std::min(chunk, width - c), result);
    });
    return result;
  }

  /// Takes the statistics of so many neighbouring cells. Zingers are left out: bends, the second
  /// differences of a cell's values, that are far above what is usual in this cell.
  void take_statistics(std::span<const float> values, std::size_t first, std::size_t count,
                       CellStatistics& result) const {
    constexpr float usual = 5, rms_per_mean = 1.2533F;  // of normal noise
    const auto bends = static_cast<float>(std::max(1, views() - 2));
    std::vector<double> sums(count), sizes(count), squares(count);
    for (int i = 0; i < views(); ++i)
      for (std::size_t c = 0; c < count; ++c) sums[c] += value(values, i, first + c);
    for_bends(values, first, count, [&](std::size_t c, int, float bend) {
      sizes[c] += std::abs(bend);
      squares[c] += static_cast<double>(bend) * bend;
    });
    std::vector<float> most(count);
    for (std::size_t c = 0; c < count; ++c) {
      result.change[first + c] = static_cast<float>(std::sqrt(squares[c] / bends));
      most[c] = usual * rms_per_mean * static_cast<float>(sizes[c]) / bends;
    }
    for (const bool is_last : {false, true}) {
      std::ranges::fill(squares, 0.0);
      std::vector<int> counts(count);
      for_bends(values, first, count, [&](std::size_t c, int view, float bend) {
        if (std::abs(bend) <= most[c]) {
          squares[c] += static_cast<double>(bend) * bend;
          ++counts[c];
        } else if (is_last && is_spike(values, view, first + c, bend)) {
          sums[c] -= bend;
        }
      });
      for (std::size_t c = 0; c < count; ++c) {
        result.roughness[first + c] =
            static_cast<float>(std::sqrt(squares[c] / std::max(1, counts[c])));
        most[c] = usual * result.roughness[first + c];
      }
    }
    for (std::size_t c = 0; c < count; ++c)
      result.level[first + c] = static_cast<float>(sums[c] / views());
  }

  float value(std::span<const float> values, int view, std::size_t cell) const {
    return values[static_cast<std::size_t>(view) * cells() + cell];
  }
  float bend_at(std::span<const float> values, int view, std::size_t cell) const {
    return value(values, view, cell) -
           0.5F * (value(values, view - 1, cell) + value(values, view + 1, cell));
  }
  /// Calls take(cell less first, view, bend) for all views but the first and the last one.
  template <class Take>
  void for_bends(std::span<const float> values, std::size_t first, std::size_t count,
                 const Take& take) const {
    for (int view = 1; view + 1 < views(); ++view)
      for (std::size_t c = 0; c < count; ++c) take(c, view, bend_at(values, view, first + c));
  }
  /// Whether the values before and after the one that bends so do not bend more.
  bool is_spike(std::span<const float> values, int view, std::size_t cell, float bend) const {
    const auto is_less = [&](int other) {
      return other < 1 || other + 2 > views() ||
             std::abs(bend_at(values, other, cell)) <= std::abs(bend);
    };
    return is_less(view - 1) && is_less(view + 1);
  }

  /// Calls visit(index) for the cells near one, without itself.
  template <class Visit>
  void for_near(int row, int column, int row_reach, int column_reach, const Visit& visit) const {
    for (int r = std::max(0, row - row_reach); r <= std::min(rows() - 1, row + row_reach); ++r)
      for (int c = std::max(0, column - column_reach);
           c <= std::min(columns() - 1, column + column_reach); ++c)
        if (r != row || c != column) visit(index(r, c));
  }
  Neighbours near(const std::vector<float>& values, int row, int column, int row_reach,
                  int column_reach) const {
    Neighbours found;
    for_near(row, column, row_reach, column_reach,
             [&](std::size_t cell) { found.add(values[cell]); });
    return found;
  }
  /// Returns, for each distance, the mean of the values at both sides of a cell; on a slope these
  /// means are equal.
  Neighbours opposite_means(const std::vector<float>& values, int row, int column, int row_step,
                            int column_step) const {
    Neighbours found;
    for (int k = 1; k <= reach; ++k) {
      const int r = k * row_step, c = k * column_step;
      if (row - r < 0 || row + r >= rows() || column - c < 0 || column + c >= columns()) break;
      found.add(0.5F * (values[index(row - r, column - c)] + values[index(row + r, column + c)]));
    }
    return found;
  }
  std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns()) +
           static_cast<std::size_t>(column);
  }
  bool has_few_rows() const { return rows() < few_rows; }

  /// Calls judge(row, column, index) for each cell, in parallel.
  template <class Judge>
  void for_cells(const Interrupt* interrupt, const Judge& judge) const {
    for_lines(rows(), interrupt, [&](std::ptrdiff_t row) {
      for (int c = 0; c < columns(); ++c)
        judge(static_cast<int>(row), c, index(static_cast<int>(row), c));
    });
  }

  /// Returns the indices of the bad cells in ascending order.
  std::vector<std::size_t> find(const CellStatistics& statistics,
                                const Interrupt* interrupt) const {
    const float range = range_of(statistics.level), usual = usual_roughness(statistics.roughness);
    std::vector<char> is_bad(cells());
    for_cells(interrupt, [&](int row, int column, std::size_t cell) {
      is_bad[cell] = has_odd_roughness(statistics.roughness, row, column, usual, range) ? 1 : 0;
    });
    mark_constant(statistics, range, interrupt, is_bad);
    mark_off(statistics.level, 0, 1, range, interrupt, is_bad);
    if (!has_few_rows()) mark_off(statistics.level, 1, 0, range, interrupt, is_bad);
    std::vector<std::size_t> bad;
    for (std::size_t cell = 0; cell < cells(); ++cell)
      if (is_bad[cell] != 0) bad.push_back(cell);
    return bad;
  }

  /// Marks the cells whose level differs from that of the neighbours in the direction (row_step,
  /// column_step), along the row or along the column. Each direction is judged on its own, because
  /// the levels of sound cells may have a step along one of them. On a steep slope the levels of
  /// the neighbours spread widely; smaller differences are then judged by opposite_means().
  void mark_off(const std::vector<float>& level, int row_step, int column_step, float range,
                const Interrupt* interrupt, std::vector<char>& is_bad) const {
    const auto off_all = deviations(level, range, interrupt, [&](int row, int column) {
      return near(level, row, column, row_step * reach, column_step * reach);
    });
    const auto off_means = deviations(level, range, interrupt, [&](int row, int column) {
      return opposite_means(level, row, column, row_step, column_step);
    });
    for_cells(interrupt, [&](int row, int column, std::size_t cell) {
      if ((off_all[cell] > level_ || (off_means[cell] > level_ && off_all[cell] > level_ / 3)) &&
          is_peak(level, row, column, row_step, column_step, least_level * range) &&
          !is_of_object(level, row, column, [&](int r, int c) {
            return near(level, r, c, row_step * reach, column_step * reach).median();
          }))
        is_bad[cell] = 1;
    });
  }

  /// Whether a level that differs from the usual one, usual_of(row, column), is that of an object
  /// whose shadow does not move, such as a rod on the axis, and which is wider than a cell: some
  /// neighbours then differ, to the same side, by as much from the usual level at their place. A
  /// cell that no beam reaches in any view is dead, whatever its neighbours see.
  template <class UsualOf>
  bool is_of_object(const std::vector<float>& level, int row, int column,
                    const UsualOf& usual_of) const {
    const float own = level[index(row, column)] - usual_of(row, column);
    if (level[index(row, column)] > least_dark) return false;
    int alike = 0;
    for_near(row, column, 1, 1, [&](std::size_t other) {
      const auto width = static_cast<std::size_t>(columns());
      const float off =
          level[other] - usual_of(static_cast<int>(other / width), static_cast<int>(other % width));
      if (level[other] <= least_dark && off * own >= least_alike * own * own) ++alike;
    });
    return alike >= fewest_alike;
  }

  /// Whether, for some distance k, a level lies above or below all levels on both sides at the
  /// distances k and 2 k, by more than `least`, and for k > 1 also by more than their range, since
  /// the shadow of a narrow object is round. At the foot and the rim of a shadow that does not move
  /// a level lies between its neighbours, however much it differs from their median. At the ends of
  /// a line, where this cannot be told, returns true.
  bool is_peak(const std::vector<float>& level, int row, int column, int row_step, int column_step,
               float least) const {
    const float own = level[index(row, column)];
    const auto is_inside = [&](int away) {
      const int r = row + away * row_step, c = column + away * column_step;
      return r >= 0 && r < rows() && c >= 0 && c < columns();
    };
    if (!is_inside(-1) || !is_inside(1)) return true;
    for (int k = 1; 2 * k <= reach && is_inside(-k) && is_inside(k); ++k) {
      Neighbours others;
      for (const int away : {-2 * k, -k, k, 2 * k})
        if (is_inside(away))
          others.add(level[index(row + away * row_step, column + away * column_step)]);
      const auto [low, high] = std::ranges::minmax(others.values());
      const float margin = least + (k > 1 ? high - low : 0);
      if (own > high + margin || own < low - margin) return true;
    }
    return false;
  }

  /// Returns the difference of each cell's level from the median of of_others(row, column), in
  /// units of the spread of these.
  template <class OfOthers>
  std::vector<float> deviations(const std::vector<float>& level, float range,
                                const Interrupt* interrupt, const OfOthers& of_others) const {
    std::vector<float> off(cells()), spread(cells());
    for_cells(interrupt, [&](int row, int column, std::size_t cell) {
      Neighbours others = of_others(row, column);
      if (others.values().empty()) return;  // at the end of a line, or a detector of one cell
      const Robust around = robust_of(others.values());
      off[cell] = std::abs(level[cell] - around.median);
      spread[cell] = around.deviation;
    });
    std::vector<float> sorted = off;
    const float least =
        std::max({deviation_per_mad * upper_median(sorted), least_level * range, least_difference});
    for (std::size_t cell = 0; cell < cells(); ++cell) off[cell] /= std::max(spread[cell], least);
    return off;
  }

  /// Marks cells that never change and differ from the neighbours that never change either. These
  /// are not all bad: in data without noise, sound cells never change where they see only air or a
  /// round object on the axis.
  void mark_constant(const CellStatistics& statistics, float range, const Interrupt* interrupt,
                     std::vector<char>& is_bad) const {
    const float floor = least_roughness * range;
    const auto constant_near = [&](int row, int column) {
      Neighbours constant;
      for_near(row, column, std::min(2, rows() - 1), 2, [&](std::size_t other) {
        if (statistics.change[other] <= floor) constant.add(statistics.level[other]);
      });
      return constant;
    };
    for_cells(interrupt, [&](int row, int column, std::size_t cell) {
      if (statistics.change[cell] > floor) return;
      Neighbours constant = constant_near(row, column);
      if (constant.values().empty()) return;
      const Robust around = robust_of(constant.values());
      const float off = std::abs(statistics.level[cell] - around.median);
      if (off > level_ * std::max(least_level * range, around.deviation) &&
          !is_of_object(statistics.level, row, column,
                        [&](int r, int c) { return constant_near(r, c).median(); }))
        is_bad[cell] = 1;
    });
  }

  /// Whether a cell is stuck or wild. A stuck cell must be less rough than most of its neighbours
  /// both along the row and along the column: at the outline of a shadow the neighbours outside are
  /// as smooth as a sound cell, and under an object on the axis all cells of a column are smooth.
  bool has_odd_roughness(const std::vector<float>& roughness, int row, int column, float usual,
                         float range) const {
    const float own = roughness[index(row, column)], floor = least_roughness * range;
    Neighbours along = near(roughness, row, column, 0, reach),
               across = has_few_rows() ? along : near(roughness, row, column, reach, 0);
    const float least = std::min(along.lower_quartile(), across.lower_quartile());
    if (least > floor && own < still_ * least) return true;
    return own > floor && own > wild_ * std::max({along.median(), across.median(), usual});
  }

  /// Returns the range of the levels without a hundredth at both ends, which bad cells may be.
  static float range_of(std::vector<float> levels) {
    const auto end = static_cast<std::ptrdiff_t>(levels.size()) / 100;
    std::ranges::sort(levels);
    return *(levels.end() - 1 - end) - *(levels.begin() + end);
  }

  /// Returns the median roughness of the cells that see anything change.
  static float usual_roughness(std::vector<float> roughness) {
    std::erase_if(roughness, [](float value) { return !(value > 0); });
    return roughness.empty() ? 0.0F : upper_median(roughness);
  }

  float level_, still_, wild_;
};

}  // namespace

std::vector<ParamSpec> bad_cells_params() {
  return {{.key = "level",
           .label = "Level",
           .unit = {},
           .fallback = 8.0,
           .min = 2,
           .max = 1000,
           .step = 0.5,
           .help = "A cell is bad if the mean of its values lies off its neighbours' by more than "
                   "this many times their spread."},
          {.key = "still",
           .label = "Still",
           .unit = {},
           .fallback = 0.1,
           .min = 0,
           .max = 0.9,
           .step = 0.05,
           .help = "A cell is stuck if it changes from view to view by less than this part of what "
                   "its neighbours do; 0: none is."},
          {.key = "wild",
           .label = "Wild",
           .unit = {},
           .fallback = 6.0,
           .min = 1.5,
           .max = 1000,
           .step = 0.5,
           .help = "A cell is wild if it changes from view to view by more than this many times "
                   "what its neighbours do."}};
}

std::unique_ptr<Correction> make_bad_cells(const ScanGeometry& scan, const Params& params) {
  return std::make_unique<BadCells>(scan, params);
}

}  // namespace gantry
