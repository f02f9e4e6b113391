#include "app/cli/study/study_all.hpp"

#include "app/cli/out_folder.hpp"
#include "app/cli/study/progress_lines.hpp"
#include "app/cli/study/study_files.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "studies/report/verdict.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace gantry::cli {

namespace {

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

}  // namespace

int study_all(const std::string& folder, StudyOptions options, const Program& program) {
  if (folder.empty())
    throw UsageError("all studies together write a report", "--out", "name its folder");
  require_writable_folder(folder, {report_name});
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
      write_report(folder, runs, program, remark);
      throw;
    }
    const StudyRun& run = runs.back();
    if (run.problem.empty()) write_study(own, study, run.result, program);
    write_report(folder, runs, program, remark);
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
