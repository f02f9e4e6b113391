#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/signals.hpp"
#include "core/geometry/fan_rebinning.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/job/experiment_data.hpp"

#include <cmath>
#include <iostream>
#include <memory>

namespace gantry::cli {

namespace {

struct RebinOptions {
  std::string scan, out;
  double slice_mm = 0;
  int slices = 0;
};

int rebin(const RebinOptions& options, Program& program) {
  FileRoles files;
  files.reads(options.scan, "SCAN");
  files.writes_scan(options.out, "--out");
  files.require_distinct();
  require_writable_scan(options.out);
  Experiment experiment;
  experiment.source.kind = SourceKind::scan;
  experiment.source.path = options.scan;
  experiment.source.rebin_to_fans = true;
  experiment.grid = rebinned_grid(ScanGeometry(read_geometry(options.scan), options.scan),
                                  options.slice_mm, options.slices);
  const SignalInterrupt signal_interrupt;
  const auto data = prepare_data(experiment, program.catalog, program.backends.resolve("cpu"),
                                 &signal_interrupt.interrupt());
  print_notes(data->notes);
  write_scan(options.out, {*data->geometry,
                           data->line_integrals,
                           data->licensed_description(),
                           data->counting,
                           {},
                           data->access,
                           data->mu_water,
                           data->lengths_are_known,
                           data->lacks_flat,
                           data->hides_cut_rows});
  const auto height_of = [&](int slice) {  // removes the rounding error of the sum
    return std::round(1e6 * data->grid.voxel_center_mm(0, 0, slice).z) / 1e6 + 0.0;
  };
  std::cout << "wrote " << options.out << ": " << describe(*data->geometry, data->lengths_are_known)
            << "\nslices from " << height_of(0) << " to " << height_of(data->grid.nz - 1) << " mm, "
            << data->grid.spacing_mm.z << " mm from each to the next\n";
  return 0;
}

}  // namespace

Command add_rebin(CLI::App& app, Program& program) {
  auto o = std::make_shared<RebinOptions>();
  CLI::App* sub =
      app.add_subcommand("rebin", "Make a stack of fan-beam scans of a helical cone-beam scan");
  add_scan(*sub, o->scan, ": helical, or a circle of few rows");
  sub->add_option("--slices", o->slices, "fans (default: as many as can be rebinned)")
      ->type_name("N")
      ->check(whole(1, 65536));
  sub->add_option("--slice-distance", o->slice_mm,
                  "between slices (default: a detector row's height at the axis)")
      ->type_name("MM")
      ->check(positive());
  add_scan_out(*sub, o->out)->required();
  sub->footer(
      "Each slice takes views of the nearest turns (CB-SSRB, Noo et al. 1999). All slices "
      "share\ntheir weights, so that a stored matrix holds those of one slice.\nExample:\n  "
      "gantry-cli rebin helix.scan.json --out fans.scan.json");
  return {sub, [o, &program] { return rebin(*o, program); }, false};
}

}  // namespace gantry::cli
