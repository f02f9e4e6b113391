#include "core/io/dicom_geometry.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <locale>
#include <numeric>
#include <sstream>

namespace gantry {

namespace {

constexpr double same_spacing = 1e-4;     // relative; files round to four digits or more
constexpr double same_direction = 1e-3;   // length of the difference of unit vectors
constexpr double uneven_noted = 1e-3;     // of a slice distance
constexpr double uneven_refused = 1e-2;   // of a slice distance
constexpr double sideways_noted = 0.05;   // of a pixel
constexpr double sideways_refused = 0.5;  // of a pixel

std::string number(double value, int digits) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(digits);
  text << value;
  return text.str();
}

std::string millimetres(double value) { return number(value, 6) + " mm"; }

[[noreturn]] void missing(DicomTag tag, const DicomFrame& image) {
  throw InputError(describe(tag) + " is missing", image.path,
                   "choose a series that has it, or export the image again");
}

void check_alike(std::span<const DicomFrame> images, const std::string& where) {
  const DicomFrame& first = images.front();
  for (const DicomFrame& image : images) {
    if (image.rows == 0) missing(dicom::rows, image);
    if (image.columns == 0) missing(dicom::columns, image);
    if (!image.spacing_mm) missing(dicom::pixel_spacing, image);
    const std::string both = first.label() + " and " + image.label();
    if (image.rows != first.rows || image.columns != first.columns)
      throw InputError(both + " differ in size, " + std::to_string(first.columns) + " x " +
                           std::to_string(first.rows) + " and " + std::to_string(image.columns) +
                           " x " + std::to_string(image.rows) + " pixels",
                       where, "put the images of one stack in a folder of their own");
    for (const int axis : {0, 1}) {
      const double a = (*first.spacing_mm)[axis], b = (*image.spacing_mm)[axis];
      if (std::abs(a - b) > same_spacing * a)
        throw InputError(
            both + " differ in pixel size, " + millimetres(a) + " and " + millimetres(b), where,
            "put the images of one stack in a folder of their own");
    }
  }
}

void check_orientation(std::span<const DicomFrame> images, const std::string& where) {
  const DicomFrame& first = images.front();
  for (const DicomFrame& image : images) {
    if (!image.position_mm) missing(dicom::image_position, image);
    if (!image.directions) missing(dicom::image_orientation, image);
    for (const int axis : {0, 1})
      if (norm((*image.directions)[axis] - (*first.directions)[axis]) > same_direction)
        throw InputError(first.label() + " and " + image.label() + " differ in orientation", where,
                         "put the images of one stack in a folder of their own");
  }
}

/// Slices in order along the normal, with what the checks on them need.
struct Ladder {
  std::span<const DicomFrame> images;
  const std::string& where;
  std::vector<std::size_t> order;
  std::vector<double> height_mm;  // along the normal, ascending
  Vec3 normal;

  const DicomFrame& image(std::size_t i) const { return images[order[i]]; }
  Vec3 position_mm(std::size_t i) const { return *image(i).position_mm; }
  double gap_mm(std::size_t i) const { return height_mm[i + 1] - height_mm[i]; }
  double step_mm() const {
    return (height_mm.back() - height_mm.front()) / static_cast<double>(order.size() - 1);
  }
  /// The lower of the middle two, so that of two gaps the wider one is the suspect.
  double typical_gap_mm() const {
    std::vector<double> gaps;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) gaps.push_back(gap_mm(i));
    std::sort(gaps.begin(), gaps.end());
    return gaps[(gaps.size() - 1) / 2];
  }
  std::string at(std::size_t i) const {
    return image(i).label() + " at " + millimetres(height_mm[i]);
  }
};

Ladder sorted_along_normal(std::span<const DicomFrame> images, const std::string& where) {
  const auto& [along_row, along_column] = *images.front().directions;
  Ladder ladder{images, where, std::vector<std::size_t>(images.size()), {}, {}};
  ladder.normal = normalized(cross(along_row, along_column));
  std::iota(ladder.order.begin(), ladder.order.end(), std::size_t{0});
  const auto height = [&](std::size_t i) { return dot(*images[i].position_mm, ladder.normal); };
  std::stable_sort(ladder.order.begin(), ladder.order.end(),
                   [&](std::size_t a, std::size_t b) { return height(a) < height(b); });
  for (const std::size_t i : ladder.order) ladder.height_mm.push_back(height(i));
  return ladder;
}

void check_gaps(const Ladder& ladder) {
  const double typical = ladder.typical_gap_mm();
  for (std::size_t i = 0; i + 1 < ladder.order.size(); ++i)
    if (ladder.gap_mm(i) <= uneven_refused * typical || ladder.gap_mm(i) < 1e-6)
      throw InputError("two images lie at the same place: " + ladder.at(i) + " and " +
                           ladder.image(i + 1).label(),
                       ladder.where, "keep one image for each place, or choose another series");
  for (std::size_t i = 0; i + 1 < ladder.order.size(); ++i) {
    const long lacking = std::lround(ladder.gap_mm(i) / typical) - 1;
    if (ladder.gap_mm(i) < 1.5 * typical) continue;
    throw InputError((lacking == 1 ? std::string("a slice is missing")
                                   : std::to_string(lacking) + " slices are missing") +
                         ": a gap of " + millimetres(ladder.gap_mm(i)) + " between " +
                         ladder.at(i) + " and " + ladder.at(i + 1) + ", elsewhere " +
                         millimetres(typical),
                     ladder.where, "add what is missing or choose another series");
  }
}

