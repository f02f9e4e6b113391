#include "core/io/imports/import_json.hpp"

#include "core/io/files/stored_path.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace gantry {

namespace {

using Json = nlohmann::ordered_json;

// As FrameAverage.
constexpr std::array<const char*, 3> averages = {"mean", "median", "interpolated"};
// As ImageContent.
constexpr std::array<const char*, 3> image_contents = {"as_found", "projections", "sinograms"};
// As TranslationAxes.
constexpr std::array<const char*, 3> translation_axes = {"as_stated", "nexus", "esrf"};
// As PadValues.
constexpr std::array<const char*, 3> pad_values = {"fade", "edge", "zero"};
constexpr int most_columns = 65536, most_group = 64, most_projections = 1000000;

std::vector<std::string> read_paths(const JsonFields& fields, const char* key,
                                    const std::string& folder) {
  std::vector<std::string> paths;
  if (!fields.has(key)) return paths;
  const std::string remedy = "write a list of files";
  const nlohmann::json& list = fields.at(key, remedy);
  if (!list.is_array()) fields.fail(key, "is not a list", remedy);
  for (const nlohmann::json& one : list) {
    if (!one.is_string()) fields.fail(key, "holds something else than names", remedy);
    paths.push_back(absolute_path(one.get<std::string>(), folder));
  }
  return paths;
}

/// Returns the order of the axes of an array; none where the field is missing.
AxisOrder read_axes(const JsonFields& fields) {
  const std::string text = fields.text_or("axes", {});
  const std::optional<AxisOrder> order = axis_order_in(text);
  if (!text.empty() && !order)
    fields.fail("axes", "is no order of axes", "name each axis once: views,rows,columns");
  return order.value_or(AxisOrder{});
}

/// Returns how images are turned; nothing where no field says it.
std::optional<FrameTurn> read_turn(const JsonFields& fields) {
  if (!fields.has("turn_deg") && !fields.has("is_mirrored") && !fields.has("is_reversed"))
    return std::nullopt;
  const FrameTurn turn{fields.integer("turn_deg", 0, 270, 0), fields.flag("is_mirrored", false),
                       fields.flag("is_reversed", false)};
  if (turn.clockwise_deg % 90 != 0)
    fields.fail("turn_deg", "is no quarter of a turn", "write 0, 90, 180 or 270");
  return turn;
}

/// Returns a length in mm, from 0 on; 0 where the field is missing, which means not known.
double read_length(const JsonFields& fields, const char* key) {
  const double value = fields.number(key, 0);
  if (!(value >= 0 && value < 1e9)) fields.fail(key, "is no length in mm", "write a number from 0");
  return value;
}

/// Returns what a cell shows without an object; 0 where the field is missing.
double read_white_level(const JsonFields& fields, const ImportSettings& settings) {
  constexpr const char* key = "white_level";
  const double level = fields.number(key, 0);
  if (!(level >= 0 && level <= std::numeric_limits<float>::max()))
    fields.fail(key, "is no number of counts", "write a number above 0, or leave it out");
  if (level > 0 && (!settings.flats.empty() || settings.normalise.are_line_integrals ||
                    settings.normalise.average == FrameAverage::interpolated))
    fields.fail(key, "stands beside flats, their interpolation or line integrals",
                "give one of them alone");
  return level;
}

/// Returns a range of cells, [first, last] or [first]; all where the field is missing.
CellRange read_range(const JsonFields& fields, const char* key) {
  if (!fields.has(key)) return {};
  const std::string remedy = "write [first, last] or [first], counted from 0";
  const nlohmann::json& list = fields.at(key, remedy);
  if (!list.is_array() || list.empty() || list.size() > 2)
    fields.fail(key, "is no range of cells", remedy);
  for (const nlohmann::json& one : list)
    if (!one.is_number_integer() || one.get<std::int64_t>() < 0 ||
        one.get<std::int64_t>() >= most_columns)
      fields.fail(key, "is no range of cells", remedy);
  CellRange range{list[0].get<int>(), {}};
  if (list.size() == 2) range.last = list[1].get<int>();
  return range;
}

/// Returns ranges of frames, [[first, last], [first]]; none where the field is missing.
std::vector<CellRange> read_ranges(const JsonFields& fields, const char* key) {
  std::vector<CellRange> ranges;
  if (!fields.has(key)) return ranges;
  const std::string remedy = "write ranges of frames, [[first, last]], counted from 0";
  const nlohmann::json& list = fields.at(key, remedy);
  if (!list.is_array()) fields.fail(key, "is no list", remedy);
  for (const nlohmann::json& one : list) {
    const auto is_frame = [](const nlohmann::json& number) {
      return number.is_number_integer() && number.get<std::int64_t>() >= 0 &&
             number.get<std::int64_t>() < static_cast<std::int64_t>(FrameSource::most_frames);
    };
    if (!one.is_array() || one.empty() || one.size() > 2 || !std::ranges::all_of(one, is_frame))
      fields.fail(key, "holds no range of frames", remedy);
    ranges.push_back({one[0].get<int>(), {}});
    if (one.size() == 2) ranges.back().last = one[1].get<int>();
  }
  return ranges;
}

}  // namespace

