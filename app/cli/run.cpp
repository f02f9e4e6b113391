#include <memory>

#include "app/cli/commands.hpp"
#include "app/cli/run_experiment.hpp"
#include "core/job/experiment_file.hpp"

namespace gantry::cli {

Command add_run(CLI::App& app, Program& program) {
  struct Options {
    std::string file, out;
    int iterations = 0;
  };
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("run", "Run an experiment saved by the window");
  sub->add_option("JOB", o->file, "experiment (NAME.json)")->required();
  sub->add_option("--out", o->out, "folder for volumes and curves");
  sub->add_option("--iterations", o->iterations, "instead of each run's own number")->check(CLI::Range(1, 1000000));
  return {sub, [o, &program] { return run_experiment(read_experiment(o->file, program.catalog), o->out, o->iterations, program); }};
}

}  // namespace gantry::cli
