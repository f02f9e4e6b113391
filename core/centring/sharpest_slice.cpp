#include "core/centring/sharpest_slice.hpp"

#include "core/alignment/centre_from_data.hpp"
#include "core/alignment/view_circle.hpp"
#include "core/base/error.hpp"
#include "core/base/least_value.hpp"
#include "core/centring/row_slices.hpp"
#include "core/centring/slice_sharpness.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr int coarse_columns = 96, coarse_views = 120;
constexpr int middle_columns = 256, fine_columns = 512, fine_views = 360;
constexpr double free_reach = 0.25;    // of the columns, to both sides of the stated axis
constexpr double guided_reach = 0.04;  // to both sides of the axis by another method
constexpr double least_arc_deg = 170;
constexpr double least_parallel_arc_deg =
    178;  // short of half a turn the sharpest slice moves away
constexpr double most_mismatch = 0.8, most_guided_mismatch = 0.95;
constexpr double least_reach = 4;     // columns of the coarse slices
constexpr double most_off_guide = 2;  // columns of the finest slices
constexpr double least_spread = 0.1;  // columns of the finest slices: what interpolation may add
constexpr int most_moves = 24;
constexpr double most_at_end = 0.1;  // of the highest mean of a column: more is the object

using Measure = double (*)(std::span<const float>, const VolumeGrid&);

Measure measure_for(const ScanSpec& spec) {
  return negative_values_show_axis(spec) ? negativity : smoothness;
}

/// The measure of slices of one row; each slice is computed once.
class Curve {
 public:
  Curve(RowScan row, const Interrupt* interrupt)
      : slices_(std::move(row), interrupt, SliceWeights::common),
        measure_(measure_for(slices_.row().spec)) {}

  /// Returns the measure for the axis at so many half columns of the row.
  double at(int half_columns) {
    const auto [place, is_new] = values_.try_emplace(half_columns, 0.0);
    if (is_new) place->second = measure_(slices_.slice(column(half_columns)), slices_.grid());
    return place->second;
  }
  double column(double half_columns) const {
    return slices_.row().detector_column(0.5 * half_columns);
  }
  int half_columns(double column) const {
    return static_cast<int>(std::lround(2 * slices_.row().binned(column)));
  }
  int slices() const { return static_cast<int>(values_.size()); }

  /// Returns the least value near a column, refined by a parabola; nothing if there is no minimum.
  std::optional<double> minimum_near(double start) {
    int here = half_columns(start);
    for (int move = 0; move < most_moves; ++move) {
      const double before = at(here - 1), value = at(here), after = at(here + 1);
      if (before < value || after < value)
        here += before < after ? -1 : 1;
      else
        return column(here + minimum_of_parabola(before, value, after).offset);
    }
    return std::nullopt;
  }

 private:
  RowSlices slices_;
  Measure measure_;
  std::map<int, double> values_;  // by half columns
};

struct Least {
  double column = 0, mismatch = 1;
};

/// Returns the axis of the least value about a column; nothing at the ends.
std::optional<Least> search(Curve& curve, double low, double high) {
  std::vector<double> values;
  const int first = curve.half_columns(low), last = curve.half_columns(high);
  for (int axis = first; axis <= last; ++axis) values.push_back(curve.at(axis));
  if (values.empty()) return std::nullopt;
  const LeastValue least = least_value(values);
  if (!least.minimum) return std::nullopt;
  return Least{curve.column(first + least.index),
               relative_to_median(least.value, std::move(values))};
}

/// Returns the scan with every second view from one on.
RowScan every_second_view(const RowScan& row, std::size_t first) {
  RowScan some = row;
  some.spec.view_angles_rad.clear();
  some.line_integrals.clear();
  const auto columns = static_cast<std::ptrdiff_t>(row.spec.detector_columns);
  for (std::size_t view = first; view < row.spec.view_angles_rad.size(); view += 2) {
    some.spec.view_angles_rad.push_back(row.spec.view_angles_rad[view]);
    const auto from = row.line_integrals.begin() + static_cast<std::ptrdiff_t>(view) * columns;
    some.line_integrals.insert(some.line_integrals.end(), from, from + columns);
  }
  return some;
}

