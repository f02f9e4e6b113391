#include "core/io/dicom/series/dicom_geometry.hpp"

#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"
#include "core/io/dicom/series/dicom_alike.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <locale>
#include <numeric>

namespace gantry {

namespace {

constexpr double uneven_noted = 1e-3;     // in slice distances
constexpr double uneven_refused = 1e-2;   // in slice distances
constexpr double sideways_noted = 0.05;   // in pixels
constexpr double sideways_refused = 0.5;  // in pixels
constexpr double upright_shear = 1e-3;    // sideways shift per height

std::string number(double value, int digits) {
  TextStream text;
  text.imbue(std::locale::classic());
  text.precision(digits);
  text << value;
  return text.str();
}

[[noreturn]] void missing(DicomTag tag, const DicomFrame& image) {
  throw InputError(describe(tag) + " is missing", image.path,
                   "choose a series that has it, or export the image again");
}

void require_pixels(std::span<const DicomFrame> images) {
  for (const DicomFrame& image : images) {
    if (image.rows == 0) missing(dicom::rows, image);
    if (image.columns == 0) missing(dicom::columns, image);
    if (!image.spacing_mm) missing(dicom::pixel_spacing, image);
  }
}

void require_positions(std::span<const DicomFrame> images) {
  for (const DicomFrame& image : images) {
    if (!image.position_mm) missing(dicom::image_position, image);
    if (!image.directions) missing(dicom::image_orientation, image);
  }
}

/// The images sorted along the normal of the slices, with the quantities that the checks need.
struct SortedSlices {
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
  /// Returns the median gap; the smaller of the middle two where their number is even, so that of
  /// two gaps the wider one counts as irregular.
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

SortedSlices sorted_along_normal(std::span<const DicomFrame> images, const std::string& where) {
  const auto& [along_row, along_column] = *images.front().directions;
  SortedSlices ladder{images, where, std::vector<std::size_t>(images.size()), {}, {}};
  ladder.normal = normalized(cross(along_row, along_column));
  std::iota(ladder.order.begin(), ladder.order.end(), std::size_t{0});
  const auto height = [&](std::size_t i) { return dot(*images[i].position_mm, ladder.normal); };
  std::stable_sort(ladder.order.begin(), ladder.order.end(),
                   [&](std::size_t a, std::size_t b) { return height(a) < height(b); });
  for (const std::size_t i : ladder.order) ladder.height_mm.push_back(height(i));
  return ladder;
}

void check_regions(const SortedSlices& ladder) {
  const double typical = ladder.typical_gap_mm();
  for (std::size_t i = 0; i + 1 < ladder.order.size(); ++i)
    if (ladder.gap_mm(i) <= uneven_refused * typical || ladder.gap_mm(i) < 1e-6)
      throw InputError("two images lie at the same position: " + ladder.at(i) + " and " +
                           ladder.image(i + 1).label(),
                       ladder.where, "keep one image for each position, or choose another series");
}

/// Returns a description of the first gap of at least 1.5 typical gaps; empty where there is none.
std::string missing_slices(const SortedSlices& ladder) {
  const double typical = ladder.typical_gap_mm();
  for (std::size_t i = 0; i + 1 < ladder.order.size(); ++i) {
    const long lacking = std::lround(ladder.gap_mm(i) / typical) - 1;
    if (ladder.gap_mm(i) < 1.5 * typical) continue;
    return (lacking == 1 ? std::string("a slice is missing")
                         : std::to_string(lacking) + " slices are missing") +
           ": a gap of " + millimetres(ladder.gap_mm(i)) + " between " + ladder.at(i) + " and " +
           ladder.at(i + 1) + ", elsewhere " + millimetres(typical);
  }
  return {};
}

std::string range_of_gaps(const SortedSlices& ladder) {
  double narrow = ladder.gap_mm(0), wide = narrow;
  for (std::size_t i = 1; i + 1 < ladder.order.size(); ++i) {
    narrow = std::min(narrow, ladder.gap_mm(i));
    wide = std::max(wide, ladder.gap_mm(i));
  }
  return millimetres(narrow) + " to " + millimetres(wide);
}

/// Returns the greatest deviation of a height from even spacing, in slice distances.
double unevenness(const SortedSlices& ladder) {
  double worst = 0;
  for (std::size_t i = 0; i < ladder.order.size(); ++i) {
    const double even = ladder.height_mm.front() + static_cast<double>(i) * ladder.step_mm();
    worst = std::max(worst, std::abs(ladder.height_mm[i] - even) / ladder.step_mm());
  }
  return worst;
}

/// Returns the vector from the first slice to the last, divided by their difference in height. In a
/// sheared stack, this vector is not parallel to the normal.
Vec3 axis_of(const SortedSlices& ladder) {
  const std::size_t last = ladder.order.size() - 1;
  return (1.0 / (ladder.height_mm[last] - ladder.height_mm[0])) *
         (ladder.position_mm(last) - ladder.position_mm(0));
}

/// Returns the greatest sideways deviation of a slice from a straight, possibly sheared stack, in
/// pixels.
double sideways(const SortedSlices& ladder) {
  const auto& spacing = *ladder.images.front().spacing_mm;
  const Vec3 z_axis = axis_of(ladder);
  double worst = 0;
  for (std::size_t i = 0; i < ladder.order.size(); ++i) {
    const Vec3 off = ladder.position_mm(i) - ladder.position_mm(0) -
                     (ladder.height_mm[i] - ladder.height_mm[0]) * z_axis;
    worst = std::max(worst, norm(off) / std::min(spacing[0], spacing[1]));
  }
  return worst;
}

/// Returns why the slices do not lie on a regular grid; empty where they do.
std::string irregularity(const SortedSlices& ladder) {
  if (const std::string missing = missing_slices(ladder); !missing.empty()) return missing;
  if (unevenness(ladder) > uneven_refused)
    return "the slices are unevenly spaced, " + range_of_gaps(ladder) + " apart";
  if (const double worst = sideways(ladder); worst > sideways_refused)
    return "the slices are shifted sideways unevenly, by up to " + number(worst, 3) + " pixels";
  return {};
}

void note_small_irregularities(const SortedSlices& ladder, std::vector<std::string>& notes) {
  if (unevenness(ladder) > uneven_noted)
    notes.push_back("slices are slightly unevenly spaced, " + range_of_gaps(ladder) +
                    " apart; taken as " + millimetres(ladder.step_mm()));
  if (const double worst = sideways(ladder); worst > sideways_noted)
    notes.push_back("slices are shifted sideways unevenly, by up to " + number(worst, 3) +
                    " pixels; taken as straight");
}

/// Returns slices `first` to `last`, both included.
SortedSlices part_of(const SortedSlices& ladder, std::size_t first, std::size_t last) {
  const auto begin = static_cast<std::ptrdiff_t>(first),
             end = static_cast<std::ptrdiff_t>(last) + 1;
  SortedSlices part = ladder;
  part.order.assign(ladder.order.begin() + begin, ladder.order.begin() + end);
  part.height_mm.assign(ladder.height_mm.begin() + begin, ladder.height_mm.begin() + end);
  return part;
}

/// Returns the longest run of consecutive slices that are a regular stack; the lowest one of
/// several equally long ones.
SortedSlices largest_part(const SortedSlices& ladder) {
  const std::size_t count = ladder.order.size();
  std::size_t best_first = 0, best_last = 1;
  for (std::size_t first = 0; first + 1 < count; ++first)
    for (std::size_t last = first + 1 + best_last - best_first; last < count; ++last) {
      if (!irregularity(part_of(ladder, first, last)).empty()) break;
      best_first = first;
      best_last = last;
    }
  return part_of(ladder, best_first, best_last);
}

void note_tilt(const SortedSlices& ladder, Vec3 z_axis, std::vector<std::string>& notes) {
  const double shear = norm(z_axis - ladder.normal);
  if (shear < upright_shear) return;
  const double degrees = std::atan(shear) * 180 / std::acos(-1.0);
  notes.push_back("gantry tilt: the slices are sheared by " + number(degrees, 3) +
                  " degrees; each keeps its own pixels, heights are along the slice normal (" +
                  millimetres(ladder.step_mm()) + " apart, " +
                  millimetres(ladder.step_mm() * norm(z_axis)) +
                  " along the table); resampled onto an even grid they would be upright");
}

void note_tags(const SortedSlices& ladder, std::vector<std::string>& notes) {
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
  return frame.shifted(grid.origin_mm);  // the first voxel, not the centre, is at first_mm
}

DicomStack stack_one(const DicomFrame& image) {
  DicomStack stack{{0}, {}, {}, {}, {}};
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
        " is missing: the position in the patient is not known");
  stack.grid.validate(image.path);
  return stack;
}

[[noreturn]] void refuse(const SortedSlices& ladder, const std::string& reason) {
  throw UnevenSeries(reason, ladder.where, static_cast<int>(largest_part(ladder).order.size()),
                     static_cast<int>(ladder.order.size()));
}

/// Returns the stack of evenly spaced, possibly sheared slices, without resampling.
DicomStack stack_regular(const SortedSlices& ladder, std::vector<std::string> notes) {
  DicomStack stack{ladder.order, {}, {}, std::move(notes), {}};
  const Vec3 z_axis = axis_of(ladder);
  note_small_irregularities(ladder, stack.notes);
  note_tilt(ladder, z_axis, stack.notes);
  note_tags(ladder, stack.notes);
  const DicomFrame& first = ladder.images.front();
  stack.grid =
      VolumeGrid::centered(first.columns, first.rows, static_cast<int>(ladder.order.size()),
                           {(*first.spacing_mm)[0], (*first.spacing_mm)[1], ladder.step_mm()});
  stack.grid.validate(ladder.where);
  stack.frame = frame_for(stack.grid, ladder.position_mm(0), *first.directions, z_axis);
  return stack;
}

/// Returns for each slice its shift within its plane along x and y, in pixels, above the least
/// shift of all slices. Sets `least` to that least shift, relative to the first slice. Along an
/// axis on which the shifts differ by less than sideways_noted, all of these are 0.
std::vector<std::array<double, 2>> shifts_of(const SortedSlices& ladder,
                                             std::array<double, 2>& least) {
  const auto& [along_row, along_column] = *ladder.images.front().directions;
  const auto& spacing = *ladder.images.front().spacing_mm;
  std::vector<std::array<double, 2>> shifts;
  least = {0, 0};
  std::array<double, 2> most = {0, 0};
  for (std::size_t i = 0; i < ladder.order.size(); ++i) {
    const Vec3 off = ladder.position_mm(i) - ladder.position_mm(0);
    shifts.push_back({dot(off, along_row) / spacing[0], dot(off, along_column) / spacing[1]});
    for (const std::size_t axis : {0U, 1U}) {
      least[axis] = std::min(least[axis], shifts.back()[axis]);
      most[axis] = std::max(most[axis], shifts.back()[axis]);
    }
  }
  for (const std::size_t axis : {0U, 1U}) {
    if (most[axis] - least[axis] < sideways_noted) {
      least[axis] = 0;
      for (auto& shift : shifts) shift[axis] = 0;
    }
    for (auto& shift : shifts) shift[axis] -= least[axis];
  }
  return shifts;
}

void note_resampling(const SortedSlices& ladder, const VolumeGrid& grid, const std::string& reason,
                     std::vector<std::string>& notes) {
  const DicomFrame& first = ladder.images.front();
  if (!reason.empty())
    notes.push_back(reason + ": resampled from " + std::to_string(ladder.order.size()) + " to " +
                    std::to_string(grid.nz) + " slices " + millimetres(grid.spacing_mm.z) +
                    " apart, linearly between neighbours");
  if (grid.nx != first.columns || grid.ny != first.rows)
    notes.push_back("the slices were shifted against each other (gantry tilt): resampled to an " +
                    std::string("upright grid of ") + std::to_string(grid.nx) + " x " +
                    std::to_string(grid.ny) + " pixels; what lies outside the slices is air");
}

/// Returns a stack with an even, upright grid along the normal of the slices that contains all
/// slices.
DicomStack stack_resampled(const SortedSlices& ladder, const std::string& reason) {
  DicomStack stack{ladder.order, {}, {}, {}, {}};
  const DicomFrame& first = ladder.images.front();
  const auto& [dx, dy] = *first.spacing_mm;
  std::array<double, 2> least{};
  UprightSlices upright{first.columns, first.rows, {}, shifts_of(ladder, least), {}};
  for (const double height : ladder.height_mm)
    upright.height_mm.push_back(height - ladder.height_mm.front());
  std::array<double, 2> most{};
  for (const auto& shift : upright.shift_px)
    for (const std::size_t axis : {0U, 1U}) most[axis] = std::max(most[axis], shift[axis]);
  const double depth = upright.height_mm.back();
  const double gaps = reason.empty() ? static_cast<double>(ladder.order.size() - 1)
                                     : std::max(1.0, std::round(depth / ladder.typical_gap_mm()));
  const auto count = [](double wanted) {  // limited to an int; grid.validate() refuses the rest
    return static_cast<int>(std::min(wanted, 1e9));
  };
  stack.grid = VolumeGrid::centered(count(first.columns + std::ceil(most[0] - 1e-6)),
                                    count(first.rows + std::ceil(most[1] - 1e-6)), count(gaps + 1),
                                    {dx, dy, depth / gaps});
  stack.grid.validate(ladder.where);
  note_resampling(ladder, stack.grid, reason, stack.notes);
  const auto& directions = *first.directions;
  const Vec3 corner =
      ladder.position_mm(0) + least[0] * dx * directions[0] + least[1] * dy * directions[1];
  stack.frame = frame_for(stack.grid, corner, directions, ladder.normal);
  upright.grid = stack.grid;
  stack.resampling = std::move(upright);
  return stack;
}

/// Returns how the first image outside the group of alike images differs from it, and how many
/// such images there are.
std::string mixture_of(std::span<const DicomFrame> images, const std::vector<std::size_t>& alike) {
  std::string difference;
  for (std::size_t i = 0; i < images.size() && difference.empty(); ++i)
    difference =
        difference_of(images[std::min(i, alike.front())], images[std::max(i, alike.front())]);
  const std::size_t others = images.size() - alike.size();
  return difference + "; of its " + std::to_string(images.size()) + " images " +
         std::to_string(others) +
         (others == 1 ? " is unlike the others" : " are unlike the others");
}

/// Returns the number of slices of the largest regular part of alike images; 0 if there is none,
/// since two of them lie at the same position.
int slices_of_part(std::span<const DicomFrame> images, const std::string& where) {
  if (images.size() == 1) return 1;
  const SortedSlices ladder = sorted_along_normal(images, where);
  try {
    check_regions(ladder);
  } catch (const InputError&) {
    return 0;
  }
  return static_cast<int>(largest_part(ladder).order.size());
}

/// Returns the stack of the alike images, where that was requested.
DicomStack stack_mixed(std::span<const DicomFrame> images, const std::vector<std::size_t>& alike,
                       const std::string& where, UnevenSlices uneven) {
  const std::string mixture = mixture_of(images, alike);
  std::vector<DicomFrame> part;
  for (const std::size_t i : alike) part.push_back(images[i]);
  if (uneven == UnevenSlices::refuse) {
    const int kept = slices_of_part(part, where);
    if (kept == 0)
      throw InputError(mixture, where, "put the images of one stack in a folder of their own");
    throw UnevenSeries(mixture, where, kept, static_cast<int>(images.size()));
  }
  DicomStack stack = stack_images(part, where, uneven);
  for (std::size_t& i : stack.order) i = alike[i];
  stack.notes.insert(stack.notes.begin(), mixture + " and left out");
  return stack;
}

}  // namespace

DicomStack stack_images(std::span<const DicomFrame> images, const std::string& where,
                        UnevenSlices uneven) {
  if (images.empty()) throw InputError("holds no images", where, "choose another series");
  require_pixels(images);
  if (images.size() == 1) return stack_one(images.front());
  require_positions(images);
  if (const std::vector<std::size_t> alike = largest_alike(images); alike.size() < images.size())
    return stack_mixed(images, alike, where, uneven);
  const SortedSlices ladder = sorted_along_normal(images, where);
  check_regions(ladder);
  const std::string reason = irregularity(ladder);
  if (uneven == UnevenSlices::resample &&
      (!reason.empty() || norm(axis_of(ladder) - ladder.normal) >= upright_shear))
    return stack_resampled(ladder, reason);
  if (reason.empty()) return stack_regular(ladder, {});
  if (uneven == UnevenSlices::refuse) refuse(ladder, reason);
  const SortedSlices part = largest_part(ladder);
  const std::size_t last = part.order.size() - 1;
  return stack_regular(
      part, {reason + ": of its " + std::to_string(images.size()) +
             " slices only the largest regular part is read, " + std::to_string(part.order.size()) +
             " slices from " + part.at(0) + " to " + part.at(last)});
}

}  // namespace gantry
