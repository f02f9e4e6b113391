#include "core/corrections/padding/padding.hpp"

#include "core/base/error.hpp"
#include "core/corrections/correction.hpp"
#include "core/geometry/scan_coverage.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace gantry {

namespace {

/// Of the measured columns: how far values fade. Where they fade further, FBP shows an object that
/// is larger than most are, and values that are too low.
constexpr int fading_part = 3;

/// Returns the parts of the outermost measured value that the columns beside it show.
std::vector<float> parts_of(const Padding& padding, int measured) {
  std::vector<float> parts(static_cast<std::size_t>(padding.columns),
                           padding.values == PadValues::edge ? 1.0F : 0.0F);
  const int fading = std::min(padding.columns, std::max(1, measured / fading_part));
  if (padding.values == PadValues::fade)
    for (int d = 1; d <= fading; ++d)
      parts[static_cast<std::size_t>(d - 1)] =
          static_cast<float>(0.5 * (1 + std::cos(pi * d / (fading + 1))));
  return parts;
}

/// Whether a full turn measures much of the object from one side alone, so that methods weigh the
/// views of both sides by how far the detector reaches there.
bool is_one_sided(const ScanGeometry& scan) {
  constexpr double much = 0.05;  // of all columns
  const double off = scan.spec().central_column - 0.5 * (scan.columns() - 1);
  return scan.rotates() && std::abs(off) > much * scan.columns() && covers_full_turn(scan);
}

}  // namespace

std::shared_ptr<const ScanGeometry> padded(std::shared_ptr<const ScanGeometry> measured,
                                           const Padding& padding) {
  constexpr int widest = 65536;
  if (padding.columns == 0) return measured;
  ScanSpec spec = measured->spec();
  if (padding.columns > (widest - spec.detector_columns) / 2)
    throw UsageError(
        "the detector of " + std::to_string(spec.detector_columns) +
            " columns cannot be padded by " + std::to_string(padding.columns) + " at each end",
        "--pad", "add at most " + std::to_string((widest - spec.detector_columns) / 2));
  spec.detector_columns += 2 * padding.columns;
  spec.central_column += padding.columns;
  return std::make_shared<const ScanGeometry>(std::move(spec));
}

ScanSpec without_padding(ScanSpec spec, const Padding& padding) {
  spec.detector_columns -= 2 * padding.columns;
  spec.central_column -= padding.columns;
  return spec;
}

void pad(std::vector<float>& line_integrals, int columns, const Padding& padding) {
  const std::vector<float> parts = parts_of(padding, columns);
  const auto measured = static_cast<std::size_t>(columns), added = parts.size(),
             wide = measured + 2 * added, lines = line_integrals.size() / measured;
  if (added == 0) return;
  line_integrals.resize(lines * wide);
  // From the last row on: no row is written over before it has moved.
  for (std::size_t line = lines; line-- > 0;) {
    const auto from = line_integrals.begin() + static_cast<std::ptrdiff_t>(line * measured),
               to = line_integrals.begin() + static_cast<std::ptrdiff_t>(line * wide + added),
               end = to + static_cast<std::ptrdiff_t>(measured);
    std::copy_backward(from, from + static_cast<std::ptrdiff_t>(measured), end);
    const float first = *to, last = *(end - 1);
    for (std::size_t d = 0; d < added; ++d) {
      *(to - 1 - static_cast<std::ptrdiff_t>(d)) = parts[d] * first;
      *(end + static_cast<std::ptrdiff_t>(d)) = parts[d] * last;
    }
  }
}

std::string named_padding(const Padding& padding) {
  return padding.columns == 0
             ? ""
             : ", padded by " + counted(static_cast<std::size_t>(padding.columns), "column") +
                   " at each end";
}

std::string expected_of_padding(const Padding& padding) {
  if (padding.columns == 0) return {};
  return padding.values == PadValues::zero
             ? "a bright rim and wrong values, which columns of 0 do not mend"
             : "wrong values near the rim, since the columns that are added only guess how the "
               "rows "
               "go on";
}

std::string padding_note(const ScanGeometry& measured, const Padding& padding) {
  if (padding.columns == 0) return {};
  const std::string values = padding.values == PadValues::fade   ? "the outermost values faded to 0"
                             : padding.values == PadValues::edge ? "the outermost values"
                                                                 : "0";
  std::string note = counted(static_cast<std::size_t>(padding.columns), "column") +
                     (padding.columns == 1 ? " was" : " were") +
                     " added at each end of the detector, showing " + values +
                     ": FBP and FDK filter past the ends so; iterative methods take these "
                     "columns as measured";
  if (is_one_sided(measured))
    note +=
        "; since the axis is off the middle, FBP and FDK also weigh the columns that were added as "
        "measured ones: their \"extrapolation\" does not";
  return note;
}

}  // namespace gantry