ImportSettings import_from_json(const JsonFields& fields, const std::string& folder) {
  require_no_unknown_fields(fields.others({"flats",
                                           "darks",
                                           "flat_frames",
                                           "dark_frames",
                                           "angles",
                                           "angle_column",
                                           "arc_deg",
                                           "arc_is_open",
                                           "assumes_half_turn",
                                           "geometry",
                                           "translations",
                                           "only_turns",
                                           "pixel_mm",
                                           "source_to_axis_mm",
                                           "source_to_detector_mm",
                                           "centre_column",
                                           "average",
                                           "air_columns",
                                           "white_level",
                                           "are_line_integrals",
                                           "columns",
                                           "rows",
                                           "bin",
                                           "every",
                                           "pad",
                                           "pad_with",
                                           "images",
                                           "axes",
                                           "data",
                                           "flat_data",
                                           "dark_data",
                                           "leaves_out_damaged",
                                           "turn_deg",
                                           "is_mirrored",
                                           "is_reversed",
                                           "angles_data"}),
                            fields);
  ImportSettings settings;
  settings.images = static_cast<ImageContent>(fields.choice("images", image_contents, 0));
  settings.axes = read_axes(fields);
  settings.data_sets = {fields.text_or("data", {}), fields.text_or("flat_data", {}),
                        fields.text_or("dark_data", {}), fields.text_or("angles_data", {})};
  settings.leaves_out_damaged = fields.flag("leaves_out_damaged", false);
  settings.turn = read_turn(fields);
  settings.flats = read_paths(fields, "flats", folder);
  settings.darks = read_paths(fields, "darks", folder);
  settings.flat_frames = read_ranges(fields, "flat_frames");
  settings.dark_frames = read_ranges(fields, "dark_frames");
  settings.angles = absolute_path(fields.text_or("angles", {}), folder);
  settings.angle_column = fields.text_or("angle_column", {});
  if (fields.has("arc_deg")) settings.arc_deg = fields.number("arc_deg");
  settings.arc_is_open = fields.flag("arc_is_open", false);
  settings.assumes_half_turn = fields.flag("assumes_half_turn", false);
  settings.geometry = absolute_path(fields.text_or("geometry", {}), folder);
  settings.translations =
      static_cast<TranslationAxes>(fields.choice("translations", translation_axes, 0));
  settings.only_turns = fields.flag("only_turns", false);
  if (settings.only_turns && settings.translations != TranslationAxes::as_stated)
    fields.fail("only_turns", "leaves out the translations whose axes are named",
                "give translations or only_turns");
  settings.pixel_mm = read_length(fields, "pixel_mm");
  settings.source_to_axis_mm = read_length(fields, "source_to_axis_mm");
  settings.source_to_detector_mm = read_length(fields, "source_to_detector_mm");
  if ((settings.source_to_axis_mm > 0) != (settings.source_to_detector_mm > 0))
    fields.fail("source_to_axis_mm", "stands alone or is 0",
                "give it together with source_to_detector_mm, or neither");
  if (fields.has("centre_column")) settings.centre = fields.number("centre_column");
  NormaliseOptions& normalise = settings.normalise;
  normalise.average = static_cast<FrameAverage>(
      fields.choice("average", averages, static_cast<int>(normalise.average)));
  normalise.air_columns = fields.integer("air_columns", 0, most_columns, 0);
  normalise.are_line_integrals = fields.flag("are_line_integrals", false);
  normalise.white_level = read_white_level(fields, settings);
  settings.part = {read_range(fields, "columns"), read_range(fields, "rows"),
                   fields.integer("bin", 1, most_group, 1),
                   fields.integer("every", 1, most_projections, 1)};
  settings.padding = {fields.integer("pad", 0, most_columns, 0),
                      static_cast<PadValues>(fields.choice("pad_with", pad_values, 0))};
  return settings;
}