/// Returns whether a row sees air at both ends, on the mean of all views. Else the detector's edge
/// is the strongest structure of each slice; in half acquisitions it is sharpest about an axis far
/// from the true one.
bool ends_in_air(const RowScan& row) {
  std::vector<double> means(static_cast<std::size_t>(row.spec.detector_columns));
  for (std::size_t i = 0; i < row.line_integrals.size(); ++i)
    means[i % means.size()] += row.line_integrals[i];
  const double most = most_at_end * std::ranges::max(means);
  return means.front() <= most && means.back() <= most;
}

/// The axes that are searched, in columns, and the conditions on the sharpest one.
struct Scope {
  double middle = 0, reach = 0;
  double most_mismatch = 0;
  std::optional<double> guide = std::nullopt;  ///< the axis by another method
};

/// Returns where to search. Slices of a diverging beam can be sharp about a wrong axis, for which
/// the misplaced edge of a cylinder shrinks to a point; therefore they only refine an axis that
/// another method has found.
std::optional<Scope> scope_of(const ScanGeometry& geometry, std::span<const float> line_integrals,
                              const RowScan& row, const Interrupt* interrupt) {
  const double last = geometry.columns() - 1.0, stated = geometry.spec().central_column;
  if (geometry.beam() == Beam::parallel) {
    const double reach = free_reach * last;
    if (!ends_in_air(row) || stated < reach || stated > last - reach) return std::nullopt;
    return Scope{.middle = stated, .reach = reach, .most_mismatch = most_mismatch};
  }
  if (interrupt != nullptr) interrupt->check();
  const auto told = centre_from_data(geometry, line_integrals);
  if (!told) return std::nullopt;
  return Scope{.middle = told->column,
               .reach = std::max(guided_reach * last, least_reach * row.bin),
               .most_mismatch = most_guided_mismatch,
               .guide = told->column};
}

}  // namespace

std::optional<CentreEstimate> centre_from_sharpness(const ScanGeometry& geometry,
                                                    std::span<const float> line_integrals,
                                                    const Interrupt* interrupt) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  auto small = middle_row(geometry, line_integrals, coarse_columns, coarse_views),
       middle = middle_row(geometry, line_integrals, middle_columns, fine_views),
       large = middle_row(geometry, line_integrals, fine_columns, fine_views);
  if (!small || !middle || !large ||
      degrees(ViewCircle(geometry.spec()).covered_rad()) <
          (geometry.beam() == Beam::parallel ? least_parallel_arc_deg : least_arc_deg))
    return std::nullopt;
  const auto scope = scope_of(geometry, line_integrals, *small, interrupt);
  if (!scope) return std::nullopt;
  for (RowScan* row : {&*small, &*middle, &*large})
    row->spec.central_column = row->binned(scope->middle);
  Curve coarse(*std::move(small), interrupt);
  const auto near = search(coarse, std::max(0.0, scope->middle - scope->reach),
                           std::min(geometry.columns() - 1.0, scope->middle + scope->reach));
  if (!near || !(near->mismatch <= scope->most_mismatch)) return std::nullopt;
  Curve fine(*middle, interrupt);
  auto column = fine.minimum_near(near->column);
  int slices = coarse.slices() + fine.slices();
  if (column && large->bin < middle->bin) {
    Curve finest(*large, interrupt);
    column = finest.minimum_near(*column);
    slices += finest.slices();
  }
  if (!column) return std::nullopt;
  const double off = scope->guide ? std::abs(*column - *scope->guide) : 0;
  if (off > most_off_guide * large->bin) return std::nullopt;
  CentreEstimate estimate{.column = *column,
                          .pairs = slices,
                          .spread = std::max(off, least_spread * large->bin),
                          .mismatch = near->mismatch,
                          .basis = "the sharpest of " + std::to_string(slices) + " slices"};
  Curve even(every_second_view(*large, 0), interrupt), odd(every_second_view(*large, 1), interrupt);
  const auto of_even = even.minimum_near(*column), of_odd = odd.minimum_near(*column);
  if (of_even && of_odd)
    estimate.spread = std::fmax(estimate.spread, 0.5 * std::abs(*of_even - *of_odd));
  return estimate;
}

}  // namespace gantry
