#include "studies/report/study_json.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/json_fields.hpp"
#include "studies/report/base64.hpp"
#include "studies/report/image_png.hpp"
#include "studies/study_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace gantry {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> better_names = {"none", "smaller", "larger"};
constexpr int most_pixels = 1 << 15;  // along a side

struct CellFlag {
  const char* key;
  bool StudyCell::*value;
};
constexpr std::array<CellFlag, 3> cell_flags = {{{"all_digits", &StudyCell::all_digits},
                                                 {"fitted", &StudyCell::fitted},
                                                 {"exact", &StudyCell::exact}}};

/// JSON has no numbers that are not finite: these become "inf", "-inf" or "nan".
Json json_of_number(double number) {
  if (std::isfinite(number)) return number;
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

/// A cell of which there are only words or a finite number is that alone.
Json json_of(const StudyCell& cell) {
  Json json = Json::object();
  if (!cell.words.empty()) json["words"] = cell.words;
  if (cell.number) json["number"] = json_of_number(*cell.number);
  if (json.empty()) return nullptr;
  if (cell.meant) json.update({{"meant", *cell.meant}, {"why", cell.why_misprint}});
  if (cell.better != Better::none)
    json["better"] = better_names.at(static_cast<std::size_t>(cell.better));
  for (const CellFlag& flag : cell_flags)
    if (cell.*flag.value) json[flag.key] = true;
  const bool alone = json.size() == 1 && (!cell.number || std::isfinite(*cell.number));
  return alone ? Json(*json.begin()) : json;
}

Json json_of(const StudyTable& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const StudyColumn& column : table.columns)
    columns.push_back({{"name", column.name}, {"unit", column.unit}});
  for (const auto& cells : table.rows) {
    Json row = Json::array();
    for (const StudyCell& cell : cells) row.push_back(json_of(cell));
    rows.push_back(std::move(row));
  }
  return {{"key", table.key},           {"title", table.title},
          {"compares", table.compares}, {"shows_meant", table.shows_meant},
          {"columns", columns},         {"rows", rows}};
}

Json json_of(const StudyChart& chart) {
  Json curves = Json::array();
  for (const StudyCurve& curve : chart.curves)
    curves.push_back({{"name", curve.name}, {"x", curve.x}, {"y", curve.y}});
  Json json = {{"key", chart.key},   {"title", chart.title}, {"x", chart.x_label},
               {"y", chart.y_label}, {"log_x", chart.log_x}, {"log_y", chart.log_y},
               {"curves", curves}};
  if (std::isfinite(chart.top)) json["top"] = chart.top;
  return json;
}

Json json_of(const StudyImage& image) {
  const std::vector<std::uint8_t> greys = greys_of(image);
  return {{"key", image.key},
          {"title", image.title},
          {"unit", image.unit},
          {"low", image.low},
          {"high", image.high},
          {"width", image.width},
          {"height", image.height},
          {"file", file_name(image)},
          {"greys", base64(std::as_bytes(std::span(greys)))}};
}

