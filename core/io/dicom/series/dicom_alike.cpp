#include "core/io/dicom/series/dicom_alike.hpp"

#include "core/base/text_stream.hpp"

#include <cmath>
#include <locale>

namespace gantry {

namespace {

constexpr double same_spacing = 1e-4;    // relative; files round to four digits or more
constexpr double same_direction = 1e-3;  // length of a difference of unit vectors

std::string size_of(const DicomFrame& image) {
  return std::to_string(image.columns) + " x " + std::to_string(image.rows);
}

}  // namespace

std::string millimetres(double value) {
  TextStream text;
  text.imbue(std::locale::classic());
  text << value;  // six digits
  return text.str() + " mm";
}

std::string difference_of(const DicomFrame& a, const DicomFrame& b) {
  const std::string both = a.label() + " and " + b.label();
  if (a.rows != b.rows || a.columns != b.columns)
    return both + " differ in size, " + size_of(a) + " and " + size_of(b) + " pixels";
  for (const std::size_t axis : {0U, 1U}) {
    const double first = (*a.spacing_mm)[axis], second = (*b.spacing_mm)[axis];
    if (std::abs(first - second) > same_spacing * first)
      return both + " differ in pixel size, " + millimetres(first) + " and " + millimetres(second);
  }
  if (!a.directions || !b.directions) return {};
  for (const std::size_t axis : {0U, 1U})
    if (norm((*b.directions)[axis] - (*a.directions)[axis]) > same_direction)
      return both + " differ in orientation";
  return {};
}

std::vector<std::size_t> largest_alike(std::span<const DicomFrame> images) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < images.size(); ++i) {
    bool has_group = false;
    for (std::vector<std::size_t>& group : groups) {
      if (!difference_of(images[group.front()], images[i]).empty()) continue;
      group.push_back(i);
      has_group = true;
      break;
    }
    if (!has_group) groups.push_back({i});
  }
  std::vector<std::size_t> largest;
  for (std::vector<std::size_t>& group : groups)
    if (group.size() > largest.size()) largest = std::move(group);
  return largest;
}

}  // namespace gantry
