#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_experiment.hpp"
#include "core/base/error.hpp"
#include "core/job/experiment_file.hpp"

#include <memory>

namespace gantry::cli {

Command add_run(CLI::App& app, Program& program) {
  struct Options {
    std::string file, out;
    int iterations = 0;
  };
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("run", "Run an experiment saved by the window");
  sub->add_option("JOB", o->file, "experiment (NAME.json)")
      ->type_name("FILE")
      ->required()
      ->check(not_empty());
  sub->add_option("--out", o->out, "folder for volumes and curves (default: only print)")
      ->type_name("FOLDER")
      ->check(not_empty());
  sub->add_option("--iterations", o->iterations, "instead of each run's own number")
      ->type_name("N")
      ->check(whole(1, 1000000));
  sub->footer("Example:\n  gantry-cli run head.json --out results");
  return {sub, [o, &program] {
            const Experiment experiment = read_experiment(o->file, program.catalog);
            if (experiment.runs.empty())
              throw InputError("the experiment has no runs", o->file + ": runs",
                               "add at least one");
            return run_experiment(experiment, o->out, o->iterations, program);
          }};
}

}  // namespace gantry::cli