double number_of(const nlohmann::json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// Returns the number of a cell, which may not be finite. Earlier programs wrote null for one
/// beyond all bounds.
double number_of_cell(const JsonFields& cell) {
  const nlohmann::json& value = cell.at("number", "write the study again");
  if (value.is_null() || value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  return cell.number("number");
}

StudyCell read_cell(const nlohmann::json& value, const JsonFields& of) {
  if (value.is_null()) return {};
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_object()) of.fail("rows", "has a cell that is no cell", "write the study again");
  const JsonFields fields(value, of.where(), of.path_of("rows"));
  StudyCell cell;
  cell.words = fields.text_or("words", "");
  if (fields.has("number")) cell.number = number_of_cell(fields);
  if (fields.has("meant")) {
    cell.meant = fields.number("meant");
    cell.why_misprint = fields.text_or("why", "");
  }
  cell.better = static_cast<Better>(fields.choice("better", better_names, 0));
  for (const CellFlag& flag : cell_flags) cell.*flag.value = fields.flag(flag.key, false);
  return cell;
}

/// The fields of a list of objects.
std::vector<JsonFields> list_of(const JsonFields& fields, const std::string& key) {
  const nlohmann::json& list = fields.at(key, "write the study again");
  if (!list.is_array()) fields.fail(key, "is no list", "write the study again");
  std::vector<JsonFields> all;
  for (std::size_t i = 0; i < list.size(); ++i)
    all.emplace_back(list[i], fields.where(), fields.path_of(key) + "." + std::to_string(i));
  return all;
}

std::vector<std::string> texts_of(const JsonFields& fields, const std::string& key) {
  const nlohmann::json& list = fields.at(key, "write the study again");
  std::vector<std::string> all;
  for (const nlohmann::json& text : list) {
    if (!text.is_string()) fields.fail(key, "is no list of texts", "write the study again");
    all.push_back(text.get<std::string>());
  }
  return all;
}

StudyTable read_table(const JsonFields& fields) {
  StudyTable table{fields.text("key", "name it"),  fields.text_or("title", ""),      {}, {},
                   fields.flag("compares", false), fields.flag("shows_meant", false)};
  for (const JsonFields& column : list_of(fields, "columns"))
    table.columns.push_back({column.text_or("name", ""), column.text_or("unit", "")});
  if (table.compares && table.columns.size() < 4)
    fields.fail("columns", "are too few to compare", "write the study again");
  const nlohmann::json& rows = fields.at("rows", "write the study again");
  for (const nlohmann::json& row : rows) {
    if (!row.is_array() || row.size() != table.columns.size())
      fields.fail("rows", "has a row without a cell for each column", "write the study again");
    auto& cells = table.rows.emplace_back();
    for (const nlohmann::json& value : row) cells.push_back(read_cell(value, fields));
    if (table.compares) cells[cells.size() - (table.shows_meant ? 4 : 3)].all_digits = true;
  }
  return table;
}

StudyChart read_chart(const JsonFields& fields) {
  StudyChart chart{fields.text("key", "name it"),
                   fields.text_or("title", ""),
                   fields.text_or("x", ""),
                   fields.text_or("y", ""),
                   fields.flag("log_x", false),
                   fields.flag("log_y", false),
                   {}};
  if (fields.has("top")) chart.top = fields.number("top");
  for (const JsonFields& curve : list_of(fields, "curves")) {
    StudyCurve& added = chart.curves.emplace_back(StudyCurve{curve.text_or("name", ""), {}, {}});
    for (const auto& [key, values] : {std::pair{"x", &added.x}, {"y", &added.y}})
      for (const nlohmann::json& value : curve.at(key, "write the study again"))
        values->push_back(number_of(value));
    if (added.x.size() != added.y.size())
      curve.fail("y", "has another number of values than x", "write the study again");
  }
  return chart;
}

StudyImage read_image(const JsonFields& fields) {
  StudyImage image{.key = fields.text("key", "name it"),
                   .title = fields.text_or("title", ""),
                   .unit = fields.text_or("unit", ""),
                   .width = fields.integer("width", 1, most_pixels),
                   .height = fields.integer("height", 1, most_pixels),
                   .low = fields.number("low"),
                   .high = fields.number("high")};
  const auto greys = from_base64(fields.text("greys", "write the study again"));
  if (!greys || greys->size() != static_cast<std::size_t>(image.width) * image.height)
    fields.fail("greys", "are not one for each pixel", "write the study again");
  for (const std::byte grey : *greys)
    image.values.push_back(static_cast<float>(image.low + (image.high - image.low) *
                                                              std::to_integer<int>(grey) / 255.0));
  return image;
}

/// Puts a new item in the place of that with its key, or at the end.
template <class Item>
void put(const Item& item, std::vector<Item>& all) {
  const auto found = std::ranges::find(all, item.key, &Item::key);
  if (found == all.end())
    all.push_back(item);
  else
    *found = item;
}

bool has_same_start(const std::vector<StudyCell>& a, const std::vector<StudyCell>& b,
                    std::size_t count) {
  return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(count), b.begin(),
                    [](const StudyCell& x, const StudyCell& y) {
                      return x.words == y.words && x.number == y.number;
                    });
}

