#include "core/io/imports/checks/axes_to_try.hpp"

#include "core/alignment/centre_from_data.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace gantry {

namespace {

/// Whether the data tell an axis of rotation where the rows of the scan are its columns. At most
/// some of these rows, at equal distances, are looked at: a copy of all might not fit into memory.
/// The centres of mass of the views are not asked, which lie at one height in any scan.
bool tell_axis_along_rows(const ScanSpec& circle, std::span<const float> line_integrals) {
  constexpr std::size_t most_rows = 32;
  const auto columns = static_cast<std::size_t>(circle.detector_columns),
             step = (columns - 1) / most_rows + 1;
  ScanSpec turned = circle;
  turned.detector_columns = circle.detector_rows;
  turned.detector_rows = static_cast<int>((columns - 1) / step + 1);
  turned.column_pitch_mm = circle.row_pitch_mm;
  turned.row_pitch_mm = static_cast<double>(step) * circle.column_pitch_mm;
  turned.central_column = 0.5 * (turned.detector_columns - 1);
  turned.central_row = 0.5 * (turned.detector_rows - 1);
  const auto views = circle.view_angles_rad.size(),
             rows = static_cast<std::size_t>(turned.detector_columns);
  std::vector<float> values;
  values.reserve(views * rows * static_cast<std::size_t>(turned.detector_rows));
  for (std::size_t view = 0; view < views; ++view)
    for (std::size_t column = 0; column < columns; column += step)
      for (std::size_t row = 0; row < rows; ++row)
        values.push_back(line_integrals[(view * rows + row) * columns + column]);
  const ScanGeometry geometry(std::move(turned));
  return usual_centres(geometry.beam()).front().find(geometry, values).has_value();
}

}  // namespace

std::string axes_to_try(const OtherAxes& other, const ScanSpec& circle,
                        std::span<const float> line_integrals, bool lacks_flat) {
  if (!other.exchanged.empty() && !lacks_flat && tell_axis_along_rows(circle, line_integrals))
    return "; they tell one with the rows and columns of the array exchanged: give --axes " +
           other.exchanged + " if that is their order";
  if (!other.reversed.empty())
    return "; if the columns of the array are its first axis, give --axes " + other.reversed;
  return {};
}

}  // namespace gantry
