#include "core/studies/study.hpp"

#include "app/cli/bench_cases.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/out_folder.hpp"
#include "app/cli/run_experiment.hpp"
#include "app/resources.hpp"
#include "app/version.hpp"
#include "core/base/error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/job/experiment_file.hpp"
#include "core/studies/svg_chart.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>

namespace gantry::cli {

namespace {

std::string experiment_path(const std::string& name) {
  return (resource_folder() / "studies" / (name + ".json")).string();
}

/// Studies that are experiments: a file each.
std::vector<std::string> experiment_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(resource_folder() / "studies", error))
    if (file.path().extension() == ".json") names.push_back(file.path().stem().string());
  std::ranges::sort(names);
  return names;
}

int list_studies(const std::vector<std::string>& experiments, const Program& program) {
  for (const Study& study : studies()) std::cout << study.key << ": " << study.title << '\n';
  for (const std::string& name : experiments)
    std::cout << name << ": " << read_experiment(experiment_path(name), program.catalog).title
              << '\n';
  return 0;
}

void write_text(const std::filesystem::path& path, const std::string& text) {
  write_file_atomically(path, std::as_bytes(std::span(text)));
}

void write_files(const std::string& folder, const Study& study, const StudyResult& result,
                 const Program& program) {
  std::vector<std::string> comments = {version_text(), "date: " + today(),
                                       "device: " + program.backends.resolve("cpu").name(),
                                       "study " + study.key + ": " + study.title};
  comments.insert(comments.end(), result.notes.begin(), result.notes.end());
  make_folder(folder);
  const std::filesystem::path base(folder);
  for (const StudyTable& table : result.tables)
    write_text(base / (table.key + ".csv"), table_csv(table, comments));
  for (const StudyChart& chart : result.charts) {
    write_text(base / (chart.key + "-curves.csv"), chart_csv(chart, comments));
    write_text(base / (chart.key + ".svg"), svg_chart(chart));
  }
  std::cout << "wrote tables (CSV), curves (CSV) and figures (SVG) to " << folder << '\n';
}

int compute(const Study& study, const ExperimentOptions& options, const Program& program) {
  if (!options.folder.empty()) require_writable_folder(options.folder);
  const StudyResult result = study.compute({options.iterations});
  std::cout << study.title << "\n\n";
  for (const std::string& note : result.notes) std::cout << note << "\n\n";
  for (const StudyTable& table : result.tables) std::cout << table_text(table) << '\n';
  if (!options.folder.empty()) write_files(options.folder, study, result, program);
  return 0;
}

int study(const std::string& name, const ExperimentOptions& options, Program& program) {
  const std::vector<std::string> experiments = experiment_names();
  if (name.empty()) return list_studies(experiments, program);
  for (const Study& study : studies())
    if (study.key == name) return compute(study, options, program);
  if (std::ranges::find(experiments, name) != experiments.end())
    return run_experiment(read_experiment(experiment_path(name), program.catalog), options,
                          program);
  std::string all;
  for (const Study& study : studies()) all += (all.empty() ? "" : ", ") + study.key;
  for (const std::string& known : experiments) all += ", " + known;
  throw UsageError("unknown study \"" + name + "\"", {}, "use one of " + all);
}

}  // namespace

Command add_study(CLI::App& app, Program& program) {
  struct Options {
    std::string name;
    ExperimentOptions todo;
  };
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("study", "Run a study that comes with the program");
  sub->add_option("NAME", o->name, "which; without a name: lists them")->type_name("");
  o->todo.add_to(*sub);
  sub->footer(
      "Studies compute published tables and figures anew, beside the printed values.\n"
      "Example:\n  gantry-cli study\n  gantry-cli study NAME --out results");
  return {sub, [o, &program] { return study(o->name, o->todo, program); }};
}

}  // namespace gantry::cli
