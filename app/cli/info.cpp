#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/series_options.hpp"
#include "core/base/printable.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/io/imports/import_geometry.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/file_in_folder.hpp"
#include "core/job/experiment_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>

namespace gantry::cli {

namespace {

struct InfoOptions {
  std::string path;
  SeriesOptions series;
  bool hu = false;
  double mu_water = default_mu_water;
  RunOptions run;  ///< only the grid is used
};

void print_values(const std::vector<float>& values, const char* unit) {
  double low = 0, high = 0, sum = 0;
  if (!values.empty()) low = high = values.front();
  for (const float value : values) {
    low = std::min<double>(low, value);
    high = std::max<double>(high, value);
    sum += value;
  }
  std::printf("values: %.6g to %.6g %s, mean %.6g\n", low, high, unit,
              values.empty() ? 0 : sum / static_cast<double>(values.size()));
}

/// Prints name and text in two columns; letters of several bytes count once.
void print_element(const std::string& name, const std::string& text) {
  const auto letters =
      std::ranges::count_if(name, [](unsigned char c) { return (c & 0xC0) != 0x80; });
  constexpr long width = 46;
  std::cout << "  " << name
            << std::string(static_cast<std::size_t>(std::max(1L, width - letters)), ' ') << text
            << '\n';
}

void print_symmetry(const ScanGeometry& geometry, const VolumeGrid& grid, bool lengths_are_known) {
  const ScanSymmetry symmetry = analyse_symmetry(geometry, grid);
  std::cout << "symmetry on a grid of " << describe(grid, lengths_are_known) << ": "
            << describe(symmetry) << " (" << symmetry.stored_rays() << " of " << geometry.rays()
            << " rays)\n";
  for (const SymmetryElement& g : symmetry.elements()) print_element(describe(g), "holds");
  const auto& failures = symmetry.failures();
  const bool alike = std::ranges::all_of(
      failures, [&](const auto& f) { return f.reason == failures.front().reason; });
  if (alike && symmetry.elements().size() == 1)
    print_element("the other " + std::to_string(failures.size()), "no: " + failures.front().reason);
  else
    for (const auto& failure : failures)
      print_element(describe(failure.element), "no: " + failure.reason);
}

void print_scan(const InfoOptions& o) {
  const LoadedScan scan = read_scan(o.path);
  const ScanGeometry& g = *scan.geometry;
  const char* const unit = scan.lengths_are_known ? "mm" : "cells";
  std::cout << "scan: " << describe(g, scan.lengths_are_known) << '\n';
  for (const std::string& text : {scan.description, scan.license})
    if (!text.empty()) std::cout << printable(text) << '\n';
  if (scan.simulation) std::cout << "simulated: " << describe(*scan.simulation) << '\n';
  if (g.beam() != Beam::parallel)
    std::printf("source to %s %.6g mm, to detector %.6g mm%s\n", g.rotates() ? "isocentre" : "axis",
                g.spec().source_to_isocenter_mm, g.spec().source_to_detector_mm,
                g.rotates() ? "" : " (means)");
  const auto [first, last] = std::ranges::minmax(g.spec().view_angles_rad);
  std::printf("angles %.6g to %.6g degrees, central column %.6g, field of view radius %.6g %s\n",
              degrees(first), degrees(last), g.spec().central_column, g.field_of_view_radius_mm(),
              unit);
  if (g.rows() > 1 || !g.rotates())
    std::printf("axis seen from z = %.6g to %.6g %s\n", g.axial_range_mm().low,
                g.axial_range_mm().high, unit);
  if (scan.mu_water > 0) std::printf("water: %.6g 1/mm\n", scan.mu_water);
  print_values(scan.line_integrals, "(line integrals, no unit)");
  print_symmetry(g, o.run.volume_grid(default_grid(g)), scan.lengths_are_known);
  print_notes(scan.notes);
}

void print_volume(const InfoOptions& o) {
  const LoadedVolume volume =
      load_volume(o.path, {o.hu, o.mu_water, o.series.series, o.series.uneven_slices()});
  const Vec3 low = volume.grid.lower_corner_mm(), high = volume.grid.upper_corner_mm();
  std::cout << "volume: " << describe(volume.grid) << '\n';
  std::printf("x %.6g to %.6g, y %.6g to %.6g, z %.6g to %.6g mm\n", low.x, high.x, low.y, high.y,
              low.z, high.z);
  print_values(volume.mu, "1/mm");
  if (volume.from_hu) std::printf("from HU with water at %.6g 1/mm\n", volume.mu_water);
  if (volume.frame) {
    const Vec3 p = volume.frame->to_patient(volume.grid.voxel_center_mm(0, 0, 0));
    std::printf("first voxel at patient position (LPS) %.6g, %.6g, %.6g mm\n", p.x, p.y, p.z);
  }
  print_notes(volume.notes);
}

/// Describes frames as another program stored them, without reading their values.
void print_projections(const std::string& path) {
  ImportRequest request;
  request.path = path;
  const RawScan scan = import_formats().to_read(path).read(request);
  const auto print = [](const char* what, const FrameSource* frames) {
    if (frames != nullptr)
      std::cout << what << ": " << frames->frames() << " of " << frames->columns() << " x "
                << frames->rows() << " cells\n";
  };
  print("projections", scan.projections.get());
  print("flats", scan.flats.get());
  print("darks", scan.darks.get());
  if (scan.geometry)
    std::cout << "geometry: "
              << describe(ScanGeometry(geometry_of_import(request, scan).stated.spec)) << '\n';
  if (scan.angles_deg.empty() && !scan.geometry) std::cout << "angles: not stated\n";
  if (!scan.angles_deg.empty())
    std::printf("angles: %.6g to %.6g degrees\n", scan.angles_deg.front(), scan.angles_deg.back());
  if (scan.pixel_mm > 0) std::printf("size of a cell: %.6g mm\n", scan.pixel_mm);
  print_assumptions(scan.assumptions);
  print_notes(scan.notes);
}

int info(InfoOptions o, Program& program) {
  const std::string& path = o.path;
  if (const std::string file = file_in_folder(path); !file.empty()) {
    print_notes({opened_in_folder(file)});
    o.path = file;
  }
  const FileKind kind = identify_file(path);
  if (kind == FileKind::scan) {
    print_scan(o);
  } else if (kind == FileKind::experiment) {
    program.find_devices();  // the file may name a method that only devices have
    const Experiment experiment = read_experiment(path, program.catalog);
    std::cout << "experiment: " << printable(experiment.title) << '\n';
    for (const RunSpec& run : experiment.runs)
      std::cout << "  " << run_label(run, program.catalog) << ": "
                << run_description(run, program.catalog, run.iterations) << '\n';
  } else if (kind == FileKind::projections) {
    print_projections(path);
  } else {
    print_volume(o);
  }
  return 0;
}

}  // namespace

Command add_info(CLI::App& app, Program& program) {
  auto o = std::make_shared<InfoOptions>();
  CLI::App* sub =
      app.add_subcommand("info", "Say what a scan, volume, DICOM folder or experiment holds");
  sub->add_option("FILE", o->path, "file or folder")
      ->type_name("PATH")
      ->required()
      ->check(not_empty());
  o->series.add_to(*sub);
  sub->add_flag("--hu", o->hu, "values of volume files are HU, not 1/mm");
  add_mu_water_of_volumes(*sub, o->mu_water);
  o->run.add_grid_to(*sub);  // for a scan: its symmetry depends on the grid
  sub->footer("Example:\n  gantry-cli info head.scan.json");
  return {sub, [o, &program] { return info(*o, program); }, false};
}

}  // namespace gantry::cli
