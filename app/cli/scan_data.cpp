#include "app/cli/scan_data.hpp"

#include "app/cli/run_report.hpp"

namespace gantry::cli {

std::shared_ptr<const ExperimentData> read_scan_data(const std::string& path, Program& program,
                                                     const Interrupt& interrupt) {
  Experiment experiment;
  experiment.source.kind = SourceKind::scan;
  experiment.source.path = path;
  auto data =
      prepare_data(experiment, program.catalog, program.backends.resolve("cpu"), &interrupt);
  print_notes(data->notes);
  return data;
}

}  // namespace gantry::cli
