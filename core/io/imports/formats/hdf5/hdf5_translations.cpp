#include "core/io/imports/formats/hdf5/hdf5_translations.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/formats/hdf5/hdf5_angles.hpp"
#include "core/io/imports/formats/hdf5/hdf5_data_sets.hpp"
#include "core/io/imports/formats/hdf5/hdf5_lengths.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace gantry {

namespace {

/// What a translation does: the component of a move that it is, and its sign there.
struct Direction {
  const char* name;  ///< of the list
  double Vec3::*component;
  double sign;
  const char* words;
};

constexpr std::array<Direction, 3> nexus_directions = {
    {{"x_translation", &Vec3::x, -1, "to the left as seen from the source"},
     {"y_translation", &Vec3::z, 1, "upwards"},
     {"z_translation", &Vec3::y, 1, "along the beam"}}};
constexpr std::array<Direction, 3> esrf_directions = {
    {{"x_translation", &Vec3::y, 1, "along the beam"},
     {"y_translation", &Vec3::x, -1, "to the left as seen from the source"},
     {"z_translation", &Vec3::z, 1, "upwards"}}};

/// The translations of the projections, against their mean.
struct Translation {
  std::vector<double> moves_mm;
  double range_mm = 0;
};

/// What a detector states of its images, and how it names that.
struct Turn {
  double Vec3::*component;          ///< of the moves, whose sign it changes
  const char *flag, *nexus, *esrf;  ///< NXtomo before 1.3; angles of NXtransformations
};
constexpr std::array<Turn, 2> turns = {
    {{&Vec3::x, "x_flipped", "/transformations/ry", "/transformations/rz"},
     {&Vec3::z, "y_flipped", "/transformations/rx", "/transformations/ry"}}};

/// Returns -1 where the detector states that its images are turned over in the direction of a
/// component of the moves, else 1; 0 where it states that in a way that cannot be read.
double turned_sign(const Hdf5File& file, const Hdf5Dataset& frames, double Vec3::*component,
                   TranslationAxes axes) {
  const auto turn = std::ranges::find(turns, component, &Turn::component);
  if (turn == turns.end()) return 1;
  const auto is_flag = [&](const Hdf5Dataset& one) { return one.name() == turn->flag; };
  const auto is_one = [](const Hdf5Dataset& one) { return one.elements() == 1; };
  if (const auto* flag = nearest_numbers(
          file, frames, [&](const Hdf5Dataset& one) { return is_flag(one) && is_one(one); }))
    return file.numbers(*flag)[0] != 0 ? -1 : 1;
  const std::string entry = frames.path.substr(0, frames.path.find('/', 1) + 1);
  const auto is_in_entry = [&](const Hdf5Dataset& one) { return one.path.starts_with(entry); };
  if (std::ranges::any_of(file.datasets(),
                          [&](const Hdf5Dataset& one) { return is_flag(one) && is_in_entry(one); }))
    return 0;  // h5py writes truth as words
  const std::string_view angle = axes == TranslationAxes::nexus ? turn->nexus : turn->esrf;
  const auto* stated_angle = nearest_numbers(file, frames, [&](const Hdf5Dataset& one) {
    return one.path.ends_with(angle) && is_one(one);
  });
  if (stated_angle == nullptr) return 1;
  std::vector<Assumption> as_degrees;  // as NeXus has angles where no unit is stated
  const double turn_deg = angles_in(file, *stated_angle, as_degrees).values[0];
  return std::abs(std::abs(turn_deg) - 180) < 1 ? -1 : 1;
}

/// Returns whether numbers are lengths that a room may have.
bool are_lengths(const std::vector<double>& values, double unit_mm) {
  constexpr double longest_mm = 1e9;  // as of poses
  return std::ranges::all_of(values,
                             [&](double value) { return std::abs(unit_mm * value) <= longest_mm; });
}

/// Returns the translations of the projections in a list; nothing where they do not change.
std::optional<Translation> translation_in(const std::vector<double>& values, double unit_mm) {
  constexpr double least_mm = 1e-4;  // below what a stage holds
  Translation found;
  double mean = 0;
  for (const double value : values) {
    found.moves_mm.push_back(unit_mm * value);
    mean += found.moves_mm.back() / static_cast<double>(values.size());
  }
  const auto [low, high] = std::ranges::minmax(found.moves_mm);
  found.range_mm = high - low;
  if (!(found.range_mm >= least_mm)) return std::nullopt;
  for (double& move : found.moves_mm) move -= mean;
  return found;
}

/// Notes a translation that is left out, unless it does not change; values that are no numbers do
/// not count.
void note_left_out(const Hdf5Dataset& list, const std::vector<double>& values,
                   const std::string& unit, const std::string& why, RawScan& scan) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (high > low)
    scan.notes.push_back(list.path + " changes by " + format_param(to_digits(high - low, 4)) +
                         (unit.empty() ? "" : " " + unit) +
                         " over the projections and was left out, as if the object only turned, " +
                         "since " + why);
}

