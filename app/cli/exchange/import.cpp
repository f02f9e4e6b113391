#include "app/cli/checks.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/correction_options.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/signals.hpp"
#include "core/base/error.hpp"
#include "core/catalog/apply_corrections.hpp"
#include "core/io/files/containers/hdf5_place.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/scans/projection_formats.hpp"
#include "core/io/scans/scan_file.hpp"
#include "core/io/volumes/file_in_folder.hpp"
#include "core/solvers/direct/truncation_note.hpp"

#include <iostream>
#include <memory>
#include <optional>

namespace gantry::cli {

namespace {

struct ImportOptions {
  ImportRequest request;
  CorrectionOptions corrections;
  std::string out, columns, rows, axes, translations, pad_with, flat_frames, dark_frames;
  bool uses_mean = false, interpolates = false, are_sinograms = false, are_projections = false;
  double mu_water = 0;
  FrameTurn turn;
  std::optional<int> turn_deg;
};

int import(ImportOptions options, Program& program) {
  ImportRequest& request = options.request;
  if ((request.source_to_axis_mm > 0) != (request.source_to_detector_mm > 0))
    throw UsageError("both distances of the source are needed", "--source-axis",
                     "give --source-axis and --source-detector, or neither");
  const std::vector<CorrectionSpec> steps = options.corrections.steps(program.catalog);
  if (const Hdf5Place place = hdf5_place(request.path); !place.data_set.empty()) {
    if (!request.data_sets.projections.empty())
      throw UsageError("the data set of the projections is given twice", request.path,
                       "leave out --data");
    request.path = place.file;
    request.data_sets.projections = place.data_set;
  }
  request.part.columns = range_from(options.columns, "--columns");
  request.part.rows = range_from(options.rows, "--rows");
  request.flat_frames = ranges_from(options.flat_frames, "--flat-frames");
  request.dark_frames = ranges_from(options.dark_frames, "--dark-frames");
  if (!options.translations.empty())
    request.translations =
        options.translations == "esrf" ? TranslationAxes::esrf : TranslationAxes::nexus;
  if (!options.axes.empty()) {
    const std::optional<AxisOrder> order = axis_order_in(options.axes);
    if (!order)
      throw UsageError("is no order of axes", "--axes=" + options.axes,
                       "name each axis once, such as views,rows,columns or views,columns");
    request.axes = *order;
  }
  options.turn.clockwise_deg = options.turn_deg.value_or(0);
  if (options.turn_deg || options.turn != FrameTurn{}) request.turn = options.turn;
  if (options.are_sinograms) request.images = ImageContent::sinograms;
  if (options.are_projections) request.images = ImageContent::projections;
  if (!options.pad_with.empty())
    request.padding.values = options.pad_with == "edge"   ? PadValues::edge
                             : options.pad_with == "zero" ? PadValues::zero
                                                          : PadValues::fade;
  if (options.uses_mean) request.normalise.average = FrameAverage::mean;
  if (options.interpolates) request.normalise.average = FrameAverage::interpolated;
  if (const std::string file = file_in_folder(request.path, {FileKind::projections});
      !file.empty()) {
    print_notes({opened_in_folder(file)});
    request.path = file;
  }
  FileRoles files;
  files.reads(request.path, "PATH");
  files.reads(request.angles, "--angles");
  files.reads(request.geometry, "--geometry");
  files.writes_scan(options.out, "--out");
  files.require_distinct();
  require_writable_scan(options.out);
  const SignalInterrupt signal_interrupt;
  ImportedScan imported = import_scan(request, {}, &signal_interrupt.interrupt());
  LoadedScan& scan = imported.scan;
  const std::string applied = apply_corrections(
      steps, program.catalog, *scan.geometry, scan.line_integrals, program.backends.resolve("cpu"),
      scan.notes, scan.lengths_are_known, &signal_interrupt.interrupt());
  const auto geometry = padded(scan.geometry, request.padding);
  if (std::string note = padding_note(*scan.geometry, request.padding); !note.empty())
    scan.notes.push_back(std::move(note) +
                         "; grids are as wide as all columns of the file: --grid and --voxel "
                         "choose that of the measured field");
  // Whoever reads the file sees the columns that were added at the ends of the rows.
  if (request.padding.columns > 0)
    if (std::string note = truncation_note(*scan.geometry, scan.line_integrals,
                                           expected_of_padding(request.padding));
        !note.empty()) {
      scan.notes.push_back(std::move(note));
      scan.hides_cut_rows = true;
    }
  print_notes(scan.notes);
  pad(scan.line_integrals, scan.geometry->columns(), request.padding);
  scan.geometry = geometry;
  if (options.mu_water > 0) scan.mu_water = options.mu_water;
  write_scan(options.out, {.geometry = *scan.geometry,
                           .line_integrals = scan.line_integrals,
                           .description = "imported from " + request.path + applied +
                                          named_padding(request.padding),
                           .access = access_for_import(request.path),
                           .mu_water = scan.mu_water,
                           .lengths_are_known = scan.lengths_are_known,
                           .lacks_flat = scan.lacks_flat,
                           .hides_cut_rows = scan.hides_cut_rows});
  print_assumptions(imported.assumptions);
  std::cout << "wrote " << options.out << ": " << describe(*scan.geometry, scan.lengths_are_known)
            << '\n';
  return 0;
}

void add_frames(CLI::App& sub, ImportOptions& o) {
  auto* sinograms =
      sub.add_flag("--sinograms", o.are_sinograms,
                   "images are sinograms, a view per row (default: by number and names)");
  auto* projections =
      sub.add_flag("--projections", o.are_projections, "images are projections, one view each")
          ->excludes(sinograms);
  sub.add_option("--axes", o.axes, "order of an array's axes: views,rows,columns in any order")
      ->type_name("A,B,C")
      ->check(not_empty())
      ->excludes(sinograms)
      ->excludes(projections);
  sub.add_option("--turn", o.turn_deg, "turn images clockwise, before all else")
      ->type_name("DEG")
      ->check(CLI::IsMember({0, 90, 180, 270}));
  sub.add_flag("--mirror", o.turn.is_mirrored, "exchange left and right of images, once turned");
  sub.add_flag("--reverse", o.turn.is_reversed,
               "the last image belongs to the first angle or vectors");
  sub.add_flag("--leave-out-damaged", o.request.leaves_out_damaged,
               "leave damaged files of a folder out, with their angles");
  auto* flat =
      sub.add_option("--flat", o.request.flats,
                     "frames without the object, or their folder (default: by their names)")
          ->type_name("FILE ...")
          ->check(not_empty());
  sub.add_option("--dark", o.request.darks,
                 "frames without the beam, or their folder (default: by their names)")
      ->type_name("FILE ...")
      ->check(not_empty());
  sub.add_option("--flat-frames", o.flat_frames,
                 "frames of PATH that are flats, from 0: 0:9,100:109")
      ->type_name("A:B,...")
      ->check(not_empty());
  sub.add_option("--dark-frames", o.dark_frames, "frames of PATH that are darks, likewise")
      ->type_name("A:B,...")
      ->check(not_empty());
  auto* mean = sub.add_flag("--mean", o.uses_mean,
                            "average flats and darks by their mean, not their median");
  auto* interpolates =
      sub.add_flag("--interpolate-flats", o.interpolates,
                   "normalise each view by the means of the flats before and after it")
          ->excludes(mean);
  sub.add_option("--air", o.request.normalise.air_columns,
                 "columns at both ends that see air; scales each view to beam 1 there")
      ->type_name("N")
      ->check(whole(1, 65536));
  auto* integrals = sub.add_flag("--line-integrals", o.request.normalise.are_line_integrals,
                                 "the values are line integrals already");
  sub.add_option("--white-level", o.request.normalise.white_level,
                 "what a cell shows in air, in the place of flats (default: assumed)")
      ->type_name("COUNTS")
      ->check(positive())
      ->excludes(flat)
      ->excludes(interpolates)
      ->excludes(integrals);
}

/// Adds what names data sets in HDF5.
void add_data_sets(CLI::App& sub, DataSetPaths& paths) {
  const auto add = [&](const char* name, std::string& path, const char* help) {
    sub.add_option(name, path, help)->type_name("/GROUP/NAME")->check(not_empty());
  };
  add("--data", paths.projections,
      "in HDF5: the data set of the projections (default: by convention)");
  add("--flat-data", paths.flats, "that of the flats, in PATH or the file of --flat");
  add("--dark-data", paths.darks, "that of the darks, in PATH or the file of --dark");
}

void add_part(CLI::App& sub, ImportOptions& o) {
  const auto add = [&](const char* name, std::string& value, const char* help) {
    sub.add_option(name, value, help)->type_name("A:B")->check(not_empty());
  };
  add("--columns", o.columns, "only columns A to B of the images, from 0");
  add("--rows", o.rows, "only rows A to B of the images, from 0 at the top");
  sub.add_option("--bin", o.request.part.bin, "join N x N cells into one")
      ->type_name("N")
      ->check(whole(1, 64));
  sub.add_option("--every", o.request.part.every, "take only every N-th projection")
      ->type_name("N")
      ->check(whole(1, 1000000));
  auto* pad = sub.add_option("--pad", o.request.padding.columns,
                             "add N columns at each end, after corrections")
                  ->type_name("N")
                  ->check(whole(1, 32767));
  sub.add_option("--pad-with", o.pad_with,
                 "fade: the outermost value to 0 (default); edge: repeat it; zero")
      ->type_name("VALUES")
      ->check(one_of({"fade", "edge", "zero"}))
      ->needs(pad);
}

void add_geometry(CLI::App& sub, ImportOptions& o) {
  auto* angles =
      sub.add_option("--angles", o.request.angles, "text with an angle per line, degrees")
          ->type_name("FILE")
          ->check(not_empty());
  sub.add_option("--angle-column", o.request.angle_column,
                 "its column with the angles, by name or number from 1")
      ->type_name("COLUMN")
      ->check(not_empty());
  auto* arc =
      sub.add_option("--arc", o.request.arc_deg, "angle from the first projection to the last one")
          ->type_name("DEG")
          ->check(real(-36000, 36000))
          ->excludes(angles);
  auto* in_hdf5 = sub.add_option("--angles-data", o.request.data_sets.angles,
                                 "the list of angles in HDF5, degrees unless it states radians")
                      ->type_name("/GROUP/NAME")
                      ->check(not_empty())
                      ->excludes(angles)
                      ->excludes(arc);
  sub.add_flag("--open", o.request.arc_is_open,
               "the last projection is a step before the arc's end")
      ->needs(arc);
  auto* geometry =
      sub.add_option("--geometry", o.request.geometry, "file with the geometry, as listed below")
          ->type_name("FILE")
          ->check(not_empty())
          ->excludes(angles)
          ->excludes(in_hdf5)
          ->excludes(arc);
  sub.add_option("--pixel", o.request.pixel_mm, "distance of detector cells")
      ->type_name("MM")
      ->check(positive());
  const auto add = [&](const char* name, auto& value, const char* help, const char* unit) {
    return sub.add_option(name, value, help)->type_name(unit)->excludes(geometry);
  };
  add("--source-axis", o.request.source_to_axis_mm, "from the source to the axis; else parallel",
      "MM")
      ->check(positive());
  add("--source-detector", o.request.source_to_detector_mm, "from the source to the detector", "MM")
      ->check(positive());
  auto* turns = sub.add_flag("--only-turns", o.request.only_turns,
                             "leave out moves of object and detector and tilts of the axis");
  sub.add_option("--translations", o.translations,
                 "axes of x_translation etc. in HDF5: nexus or esrf (default: as stated)")
      ->type_name("AXES")
      ->check(one_of({"nexus", "esrf"}))
      ->excludes(turns);
  add("--centre", o.request.centre,
      "column of the axis of rotation, from 0 (default: from the data)", "COLUMN")
      ->check(real(-1e6, 1e6));
}

/// Returns a line with the label and the names of each format.
std::string lines_of(const std::vector<const FileFormat*>& formats) {
  std::string lines;
  for (const FileFormat* format : formats) lines += "- " + described({format}) + "\n";
  return lines;
}

}  // namespace

Command add_import(CLI::App& app, Program& program) {
  auto o = std::make_shared<ImportOptions>();
  CLI::App* sub = app.add_subcommand("import", "Make a scan of projections of another program");
  sub->add_option("PATH", o->request.path, "folder or file with the projections, as listed below")
      ->type_name("PATH")
      ->required()
      ->check(not_empty());
  add_data_sets(*sub, o->request.data_sets);
  add_frames(*sub, *o);
  add_part(*sub, *o);
  add_geometry(*sub, *o);
  o->corrections.add_to(*sub);
  sub->add_option("--mu-water", o->mu_water,
                  "attenuation of water, for HU (default: what the files state)")
      ->type_name("1/MM")
      ->check(positive());
  add_scan_out(*sub, o->out)->required();
  sub->footer(
      "Projections:\n" + lines_of(import_formats().readable()) + "Geometries:\n" +
      lines_of(projection_formats().readable()) + lines_of(geometry_formats().readable()) +
      "\nPrints what the files do not state and was assumed. Options replace what the files "
      "state.\n"
      "PATH, --flat and --dark may name a data set of an HDF5 file: FILE.h5:/group/name.\n\n"
      "Example:\n  gantry-cli import folder --arc 180 --pixel 0.1 --out s.scan.json");
  return {sub, [o, &program] { return import(*o, program); }, false};
}

}  // namespace gantry::cli
