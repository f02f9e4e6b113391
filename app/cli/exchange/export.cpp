#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/out_folder.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/scan_data.hpp"
#include "app/cli/signals.hpp"
#include "app/version.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/io/exports/export_format.hpp"
#include "core/io/exports/write_export.hpp"
#include "core/io/scans/scan_file.hpp"

#include <filesystem>
#include <iostream>
#include <memory>

namespace gantry::cli {

namespace {

struct ExportOptions {
  std::string scan, to, out;
  RunOptions grid;
};

/// Returns the names of all files in the folder: the data, the script and what the script reads.
std::vector<std::string> names_of(const ScanToExport& scan,
                                  const std::vector<ExportedText>& texts) {
  std::vector<std::string> names = {scan.data_name()};
  for (const ExportedText& text : texts) names.push_back(text.name);
  return names;
}

int export_scan(const ExportOptions& options, Program& program) {
  const ExportFormat& format = export_formats().at(options.to);
  const ScanGeometry geometry(read_geometry(options.scan), options.scan);
  ScanToExport scan{geometry,
                    options.grid.volume_grid(default_grid(geometry)),
                    export_name(options.scan),
                    {},
                    "Gantry " + std::string(version_number())};
  const std::vector<std::string> names = names_of(scan, format.write(scan));
  FileRoles files;
  files.reads(options.scan, "SCAN");
  for (const std::string& name : names)
    files.writes_file((std::filesystem::path(options.out) / name).string(), "--out");
  files.require_distinct();
  require_writable_folder(options.out, names);
  const SignalInterrupt signal_interrupt;
  const auto data = read_scan_data(options.scan, program, signal_interrupt.interrupt());
  scan.description = data->licensed_description();
  make_folder(options.out);
  write_export(options.out, format, scan, data->line_integrals, data->access);
  note_unknown_lengths(options.out, *data);
  std::cout << "wrote " << (std::filesystem::path(options.out) / names[1]).string() << ": "
            << describe(geometry, data->lengths_are_known) << ", for " << format.label << '\n';
  return 0;
}

std::string programs() {
  std::string lines;
  for (const ExportFormat& format : export_formats().entries())
    lines += "- " + format.key + ", " + format.label + ": " + format.takes + "\n";
  return lines;
}

}  // namespace

Command add_export(CLI::App& app, Program& program) {
  auto o = std::make_shared<ExportOptions>();
  CLI::App* sub =
      app.add_subcommand("export", "Write a scan as a script in Python for another program");
  add_scan(*sub, o->scan);
  sub->add_option("--to", o->to, "the other program, as listed below")
      ->type_name("KEY")
      ->required()
      ->check(not_empty());
  sub->add_option("--out", o->out, "of the script, its data and its geometry")
      ->type_name("FOLDER")
      ->required()
      ->check(not_empty());
  o->grid.add_grid_to(*sub);
  sub->footer("Programs:\n" + programs() +
              "\nThe script reconstructs the scan on the grid. With --volume FILE it projects a "
              "volume instead\nand prints the error against the scan. Its head says what of it was "
              "run.\n\nExample:\n  gantry-cli export head.scan.json --to rtk --out for_rtk");
  return {sub, [o, &program] { return export_scan(*o, program); }, false};
}

}  // namespace gantry::cli