void check_even(const Ladder& ladder, std::vector<std::string>& notes) {
  double worst = 0, narrow = ladder.gap_mm(0), wide = narrow;
  for (std::size_t i = 0; i < ladder.order.size(); ++i) {
    const double even = ladder.height_mm.front() + static_cast<double>(i) * ladder.step_mm();
    worst = std::max(worst, std::abs(ladder.height_mm[i] - even) / ladder.step_mm());
    if (i + 1 == ladder.order.size()) break;
    narrow = std::min(narrow, ladder.gap_mm(i));
    wide = std::max(wide, ladder.gap_mm(i));
  }
  const std::string range = millimetres(narrow) + " to " + millimetres(wide);
  if (worst > uneven_refused)
    throw InputError("the slices are unevenly spaced, " + range + " apart", ladder.where,
                     "choose a series with even spacing, or resample it first");
  if (worst > uneven_noted)
    notes.push_back("slices are slightly unevenly spaced, " + range + " apart; taken as " +
                    millimetres(ladder.step_mm()));
}

/// Slices may be sheared (gantry tilt), but each by the same amount.
void check_straight(const Ladder& ladder, Vec3 z_axis, std::vector<std::string>& notes) {
  const auto& spacing = *ladder.images.front().spacing_mm;
  double worst = 0;
  for (std::size_t i = 0; i < ladder.order.size(); ++i) {
    const Vec3 off = ladder.position_mm(i) - ladder.position_mm(0) -
                     (ladder.height_mm[i] - ladder.height_mm[0]) * z_axis;
    worst = std::max(worst, norm(off) / std::min(spacing[0], spacing[1]));
  }
  if (worst > sideways_refused)
    throw InputError(
        "the slices are shifted sideways unevenly, by up to " + number(worst, 3) + " pixels",
        ladder.where, "choose a series whose slices lie in one stack");
  if (worst > sideways_noted)
    notes.push_back("slices are shifted sideways unevenly, by up to " + number(worst, 3) +
                    " pixels; taken as straight");
}

void note_tilt(const Ladder& ladder, Vec3 z_axis, std::vector<std::string>& notes) {
  const double shear = norm(z_axis - ladder.normal);
  if (shear < 1e-3) return;
  const double degrees = std::atan(shear) * 180 / std::acos(-1.0);
  notes.push_back("gantry tilt: the slices are sheared by " + number(degrees, 3) +
                  " degrees; each keeps its own pixels, heights are along the slice normal (" +
                  millimetres(ladder.step_mm()) + " apart, " +
                  millimetres(ladder.step_mm() * norm(z_axis)) + " along the table)");
}

void note_tags(const Ladder& ladder, std::vector<std::string>& notes) {
  const DicomFrame& first = ladder.images.front();
  const double step = ladder.step_mm(), said = first.spacing_between_mm;
  if (said > 0 && std::abs(said - step) > uneven_refused * step)
    notes.push_back("SpacingBetweenSlices says " + millimetres(said) + "; the positions say " +
                    millimetres(step) + ", which is used");
  if (first.thickness_mm > 0 && step > 1.5 * first.thickness_mm)
    notes.push_back("slices of " + millimetres(first.thickness_mm) + " thickness lie " +
                    millimetres(step) + " apart: what is between them was not imaged");
}

PatientFrame frame_for(const VolumeGrid& grid, Vec3 first_mm, const std::array<Vec3, 2>& directions,
                       Vec3 z_axis) {
  const PatientFrame frame{first_mm, directions[0], directions[1], z_axis};
  return frame.shifted(grid.origin_mm);  // the first voxel, not the centre, lies at first_mm
}

DicomStack stack_one(const DicomFrame& image) {
  DicomStack stack{{0}, {}, {}, {}};
  const auto& [dx, dy] = *image.spacing_mm;
  double dz = image.thickness_mm > 0 ? image.thickness_mm : image.spacing_between_mm;
  if (dz <= 0) {
    dz = dx;
    stack.notes.push_back("SliceThickness is missing; the slice is taken as thick as a pixel, " +
                          millimetres(dz));
  }
  stack.grid = VolumeGrid::centered(image.columns, image.rows, 1, {dx, dy, dz});
  if (image.position_mm && image.directions)
    stack.frame = frame_for(stack.grid, *image.position_mm, *image.directions,
                            normalized(cross((*image.directions)[0], (*image.directions)[1])));
  else
    stack.notes.push_back(
        describe(image.position_mm ? dicom::image_orientation : dicom::image_position) +
        " is missing: the place in the patient is not known");
  stack.grid.validate(image.path);
  return stack;
}

}  // namespace

DicomStack stack_images(std::span<const DicomFrame> images, const std::string& where) {
  if (images.empty()) throw InputError("holds no images", where, "choose another series");
  check_alike(images, where);
  if (images.size() == 1) return stack_one(images.front());
  check_orientation(images, where);
  const Ladder ladder = sorted_along_normal(images, where);
  check_gaps(ladder);
  DicomStack stack{ladder.order, {}, {}, {}};
  check_even(ladder, stack.notes);
  const std::size_t last = images.size() - 1;
  const Vec3 z_axis = (1.0 / (ladder.height_mm.back() - ladder.height_mm.front())) *
                      (ladder.position_mm(last) - ladder.position_mm(0));
  check_straight(ladder, z_axis, stack.notes);
  note_tilt(ladder, z_axis, stack.notes);
  note_tags(ladder, stack.notes);
  const DicomFrame& first = images.front();
  stack.grid =
      VolumeGrid::centered(first.columns, first.rows, static_cast<int>(images.size()),
                           {(*first.spacing_mm)[0], (*first.spacing_mm)[1], ladder.step_mm()});
  stack.grid.validate(where);
  stack.frame = frame_for(stack.grid, ladder.position_mm(0), *first.directions, z_axis);
  return stack;
}

}  // namespace gantry