/// Returns the list of a translation: one that has a number for each frame, or for each projection.
/// Null if there is none, or only an empty one or a single value, which is no move. One of another
/// length or type is refused, or noted where translations are not taken anyhow.
const Hdf5Dataset* translation_list(const Hdf5File& file, const Hdf5Dataset& frames,
                                    const char* name, std::uint64_t count,
                                    std::uint64_t projections, const StatedAxes& stated,
                                    RawScan& scan) {
  const auto is_named = [&](const Hdf5Dataset& one) {
    return one.name() == name &&
           one.path.find("/detector/") == std::string::npos;  // whose moves are others
  };
  for (const std::uint64_t length : {count, projections})
    if (const auto* list = nearest_numbers(file, frames, [&](const Hdf5Dataset& one) {
          return is_named(one) && one.list_length() == length;
        }))
      return list;
  const Hdf5Dataset* unfit = nearest_in_entry(file, frames, is_named);
  if (unfit == nullptr || unfit->elements() <= 1) return nullptr;
  const std::string fault = fault_of_list(*unfit, projections, count);
  if (stated.axes && !stated.are_left_out)
    throw InputError(fault, file.path(),
                     "repair the list, or leave out the translations (--only-turns)");
  scan.notes.push_back(fault + ", and was left out");
  return nullptr;
}

/// Returns the values of a list at the projections, of which it may be.
std::vector<double> at_projections(std::vector<double> values,
                                   std::span<const std::uint64_t> projections) {
  if (values.size() == projections.size()) return values;
  std::vector<double> chosen;
  for (const std::uint64_t index : projections) chosen.push_back(values[index]);
  return chosen;
}

/// Whether the request does without translations: it leaves them out, or has a geometry of its own.
bool leaves_out(const ImportRequest& request) {
  return request.only_turns || !request.geometry.empty();
}

/// Returns the axes that an NXtomo states, or that the user asks for.
StatedAxes axes_stated_in(const Hdf5File& file, const Hdf5Dataset& frames, TranslationAxes asked) {
  if (asked != TranslationAxes::as_stated) return {asked, "as was asked"};
  constexpr const char* attribute = "NeXus_Coordinate_System";
  for (std::size_t end = frames.path.rfind('/'); end != std::string::npos && end > 0;
       end = frames.path.rfind('/', end - 1)) {
    const std::string group = frames.path.substr(0, end);
    if (const auto named = file.text_attribute(group, attribute)) {
      if (lower_case(*named) == "mcstas") return {TranslationAxes::nexus, group + " names McStas"};
      if (lower_case(*named) == "esrf") return {TranslationAxes::esrf, group + " names ESRF"};
      return {std::nullopt, "its axes, " + *named + ", are not known; --translations names them"};
    }
    if (file.has_attribute(group, "version"))
      return {TranslationAxes::esrf, "the axes of nxtomo before it followed NeXus"};
  }
  return {TranslationAxes::nexus, "the axes of NeXus (McStas)"};
}

}  // namespace

StatedAxes nxtomo_axes(const Hdf5File& file, const Hdf5Dataset& frames,
                       const ImportRequest& request) {
  StatedAxes stated = axes_stated_in(file, frames, request.translations);
  stated.are_left_out = leaves_out(request);
  return stated;
}

StatedAxes exchange_axes(const ImportRequest& request) {
  if (request.translations != TranslationAxes::as_stated)
    return {request.translations, "as was asked", leaves_out(request)};
  return {std::nullopt,
          "DataExchange does not define along which axes it moves; --translations names them"};
}

void take_translations(const Hdf5File& file, const Hdf5Dataset& frames, std::uint64_t count,
                       std::span<const std::uint64_t> projections, const StatedAxes& stated,
                       RawScan& scan) {
  OffCircle& moved = scan.off_circle;
  const TranslationAxes axes = stated.axes.value_or(TranslationAxes::nexus);
  std::string words;
  for (const Direction& one : axes == TranslationAxes::esrf ? esrf_directions : nexus_directions) {
    const Hdf5Dataset* list =
        translation_list(file, frames, one.name, count, projections.size(), stated, scan);
    if (list == nullptr) continue;
    const std::vector<double> values = at_projections(file.numbers(*list), projections);
    const std::string unit = file.text_attribute(*list, "units").value_or("");
    const double turned = turned_sign(file, frames, one.component, axes);
    const auto leave_out = [&](const std::string& why) {
      note_left_out(*list, values, unit, why, scan);
    };
    if (!stated.axes)
      leave_out(stated.why);
    else if (mm_in(unit) <= 0)
      leave_out("no unit of length is stated");
    else if (!are_lengths(values, mm_in(unit)))
      leave_out("some of its values are no numbers, or beyond 1000 km");
    else if (turned == 0)
      leave_out(
          "whether the images are turned over cannot be read; a file of the geometry "
          "(--geometry) can state the pose of each view");
    else if (const auto found = translation_in(values, mm_in(unit))) {
      moved.moves_mm.resize(projections.size());
      for (std::size_t i = 0; i < projections.size(); ++i)
        moved.moves_mm[i].*one.component = turned * one.sign * found->moves_mm[i];
      const bool has_others = list->list_length() != projections.size();
      words += (words.empty() ? "" : "; ") + list->path +
               (has_others || count == projections.size() ? "" : ", one value per projection") +
               ", over " + format_param(to_digits(found->range_mm, 4)) + " mm, " + one.words +
               (turned > 0 ? "" : " of images that are turned over");
    }
  }
  if (!moved.moves_mm.empty())
    moved.assumptions.push_back({"moves of the object",
                                 words + ": in each view by the difference to the mean",
                                 stated.why});
}

}  // namespace gantry
