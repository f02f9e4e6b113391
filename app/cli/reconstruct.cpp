#include <iostream>
#include <memory>

#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/run_report.hpp"
#include "core/base/error.hpp"
#include "core/data/resample.hpp"
#include "core/io/scan_file.hpp"
#include "core/io/volume_file.hpp"

namespace gantry::cli {

namespace {

struct Options {
  RunOptions run;
  std::string scan, reference, log, out;
  double mu_water = default_mu_water;
};

int reconstruct(const Options& options, Program& program) {
  const RunSpec run = options.run.run_spec(program.catalog);
  Experiment experiment;
  experiment.source.kind = SourceKind::scan;
  experiment.source.path = options.scan;
  experiment.source.mu_water = options.mu_water;
  experiment.grid = options.run.volume_grid(default_grid(ScanGeometry(read_geometry(options.scan))));
  auto data = std::make_shared<ExperimentData>(*prepare_data(experiment, program.catalog, program.backends.resolve("cpu")));
  print_notes(data->notes);
  if (!options.reference.empty()) {
    const LoadedVolume truth = load_volume(options.reference, {false, options.mu_water, {}});
    data->reference = make_reference(data->grid, resample_volume(truth.grid, truth.mu, data->grid), options.reference);
  }
  const Reconstructed result = reconstruct_and_report(run, data, experiment.metrics, program, options.log);
  write_result(options.out, result, *data, program.catalog);
  std::cout << "wrote " << options.out << '\n';
  return 0;
}

}  // namespace

Command add_reconstruct(CLI::App& app, Program& program) {
  auto options = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("reconstruct", "Reconstruct a scan");
  sub->add_option("SCAN", options->scan, "scan file (NAME.scan.json)")->required();
  options->run.add_to(*sub);
  sub->add_option("--reference", options->reference, "volume to measure RMSE, PSNR and SSIM against after each iteration");
  sub->add_option("--mu-water", options->mu_water, "attenuation of water in 1/mm, for HU")->capture_default_str()->check(CLI::PositiveNumber);
  sub->add_option("--log", options->log, "write the curves to this CSV file");
  sub->add_option("--out", options->out, "volume (.mha, .mhd, .raw) or folder for a DICOM series")->required();
  return {sub, [options, &program] { return reconstruct(*options, program); }};
}

}  // namespace gantry::cli
