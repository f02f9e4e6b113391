#include "app/cli/commands.hpp"
#include "app/cli/run_experiment.hpp"
#include "app/resources.hpp"
#include "core/base/error.hpp"
#include "core/job/experiment_file.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace gantry::cli {

namespace {

std::vector<std::string> study_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(resource_folder() / "studies", error))
    if (file.path().extension() == ".json") names.push_back(file.path().stem().string());
  std::ranges::sort(names);
  return names;
}

int study(const std::string& name, const ExperimentOptions& options, Program& program) {
  const std::vector<std::string> names = study_names();
  std::string all;
  for (const std::string& known : names) all += (all.empty() ? "" : ", ") + known;
  if (name.empty()) {
    if (names.empty()) std::cout << "no studies are installed\n";
    for (const std::string& known : names)
      std::cout << known << ": "
                << read_experiment((resource_folder() / "studies" / (known + ".json")).string(),
                                   program.catalog)
                       .title
                << '\n';
    return 0;
  }
  if (std::ranges::find(names, name) == names.end())
    throw UsageError("unknown study \"" + name + "\"", {},
                     names.empty() ? "no studies are installed" : "use one of " + all);
  return run_experiment(
      read_experiment((resource_folder() / "studies" / (name + ".json")).string(), program.catalog),
      options, program);
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
  sub->footer("Example:\n  gantry-cli study\n  gantry-cli study NAME --out results");
  return {sub, [o, &program] { return study(o->name, o->todo, program); }};
}

}  // namespace gantry::cli
