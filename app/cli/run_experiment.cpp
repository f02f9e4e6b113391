#include "app/cli/run_experiment.hpp"

#include "app/cli/checks.hpp"
#include "app/cli/out_folder.hpp"
#include "app/cli/run_report.hpp"
#include "core/base/error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/volume_file.hpp"
#include "core/job/curves_csv.hpp"

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <set>
#include <span>

namespace gantry::cli {

namespace {

/// A file name from a label: letters, digits, points; anything else becomes one dash.
std::string file_name(const std::string& label, std::set<std::string>& taken) {
  std::string name;
  for (const char c : label)
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '.')
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  while (!name.empty() && name.back() == '-') name.pop_back();
  if (name.empty()) name = "run";
  std::string unique = name;
  for (int i = 2; !taken.insert(unique).second; ++i) unique = name + "-" + std::to_string(i);
  return unique;
}

void print_table(const std::vector<Reconstructed>& results, const ExperimentData& data,
                 const Catalog& catalog) {
  std::printf("\n%s; metrics: %s\n%-32s %5s %9s %12s", data.description.c_str(),
              data.mask_label.c_str(), "run", "it", "seconds", "residual");
  std::vector<std::string> metrics;  // the same for every run
  for (const Reconstructed& result : results)
    if (!result.history.empty()) metrics = shown_metrics(result.history.back(), catalog);
  for (const std::string& key : metrics) std::printf(" %14s", key.c_str());
  std::printf("\n");
  for (const Reconstructed& result : results) {
    if (result.history.empty()) continue;
    const HistoryEntry& last = result.history.back();
    std::printf("%-32s %5d %9.3f %12.6g", result.label.c_str(), last.report.iteration,
                last.report.seconds, last.report.residual_norm);
    for (const std::string& key : metrics) std::printf(" %14s", metric_text(last, key).c_str());
    std::printf("\n");
  }
}

void write_all(const std::string& folder, const std::vector<Reconstructed>& results,
               const ExperimentData& data, const Catalog& catalog) {
  make_folder(folder);
  const std::filesystem::path base(folder);
  std::set<std::string> taken = {"truth"};
  std::vector<CurveSet> curves;
  for (const Reconstructed& result : results) {
    const int iterations = result.history.empty() ? 0 : result.history.back().report.iteration;
    write_result((base / (file_name(result.label, taken) + ".mha")).string(), result, data,
                 catalog);
    curves.push_back(
        {result.label, run_description(result.spec, catalog, iterations), result.history});
  }
  if (data.reference) {
    VolumeToWrite truth;
    truth.grid = data.grid;
    truth.mu = data.reference->mu;
    write_volume((base / "truth.mha").string(), truth);
  }
  const std::string csv = curves_csv(curves, {data.description, "metrics: " + data.mask_label});
  write_file_atomically(base / "curves.csv", std::as_bytes(std::span(csv)));
}

}  // namespace

void ExperimentOptions::add_to(CLI::App& app) {
  app.add_option("--out", folder, "folder for volumes and curves (default: only print)")
      ->type_name("FOLDER")
      ->check(not_empty());
  app.add_option("--iterations", iterations, "instead of each run's own number")
      ->type_name("N")
      ->check(whole(1, 1000000));
}

int run_experiment(const Experiment& experiment, const ExperimentOptions& options,
                   Program& program) {
  const std::string& folder = options.folder;
  if (experiment.runs.empty())
    throw InputError("the experiment has no runs", "runs", "add at least one");
  if (!folder.empty()) require_writable_folder(folder);
  const auto data = prepare_for_runs(experiment, program);
  print_notes(notes_for(*data, experiment.runs, program.catalog));
  std::vector<Reconstructed> results;
  int failed = 0;
  for (RunSpec run : experiment.runs) {
    if (options.iterations > 0) run.iterations = options.iterations;
    try {
      results.push_back(reconstruct_and_report(run, data, experiment.metrics, program, {}));
    } catch (const Error& error) {  // one failed run leaves the others alone
      std::cerr << "gantry-cli: " << run_label(run, program.catalog) << ": " << error.what()
                << '\n';
      ++failed;
    }
  }
  if (results.empty()) return 1;
  print_table(results, *data, program.catalog);
  if (!folder.empty()) {
    write_all(folder, results, *data, program.catalog);
    std::cout << "wrote volumes and curves.csv to " << folder << '\n';
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace gantry::cli
