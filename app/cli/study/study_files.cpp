#include "app/cli/study/study_files.hpp"

#include "app/cli/out_folder.hpp"
#include "app/cli/today.hpp"
#include "app/version.hpp"
#include "core/io/files/atomic_file.hpp"
#include "studies/report/image_png.hpp"
#include "studies/study_context.hpp"
#include "studies/svg_chart.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <span>

namespace gantry::cli {

namespace {

using Json = nlohmann::ordered_json;

void write_text(const std::filesystem::path& path, const std::string& text) {
  write_file_atomically(path, std::as_bytes(std::span(text)));
}

std::string image_file(const StudyImage& image) { return image.key + ".png"; }

Json json_of(const StudyCell& cell) {
  if (cell.number) return *cell.number;  // becomes null if it is not finite
  return cell.words.empty() ? Json(nullptr) : Json(cell.words);
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
  return {{"key", table.key}, {"title", table.title}, {"columns", columns}, {"rows", rows}};
}

Json json_of(const StudyChart& chart) {
  Json curves = Json::array();
  for (const StudyCurve& curve : chart.curves)
    curves.push_back({{"name", curve.name}, {"x", curve.x}, {"y", curve.y}});
  return {{"key", chart.key},
          {"title", chart.title},
          {"x", chart.x_label},
          {"y", chart.y_label},
          {"curves", curves}};
}

/// Returns what there is of an image besides its pixels, which stand in a PNG file.
Json json_of(const StudyImage& image) {
  return {{"key", image.key}, {"title", image.title}, {"unit", image.unit},
          {"low", image.low}, {"high", image.high},   {"file", image_file(image)}};
}

/// Returns the names of the devices on which the methods of a study ran.
std::vector<std::string> devices_of(const StudyResult& result, const Program& program) {
  if (!result.devices.empty()) return result.devices;
  return {program.backends.resolve("cpu").name()};
}

/// Returns the whole result as one JSON value.
Json json_of(const Study& study, const StudyResult& result, const Program& program) {
  Json tables = Json::array(), charts = Json::array(), images = Json::array();
  for (const StudyTable& table : result.tables) tables.push_back(json_of(table));
  for (const StudyChart& chart : result.charts) charts.push_back(json_of(chart));
  for (const StudyImage& image : result.images) images.push_back(json_of(image));
  return {{"program", version_text()}, {"commit", commit_id()},
          {"date", today()},           {"devices", devices_of(result, program)},
          {"study", study.key},        {"title", study.title},
          {"notes", result.notes},     {"tables", tables},
          {"charts", charts},          {"images", images}};
}

}  // namespace

void write_study(const std::string& folder, const Study& study, const StudyResult& result,
                 const Program& program) {
  std::vector<std::string> comments = {version_text(), "date: " + today()};
  for (const std::string& device : devices_of(result, program))
    comments.push_back("device: " + device);
  comments.push_back("study " + study.key + ": " + study.title);
  comments.insert(comments.end(), result.notes.begin(), result.notes.end());
  make_folder(folder);
  const std::filesystem::path base(folder);
  for (const StudyTable& table : result.tables)
    write_text(base / (table.key + ".csv"), table_csv(table, comments));
  for (const StudyChart& chart : result.charts) {
    write_text(base / (chart.key + "-curves.csv"), chart_csv(chart, comments));
    write_text(base / (chart.key + ".svg"), svg_chart(chart));
  }
  for (const StudyImage& image : result.images)
    write_file_atomically(base / image_file(image), png_of(image));
  write_text(base / (study.key + ".json"), json_of(study, result, program).dump(1) + '\n');
}

void write_report(const std::string& folder, const std::vector<StudyRun>& runs,
                  const Program& program, const std::string& remark) {
  make_folder(folder);
  const ReportHead head = {version_text(), today(), device_names(program.backends), remark};
  write_text(std::filesystem::path(folder) / report_name, report_html(head, runs));
}

}  // namespace gantry::cli
