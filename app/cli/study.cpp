#include "studies/study.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/out_folder.hpp"
#include "app/cli/run_experiment.hpp"
#include "app/cli/series_options.hpp"
#include "app/cli/signals.hpp"
#include "app/cli/today.hpp"
#include "app/resources.hpp"
#include "app/version.hpp"
#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/atomic_file.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/experiment_file.hpp"
#include "studies/svg_chart.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <span>

namespace gantry::cli {

namespace {

using Json = nlohmann::ordered_json;

struct StudyChoice {
  std::string name;
  ExperimentOptions todo;
  double scale = 0;
  std::vector<std::string> parts;
  std::vector<int> sizes, seeds;
  std::string pictures;
  SeriesOptions series;  ///< of the pictures; only --uneven is offered
};

/// Returns the slices of a volume or DICOM series, for studies that use images.
std::vector<StudyPicture> read_pictures(const std::string& path, UnevenSlices uneven) {
  std::vector<StudyPicture> pictures;
  if (path.empty()) return pictures;
  const LoadedVolume volume = load_volume(path, {.uneven = uneven});
  const std::string name = "slice of " + source_name(volume);
  const std::size_t pixels = volume.mu.size() / static_cast<std::size_t>(volume.grid.nz);
  for (std::size_t z = 0; z < static_cast<std::size_t>(volume.grid.nz); ++z) {
    const auto first = volume.mu.begin() + static_cast<std::ptrdiff_t>(z * pixels);
    pictures.push_back({name,
                        volume.grid.nx,
                        volume.grid.ny,
                        {first, first + static_cast<std::ptrdiff_t>(pixels)}});
  }
  return pictures;
}

std::string experiment_path(const std::string& name) {
  return (resource_folder() / "studies" / (name + ".json")).string();
}

/// Returns the names of the studies that are experiment files.
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

/// Returns the names of the devices on which the methods of a study ran.
std::vector<std::string> devices_of(const StudyResult& result, const Program& program) {
  if (!result.devices.empty()) return result.devices;
  return {program.backends.resolve("cpu").name()};
}

/// Returns the whole result as one JSON value.
Json json_of(const Study& study, const StudyResult& result, const Program& program) {
  Json tables = Json::array(), charts = Json::array();
  for (const StudyTable& table : result.tables) tables.push_back(json_of(table));
  for (const StudyChart& chart : result.charts) charts.push_back(json_of(chart));
  return {{"program", version_text()}, {"commit", commit_id()},
          {"date", today()},           {"devices", devices_of(result, program)},
          {"study", study.key},        {"title", study.title},
          {"notes", result.notes},     {"tables", tables},
          {"charts", charts}};
}

void write_files(const std::string& folder, const Study& study, const StudyResult& result,
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
  write_text(base / (study.key + ".json"), json_of(study, result, program).dump(1) + '\n');
}

/// Returns a function that prints the progress of a study and the elapsed time to standard error.
std::function<void(double, const std::string&)> progress_printer() {
  const auto start = std::chrono::steady_clock::now();
  return [start](double done, const std::string& what) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    std::fprintf(stderr, "%3.0f %%  %6.1f s  %s\n", 100 * done, elapsed.count(), what.c_str());
  };
}

int compute(const Study& study, const StudyChoice& choice, const Program& program) {
  const ExperimentOptions& options = choice.todo;
  if (!choice.seeds.empty() && !study.draws_noise)
    throw UsageError("the study " + study.key + " draws no noise", "--seeds", "leave it out");
  if (!options.folder.empty()) require_writable_folder(options.folder, {study.key + ".json"});
  const auto keep = [&](const StudyResult& so_far) {
    if (!options.folder.empty()) write_files(options.folder, study, so_far, program);
  };
  const SignalInterrupt signal_interrupt;
  const StudyResult result =
      study.compute({.iterations = options.iterations,
                     .scale = choice.scale,
                     .parts = choice.parts,
                     .sizes = choice.sizes,
                     .seeds = choice.seeds,
                     .pictures = read_pictures(choice.pictures, choice.series.uneven_slices()),
                     .catalog = &program.catalog,
                     .backends = &program.backends,
                     .interrupt = &signal_interrupt.interrupt(),
                     .progress = progress_printer(),
                     .so_far = keep});
  std::cout << study.title << "\n\n";
  for (const std::string& note : result.notes) std::cout << note << "\n\n";
  for (const StudyTable& table : result.tables) std::cout << table_text(table) << '\n';
  keep(result);
  if (!options.folder.empty())
    std::cout << "wrote tables (CSV), curves (CSV), figures (SVG) and all of it (JSON) to "
              << options.folder << '\n';
  return 0;
}

int study(const StudyChoice& choice, Program& program) {
  const std::string& name = choice.name;
  const std::vector<std::string> experiments = experiment_names();
  if (name.empty()) return list_studies(experiments, program);
  for (const Study& study : studies())
    if (study.key == name) return compute(study, choice, program);
  if (std::ranges::find(experiments, name) != experiments.end())
    return run_experiment(read_experiment(experiment_path(name), program.catalog), choice.todo,
                          program);
  std::vector<std::string> all;
  for (const Study& study : studies()) all.push_back(study.key);
  all.insert(all.end(), experiments.begin(), experiments.end());
  throw UsageError("unknown study \"" + name + "\"", {}, "use one of " + joined(all));
}

}  // namespace

Command add_study(CLI::App& app, Program& program) {
  auto o = std::make_shared<StudyChoice>();
  CLI::App* sub = app.add_subcommand("study", "Run a study that comes with the program");
  sub->add_option("NAME", o->name, "name of the study; without it, all are listed")->type_name("");
  o->todo.add_to(*sub);
  sub->add_option("--scale", o->scale,
                  "factor on the sizes of the study (default: chosen for this computer)")
      ->type_name("FACTOR")
      ->check(CLI::Range(0.001, 1.0));
  sub->add_option("--part", o->parts, "compute only these parts of the study, as in times,phantoms")
      ->type_name("NAMES")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub->add_option("--sizes", o->sizes,
                  "compute only these image sizes (pixels a side), as in 512,1024")
      ->type_name("SIDES")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub->add_option("--seeds", o->seeds, "compute only these realisations of the noise, as in 2,3")
      ->type_name("SEEDS")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000000))
      ->allow_extra_args(false);
  o->series.add_uneven_to(*sub);
  sub->add_option("--pictures", o->pictures,
                  "a volume or DICOM series, for a study of images that are not public")
      ->type_name("PATH");
  sub->footer(
      "Studies compute published tables and figures anew, beside the printed values.\n"
      "Example:\n  gantry-cli study\n  gantry-cli study NAME --out results");
  return {sub, [o, &program] { return study(*o, program); }};
}

}  // namespace gantry::cli