/// Adds the rows of a summary to another one of the same columns.
void join_summary(const StudyTable& more, StudyTable& summary) {
  const std::size_t what = summary.columns.size() - 3;
  for (const auto& row : more.rows) {
    const auto found = std::ranges::find_if(
        summary.rows, [&](const auto& there) { return has_same_start(there, row, what); });
    if (found == summary.rows.end())
      summary.rows.push_back(row);
    else
      *found = row;
  }
}

void join(const StudyResult& more, StudyResult& result) {
  result.scale = std::min(result.scale, more.scale);
  for (const auto& [from, to] :
       {std::pair{&more.devices, &result.devices}, {&more.notes, &result.notes}})
    for (const std::string& text : *from)
      if (std::ranges::find(*to, text) == to->end()) to->push_back(text);
  for (const StudyTable& table : more.tables) {
    const auto found = std::ranges::find(result.tables, table.key, &StudyTable::key);
    if (table.compares && found != result.tables.end() && table.key == "summary" &&
        found->columns.size() == table.columns.size())
      join_summary(table, *found);
    else
      put(table, result.tables);
  }
  // Not by std::ranges, whose subranges Clang 14 does not take.
  std::stable_partition(result.tables.begin(), result.tables.end(),
                        [](const StudyTable& table) { return table.key != "summary"; });
  for (const StudyChart& chart : more.charts) put(chart, result.charts);
  for (const StudyImage& image : more.images) put(image, result.images);
}

std::string note_on(const StudyOrigin& origin) {
  const bool has_commit = origin.program.find(origin.commit) != std::string::npos;
  return "Computed on " + origin.date + " by " + origin.program +
         (has_commit ? "" : ", commit " + origin.commit) + ", on " + joined(origin.devices) + ".";
}

}  // namespace

nlohmann::ordered_json json_of(const Study& study, const StudyResult& result,
                               const StudyOrigin& origin) {
  Json tables = Json::array(), charts = Json::array(), images = Json::array();
  for (const StudyTable& table : result.tables) tables.push_back(json_of(table));
  for (const StudyChart& chart : result.charts) charts.push_back(json_of(chart));
  for (const StudyImage& image : result.images) images.push_back(json_of(image));
  return {{"program", origin.program}, {"commit", origin.commit}, {"date", origin.date},
          {"devices", origin.devices}, {"study", study.key},      {"title", study.title},
          {"scale", result.scale},     {"notes", result.notes},   {"tables", tables},
          {"charts", charts},          {"images", images}};
}

KeptStudy read_study_json(const std::string& text, const std::string& where) {
  const nlohmann::json json = parse_json(text, where);
  const JsonFields fields(json, where);
  const std::string key = fields.text("study", "name a file that a study wrote");
  const auto study = std::ranges::find(studies(), key, &Study::key);
  if (study == studies().end())
    fields.fail("study", "is no study of this program: \"" + key + "\"", "leave it out");
  KeptStudy kept{*study, {}, {}};
  kept.origin = {fields.text_or("program", "Gantry"), fields.text_or("commit", "unknown"),
                 fields.text_or("date", "an unknown day"), texts_of(fields, "devices")};
  kept.result.scale = fields.number("scale", 1);
  kept.result.devices = kept.origin.devices;
  kept.result.notes = texts_of(fields, "notes");
  for (const JsonFields& table : list_of(fields, "tables"))
    kept.result.tables.push_back(read_table(table));
  for (const JsonFields& chart : list_of(fields, "charts"))
    kept.result.charts.push_back(read_chart(chart));
  for (const JsonFields& image : list_of(fields, "images"))
    kept.result.images.push_back(read_image(image));
  return kept;
}

void add_kept(const KeptStudy& kept, std::vector<StudyRun>& runs) {
  auto run = std::ranges::find_if(
      runs, [&](const StudyRun& one) { return one.study.key == kept.study.key; });
  if (run == runs.end()) {
    run = runs.insert(runs.end(), StudyRun{kept.study, {}, {}, false, 0});
    run->result.scale = kept.result.scale;
  }
  StudyResult more = kept.result;
  more.notes.insert(more.notes.begin(), note_on(kept.origin));
  join(more, run->result);
}

}  // namespace gantry
