#include "app/cli/commands.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/signals.hpp"
#include "core/alignment/centre_from_data.hpp"
#include "core/base/error.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/job/experiment_data.hpp"

#include <cmath>
#include <iostream>
#include <memory>

namespace gantry::cli {

namespace {

struct Options {
  std::string scan, out;
};

int align(const Options& options, Program& program) {
  FileRoles files;
  files.reads(options.scan, "SCAN");
  if (!options.out.empty()) {
    files.writes_scan(options.out, "--out");
    files.require_distinct();
    require_writable_scan(options.out);
  }
  Experiment experiment;
  experiment.source.kind = SourceKind::scan;
  experiment.source.path = options.scan;
  const SignalInterrupt signal_interrupt;
  const auto data = prepare_data(experiment, program.catalog, program.backends.resolve("cpu"),
                                 &signal_interrupt.interrupt());
  print_notes(data->notes);
  const auto found = centre_from_data(*data->geometry, data->line_integrals);
  if (!found)
    throw InputError("the data do not tell the axis: no views or rays fit each other mirrored",
                     options.scan, "reconstruct a slice with several central columns and compare");
  ScanSpec spec = data->geometry->spec();
  const double column = std::round(1000 * found->column) / 1000;
  std::cout << "central column " << column << ", and the scan states " << spec.central_column
            << "; from " << describe_support(*found) << '\n';
  if (options.out.empty()) return 0;
  spec.central_column = column;
  write_scan(options.out, ScanGeometry(spec), data->line_integrals, data->licensed_description(),
             data->counting, data->simulation, data->access);
  std::cout << "wrote " << options.out << '\n';
  return 0;
}

}  // namespace

Command add_align(CLI::App& app, Program& program) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("align", "Find the axis of rotation of a scan from its data");
  add_scan(*sub, o->scan);
  add_scan_out(*sub, o->out);
  sub->footer(
      "A parallel beam tells its axis by views half a turn apart, a fan or cone beam by rays that\n"
      "were measured from both sides.\nExample:\n  gantry-cli align head.scan.json --out "
      "aligned.scan.json");
  return {sub, [o, &program] { return align(*o, program); }, false};
}

}  // namespace gantry::cli
