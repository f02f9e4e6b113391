#include "app/cli/study/study_files.hpp"

#include "app/cli/out_folder.hpp"
#include "app/cli/today.hpp"
#include "app/version.hpp"
#include "core/io/files/atomic_file.hpp"
#include "studies/report/image_png.hpp"
#include "studies/report/study_json.hpp"
#include "studies/study_chart.hpp"
#include "studies/study_context.hpp"

#include <filesystem>
#include <span>

namespace gantry::cli {

namespace {

void write_text(const std::filesystem::path& path, const std::string& text) {
  write_file_atomically(path, std::as_bytes(std::span(text)));
}

/// Returns the names of the devices on which the methods of a study ran.
std::vector<std::string> devices_of(const StudyResult& result, const Program& program) {
  if (!result.devices.empty()) return result.devices;
  return {program.backends.resolve("cpu").name()};
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
    write_file_atomically(base / file_name(image), png_of(image));
  write_text(
      base / (study.key + ".json"),
      json_of(study, result, {version_text(), commit_id(), today(), devices_of(result, program)})
              .dump(1) +
          '\n');
}

ReportHead head_of_today(const Program& program, const std::string& remark) {
  return {version_text(), today(), device_names(program.backends), remark};
}

void write_report(const std::string& folder, const std::vector<StudyRun>& runs,
                  const ReportHead& head) {
  make_folder(folder);
  write_text(std::filesystem::path(folder) / report_name, report_html(head, runs));
}

}  // namespace gantry::cli