Json to_json(const ImportSettings& settings, const std::string& folder) {
  Json json = Json::object();
  const auto put_paths = [&](const char* key, const std::vector<std::string>& paths) {
    for (const std::string& path : paths) json[key].push_back(stored_path(path, folder));
  };
  const auto put_path = [&](const char* key, const std::string& path) {
    if (!path.empty()) json[key] = stored_path(path, folder);
  };
  const auto put_length = [&](const char* key, double value_mm) {
    if (value_mm > 0) json[key] = value_mm;
  };
  const auto put_flag = [&](const char* key, bool value) {
    if (value) json[key] = true;
  };
  if (settings.images != ImageContent::as_found)
    json["images"] = image_contents[static_cast<std::size_t>(settings.images)];
  const auto put_text = [&](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  put_text("axes", text_of(settings.axes));
  put_text("data", settings.data_sets.projections);
  put_text("flat_data", settings.data_sets.flats);
  put_text("dark_data", settings.data_sets.darks);
  put_text("angles_data", settings.data_sets.angles);
  put_flag("leaves_out_damaged", settings.leaves_out_damaged);
  if (settings.turn) json["turn_deg"] = settings.turn->clockwise_deg;
  put_flag("is_mirrored", settings.turn && settings.turn->is_mirrored);
  put_flag("is_reversed", settings.turn && settings.turn->is_reversed);
  put_paths("flats", settings.flats);
  put_paths("darks", settings.darks);
  put_path("angles", settings.angles);
  put_text("angle_column", settings.angle_column);
  if (settings.arc_deg) json["arc_deg"] = *settings.arc_deg;
  put_flag("arc_is_open", settings.arc_is_open);
  put_flag("assumes_half_turn", settings.assumes_half_turn);
  put_path("geometry", settings.geometry);
  if (settings.translations != TranslationAxes::as_stated)
    json["translations"] = translation_axes[static_cast<std::size_t>(settings.translations)];
  put_flag("only_turns", settings.only_turns);
  put_length("pixel_mm", settings.pixel_mm);
  put_length("source_to_axis_mm", settings.source_to_axis_mm);
  put_length("source_to_detector_mm", settings.source_to_detector_mm);
  if (settings.centre) json["centre_column"] = *settings.centre;
  const NormaliseOptions& normalise = settings.normalise;
  if (normalise.average != NormaliseOptions().average)
    json["average"] = averages[static_cast<std::size_t>(normalise.average)];
  if (normalise.air_columns > 0) json["air_columns"] = normalise.air_columns;
  if (normalise.white_level > 0) json["white_level"] = normalise.white_level;
  put_flag("are_line_integrals", normalise.are_line_integrals);
  const FramePart& part = settings.part;
  const auto json_of = [](const CellRange& range) {
    Json list = Json::array({range.first});
    if (range.last) list.push_back(*range.last);
    return list;
  };
  const auto put_range = [&](const char* key, const CellRange& range) {
    if (range != CellRange{}) json[key] = json_of(range);
  };
  for (const CellRange& range : settings.flat_frames) json["flat_frames"].push_back(json_of(range));
  for (const CellRange& range : settings.dark_frames) json["dark_frames"].push_back(json_of(range));
  put_range("columns", part.columns);
  put_range("rows", part.rows);
  if (part.bin > 1) json["bin"] = part.bin;
  if (part.every > 1) json["every"] = part.every;
  if (settings.padding.columns > 0) json["pad"] = settings.padding.columns;
  if (settings.padding.values != PadValues::fade)
    json["pad_with"] = pad_values[static_cast<std::size_t>(settings.padding.values)];
  return json;
}

}  // namespace gantry
