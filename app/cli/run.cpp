#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_memory.hpp"
#include "app/cli/run_experiment.hpp"
#include "core/base/error.hpp"
#include "core/job/experiment_file.hpp"

#include <memory>

namespace gantry::cli {

Command add_run(CLI::App& app, Program& program) {
  struct Options {
    std::string file;
    ExperimentOptions todo;
  };
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("run", "Run an experiment saved by the window");
  sub->add_option("JOB", o->file, "experiment (NAME.json)")
      ->type_name("FILE")
      ->required()
      ->check(not_empty());
  o->todo.add_to(*sub);
  o->todo.checkpoints.add_to(*sub, "FOLDER");
  add_device_memory(*sub, program);
  sub->footer("Example:\n  gantry-cli run head.json --out results");
  return {sub, [o, &program] {
            const Experiment experiment = read_experiment(o->file, program.catalog);
            if (experiment.runs.empty())
              throw InputError("the experiment has no runs", o->file + ": runs",
                               "add at least one");
            o->todo.file = o->file;
            return run_experiment(experiment, o->todo, program);
          }};
}

}  // namespace gantry::cli
