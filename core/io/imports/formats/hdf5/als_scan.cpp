#include "core/io/imports/formats/hdf5/als_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/files/arrays/hdf5_array.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/arrays/array_axes.hpp"
#include "core/io/imports/chosen_frames.hpp"
#include "core/io/imports/formats/hdf5/hdf5_lost_frames.hpp"
#include "core/io/imports/frame_angles.hpp"
#include "core/io/imports/names/flat_series.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace gantry {

namespace {

/// Returns the numbers in a rest of a name, "_0000_0012.tif"; none where it is none of an image.
std::vector<int> numbers_in_rest(std::string_view rest) {
  constexpr std::string_view ending = ".tif";
  std::vector<int> numbers;
  if (!rest.ends_with(ending)) return numbers;
  rest.remove_suffix(ending.size());
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('_', 1), rest.size());
    const std::string_view digits = rest.substr(1, end - 1);
    constexpr std::size_t most_digits = 8;
    if (rest[0] != '_' || digits.empty() || digits.size() > most_digits ||
        !std::ranges::all_of(digits, is_digit))
      return {};
    numbers.push_back(std::stoi(std::string(digits)));
    rest.remove_prefix(end);
  }
  return numbers;
}

bool is_image(const Hdf5Dataset& data) {
  return data.has_dimensions(2, 3) && (data.size.size() == 2 || data.size[0] == 1);
}

/// Adds an image to those that the name of its data set tells.
void add_image(const Hdf5Dataset& data, AlsImages& images) {
  std::string_view rest = data.path;
  rest.remove_prefix(data.group().size() + data.group_name().size());
  const bool is_flat = rest.starts_with("bak"), is_dark = rest.starts_with("drk");
  if (is_flat || is_dark) rest.remove_prefix(3);
  const std::vector<int> numbers = numbers_in_rest(rest);
  if (numbers.size() != 2 && !(numbers.size() == 1 && (is_flat || is_dark))) return;
  AlsImage image{&data, numbers[0], {}};
  if (numbers.size() == 2) image.view = numbers[1];
  (is_flat ? images.flats : is_dark ? images.darks : images.projections).push_back(image);
}

using Frames = std::shared_ptr<const FrameSource>;

Frames frames_of(const std::shared_ptr<const Hdf5File>& file, const std::vector<AlsImage>& images) {
  std::vector<ChosenFrames::Choice> all;
  for (const AlsImage& one : images)
    all.emplace_back(
        frames_of_array(hdf5_array(file, *one.data), axes_of_frames(one.data->size.size())), 0);
  return all.empty() ? nullptr : std::make_shared<const ChosenFrames>(std::move(all));
}

/// Returns a number that an attribute of the group states as a text; 0 where it does not.
double stated_number(const Hdf5File& file, const AlsImages& images, const char* name) {
  const auto text = file.text_attribute(images.group, name);
  return text ? number_of_word(trimmed_blanks(*text)).value_or(0) : 0;
}

/// Leaves out the images of all series but the first: further fields of view of a high object.
void take_first_series(AlsImages& images, std::vector<std::string>& notes) {
  const int first = std::ranges::min_element(images.projections, {}, &AlsImage::series)->series;
  const auto others = std::erase_if(images.projections,
                                    [&](const AlsImage& image) { return image.series != first; });
  if (others > 0)
    notes.push_back(std::to_string(others) + " images of further series than " +
                    std::to_string(first) + " in " + images.group + " were left out");
}

/// Takes when the flats were taken: before the projection that their names state, which of those
/// after all projections is the last one.
void take_times(const std::vector<AlsImage>& flats, const FrameNumbers& numbers, RawScan& scan) {
  for (const AlsImage& flat : flats) {
    if (!flat.view) {
      scan.flat_views.clear();
      return;
    }
    int before = 0;  // projections
    while (before < numbers.frames && numbers.position(before) < *flat.view) ++before;
    const bool is_after = *flat.view > 0 && *flat.view >= numbers.all() - 1;
    scan.flat_views.push_back((is_after ? numbers.frames : before) - 0.5);
  }
  if (!scan.flat_views.empty())
    scan.assumptions.push_back(time_of_flats(scan.flat_views, numbers.frames));
}

}  // namespace

AlsImages als_images(const Hdf5File& file) {
  AlsImages images;
  for (const Hdf5Dataset& one : file.datasets()) {
    const std::string group = one.group(), name = one.group_name();
    if (name.empty() || !one.name().starts_with(name) || !is_image(one)) continue;
    if (images.group.empty()) images.group = group.substr(0, group.size() - 1);
    if (group == images.group + "/") add_image(one, images);
  }
  for (auto* series : {&images.projections, &images.flats, &images.darks})
    std::ranges::sort(*series, {}, [](const AlsImage& one) {
      return std::pair(one.view.value_or(0), one.series);
    });
  return images;
}

RawScan als_scan(const std::shared_ptr<const Hdf5File>& file, const AlsImages& found,
                 const ImportRequest& request) {
  if (request.images != ImageContent::as_found || !request.axes.empty())
    throw UsageError("holds projections of one data set each, whose axes are known", request.path,
                     "leave out the order of axes, and that the images are sinograms");
  RawScan scan;
  AlsImages images = found;
  take_first_series(images, scan.notes);
  scan.projections = frames_of(file, images.projections);
  scan.flats = frames_of(file, images.flats);
  scan.darks = frames_of(file, images.darks);
  for (const auto& [what, series] : {std::pair("projections", &images.projections),
                                     {"flats", &images.flats},
                                     {"darks", &images.darks}})
    if (!series->empty())
      scan.assumptions.push_back(
          {what, series->front().data->name() + " to " + series->back().data->name(),
           "the names are those of beamline 8.3.2 of the ALS"});
  FrameNumbers numbers{scan.projections->frames()};
  for (const AlsImage& one : images.projections) numbers.positions.push_back(*one.view);
  const double stated = stated_number(*file, images, "nangles");
  if (stated > numbers.positions.back() && stated <= FrameSource::most_frames)
    numbers.projections = static_cast<int>(stated);
  const int lost = numbers.all() - numbers.frames;
  if (lost > 0)
    scan.notes.push_back(
        std::to_string(lost) + " of " + std::to_string(numbers.all()) +
        " projections are missing: " + missing_places(numbers.positions, numbers.all()));
  scan.positions = numbers.positions;
  take_times(images.flats, numbers, scan);
  scan.pixel_mm = stated_number(*file, images, "pxsize");
  if (scan.pixel_mm > 0)
    scan.assumptions.push_back({"size of a cell", format_param(scan.pixel_mm) + " mm",
                                "the attribute pxsize of " + images.group});
  const double arc = stated_number(*file, images, "arange");
  scan.angles_deg = angles_for(request, numbers, scan.assumptions, [&] {
    if (arc == 0) return std::vector<double>{};
    scan.assumptions.push_back({"angles",
                                "0 to " + format_param(arc) + " degrees, both ends measured",
                                "the attribute arange of " + images.group});
    return angles_over_arc(arc, true, numbers);
  });
  return scan;
}

}  // namespace gantry
