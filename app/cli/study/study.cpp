#include "studies/study.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/out_folder.hpp"
#include "app/cli/run_experiment.hpp"
#include "app/cli/series_options.hpp"
#include "app/cli/signals.hpp"
#include "app/cli/study/progress_lines.hpp"
#include "app/cli/study/study_all.hpp"
#include "app/cli/study/study_files.hpp"
#include "app/resources.hpp"
#include "core/base/clock.hpp"
#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/experiment_file.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace gantry::cli {

namespace {

struct StudyChoice {
  std::string name;
  ExperimentOptions todo;
  double scale = 0;
  std::vector<std::string> parts;
  std::vector<int> sizes, seeds;
  std::string pictures;
  SeriesOptions series;           ///< of the pictures; only --uneven is offered
  std::vector<std::string> from;  ///< folders of earlier results, instead of computing

  bool chooses() const {
    return todo.iterations > 0 || scale > 0 || !parts.empty() || !sizes.empty() || !seeds.empty() ||
           !pictures.empty();
  }
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

StudyOptions options_of(const StudyChoice& choice, const Program& program,
                        const Interrupt& interrupt) {
  return {.iterations = choice.todo.iterations,
          .scale = choice.scale,
          .parts = choice.parts,
          .sizes = choice.sizes,
          .seeds = choice.seeds,
          .pictures = read_pictures(choice.pictures, choice.series.uneven_slices()),
          .catalog = &program.catalog,
          .backends = &program.backends,
          .interrupt = &interrupt};
}

void print(const Study& study, const StudyResult& result) {
  std::cout << study.title << "\n\n";
  for (const std::string& note : result.notes) std::cout << note << "\n\n";
  for (const StudyTable& table : result.tables) std::cout << table_text(table) << '\n';
}

/// Says that a study ended before its last table; returns the exit status.
int tell_of_interruption(const std::string& folder) {
  std::cout.flush();
  const int signal = received_signal();
  std::cerr << "gantry-cli: interrupted by " << signal_name(signal) << "; the tables so far are "
            << (folder.empty() ? "above" : "above and in " + folder) << '\n';
  return exit_status_of(signal);
}

int compute(const Study& study, const StudyChoice& choice, const Program& program) {
  const std::string& folder = choice.todo.folder;
  if (!choice.seeds.empty() && !study.takes.seeds)
    throw UsageError("the study " + study.key + " draws no noise", "--seeds", "leave it out");
  if (!choice.parts.empty() && !study.takes.parts)
    throw UsageError("the study " + study.key + " has no parts", "--part", "leave it out");
  if (!choice.sizes.empty() && !study.takes.sizes)
    throw UsageError("the study " + study.key + " has no sizes to choose", "--sizes",
                     "leave it out");
  if (!folder.empty()) require_writable_folder(folder, {study.key + ".json", report_name});
  const SignalInterrupt signal_interrupt;
  StudyRun run{study, {}, {}, false, 0};
  const auto keep = [&](const StudyResult& so_far) {
    run.result = so_far;
    if (folder.empty()) return;
    write_study(folder, study, so_far, program);
    write_report(folder, {run}, head_of_today(program));
  };
  ProgressLines lines;
  StudyOptions options = options_of(choice, program, signal_interrupt.interrupt());
  options.progress = [&](double done, const std::string& what) { lines.tell(done, what); };
  options.so_far = keep;
  const Clock::time_point start = Clock::now();
  try {
    const StudyResult result = study.compute(options);
    run.seconds = seconds_since(start);
    keep(result);
  } catch (const Interrupted&) {
    if (run.result.tables.empty()) throw;
    print(study, run.result);
    return tell_of_interruption(folder);
  }
  print(study, run.result);
  if (!folder.empty())
    std::cout << "wrote tables (CSV), curves (CSV), figures (SVG), images (PNG), all of it (JSON) "
                 "and report.html to "
              << folder << '\n';
  return 0;
}

int study(const StudyChoice& choice, Program& program) {
  const std::string& name = choice.name;
  const std::vector<std::string> experiments = experiment_names();
  if (name.empty()) return list_studies(experiments, program);
  if (!choice.from.empty()) {
    if (name != "all")
      throw UsageError("results are put together in the report of all studies", "--from",
                       "use study all");
    if (choice.chooses())
      throw UsageError("earlier results are as they were computed", "--from",
                       "leave out what chooses parts, sizes or data");
    return study_report(choice.todo.folder, choice.from, program);
  }
  if (name == "all") {
    const SignalInterrupt signal_interrupt;
    return study_all(choice.todo.folder, options_of(choice, program, signal_interrupt.interrupt()),
                     program);
  }
  for (const Study& study : studies())
    if (study.key == name) return compute(study, choice, program);
  if (std::ranges::find(experiments, name) != experiments.end())
    return run_experiment(read_experiment(experiment_path(name), program.catalog), choice.todo,
                          program);
  std::vector<std::string> all = {"all"};
  for (const Study& study : studies()) all.push_back(study.key);
  all.insert(all.end(), experiments.begin(), experiments.end());
  throw UsageError("unknown study \"" + name + "\"", {}, "use one of " + joined(all));
}

}  // namespace

Command add_study(CLI::App& app, Program& program) {
  auto o = std::make_shared<StudyChoice>();
  CLI::App* sub = app.add_subcommand("study", "Run a study that comes with the program");
  sub->add_option("NAME", o->name, "name of the study, or all; without it, they are listed")
      ->type_name("");
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
  sub->add_option("--from", o->from,
                  "with all: a report on results that studies wrote to these folders")
      ->type_name("FOLDERS")
      ->delimiter(',')
      ->allow_extra_args(false);
  sub->footer(
      "Studies compute published tables and figures anew, beside the printed values; \"all\"\n"
      "computes every published one, for a report with verdicts, in a small form without a GPU.\n"
      "Charts are written as SVG; the window exports them as PNG, too.\n"
      "Example:\n  gantry-cli study\n  gantry-cli study NAME --out results\n"
      "  gantry-cli study all --from results,more --out report");
  return {sub, [o, &program] { return study(*o, program); }};
}

}  // namespace gantry::cli
