#include "app/cli/study/study_all.hpp"

#include "app/cli/out_folder.hpp"
#include "app/cli/study/progress_lines.hpp"
#include "app/cli/study/study_files.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/io/files/read_text.hpp"
#include "studies/report/study_json.hpp"
#include "studies/report/verdict.hpp"
#include "studies/study_list.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace gantry::cli {

namespace {

constexpr std::size_t largest_result = std::size_t{1} << 30U;  // bytes of a file of results

std::string outcome_of(const StudyRun& run) {
  if (run.left_out) return "left out: " + run.problem;
  if (!run.problem.empty()) return "not complete: " + run.problem;
  const std::vector<Comparison> all = comparisons(run.result);
  const auto found = std::ranges::count_if(all, [](const Comparison& one) {
    return one.verdict.outcome == Outcome::reached || one.verdict.outcome == Outcome::beaten;
  });
  return std::to_string(found) + " of " + std::to_string(all.size()) +
         " entries of print reached or beaten";
}

void require_report_folder(const std::string& folder) {
  if (folder.empty())
    throw UsageError("all studies together write a report", "--out", "name its folder");
  require_writable_folder(folder, {report_name});
}

/// Adds the results that lie in a folder, or in folders of studies in it. Returns whether there are
/// any.
bool add_results_in(const std::filesystem::path& folder, std::vector<StudyRun>& runs) {
  bool found = false;
  for (const Study& study : studies())
    for (const auto& file :
         {folder / (study.key + ".json"), folder / study.key / (study.key + ".json")}) {
      std::error_code error;
      if (!std::filesystem::is_regular_file(file, error)) continue;
      add_kept(read_study_json(read_text_file(file.string(), largest_result), file.string()), runs);
      found = true;
    }
  return found;
}

/// Returns the devices on which the results of all runs were computed, each once.
std::vector<std::string> devices_of(const std::vector<StudyRun>& runs) {
  std::vector<std::string> all;
  for (const StudyRun& run : runs)
    for (const std::string& device : run.result.devices)
      if (std::ranges::find(all, device) == all.end()) all.push_back(device);
  return all;
}

}  // namespace

int study_report(const std::string& folder, const std::vector<std::string>& from,
                 const Program& program) {
  require_report_folder(folder);
  std::vector<StudyRun> runs;
  for (const std::string& results : from)
    if (!add_results_in(results, runs))
      throw InputError("holds no results of studies", results,
                       "name a folder that study NAME --out or study all --out wrote");
  ReportHead head = head_of_today(
      program, "The results were computed apart; the notes of each study say where and when.");
  head.devices = devices_of(runs);
  write_report(folder, runs, head);
  for (const StudyRun& run : runs) std::cout << run.study.key << ": " << outcome_of(run) << '\n';
  std::cout << "wrote " << report_name << " to " << folder << '\n';
  return 0;
}

int study_all(const std::string& folder, StudyOptions options, const Program& program) {
  require_report_folder(folder);
  options.for_several = true;
  const std::string remark = limit_to_small_form(options);
  ProgressLines lines;
  options.progress = [&](double done, const std::string& what) { lines.tell(done, what); };
  std::vector<StudyRun> runs;
  const std::size_t count = studies().size();
  for (const Study& study : studies()) {
    const std::string own = (std::filesystem::path(folder) / study.key).string();
    options.so_far = [&](const StudyResult& so_far) { write_study(own, study, so_far, program); };
    lines.begin(std::to_string(runs.size() + 1) + " of " + std::to_string(count) + ", " +
                study.key);
    try {
      run_study(study, options, runs);
    } catch (const Interrupted&) {
      write_report(folder, runs, head_of_today(program, remark));
      throw;
    }
    const StudyRun& run = runs.back();
    if (run.problem.empty()) write_study(own, study, run.result, program);
    write_report(folder, runs, head_of_today(program, remark));
    std::cout << study.key << ": " << outcome_of(run) << '\n';
  }
  if (std::ranges::all_of(runs, &StudyRun::left_out))
    throw UsageError("no study has what is chosen", "--part, --sizes",
                     "see " + folder + "/" + report_name + " for what each one has");
  std::cout << "wrote a folder for each study and " << report_name << " to " << folder << '\n';
  const auto failed = [](const StudyRun& run) { return !run.left_out && !run.problem.empty(); };
  return std::ranges::any_of(runs, failed) ? 1 : 0;
}

}  // namespace gantry::cli
