#include "app/cli/commands.hpp"
#include "app/cli/file_roles.hpp"
#include "app/cli/out_folder.hpp"
#include "app/cli/run_report.hpp"
#include "app/cli/scan_data.hpp"
#include "app/cli/signals.hpp"
#include "core/alignment/detector_tilt.hpp"
#include "core/backend/host_memory.hpp"
#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/params.hpp"
#include "core/centring/centre_methods.hpp"
#include "core/centring/row_slices.hpp"
#include "core/centring/tilt_from_residual.hpp"
#include "core/centring/turning_views.hpp"
#include "core/corrections/repaired_meanwhile.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/io/scans/scan_file.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

namespace gantry::cli {

namespace {

/// A tilt that is not known better than so is no improvement for certain.
constexpr double most_tilt_error_deg = 0.02;
/// Standard errors, below which a tilt may be none; of a tilt that is not known so well, more.
constexpr double least_tilt = 2, least_doubtful_tilt = 3;
constexpr int most_slices = 1000, most_strip_columns = 2048;

struct AlignOptions {
  std::string scan, out, method = "auto", strip, range;
  bool tilt = false;
};

/// Columns of the axis for which slices are written.
struct Range {
  double first = 0, last = 0, step = 1;

  int count() const { return static_cast<int>(std::floor((last - first) / step + 1e-9)) + 1; }
};

Range parse_range(const std::string& text) {
  Range range;
  char one = 0, two = 0;
  std::istringstream in(text);
  in >> range.first >> one >> range.last >> two >> range.step;
  if (!in || one != ':' || two != ':' || !(in >> std::ws).eof() || !(range.step > 0) ||
      !(range.last >= range.first))
    throw UsageError("\"" + text + "\" is no range of columns", "--range",
                     "write it as FIRST:LAST:STEP, such as 60:66:0.5");
  if ((range.last - range.first) / range.step >= most_slices)
    throw UsageError("the range has more than " + std::to_string(most_slices) + " slices",
                     "--range", "use a longer step");
  return range;
}

/// Returns the names of the slices, which sort by the column: "column_0061.50.tif".
std::vector<std::string> slice_names(const Range& range) {
  std::vector<std::string> names;
  for (int i = 0; i < range.count(); ++i) {
    char name[64];
    std::snprintf(name, sizeof name, "column_%07.2f.tif", range.first + i * range.step);
    names.emplace_back(name);
  }
  return names;
}

/// Adds the slices to the files that are written, and throws if they cannot be.
void require_strip(FileRoles& files, const std::string& folder, const Range& range) {
  const std::vector<std::string> names = slice_names(range);
  for (const std::string& name : names)
    files.writes_volume((std::filesystem::path(folder) / name).string(), "--strip");
  files.require_distinct();
  require_writable_folder(folder, names);
}

void write_strip(const std::string& folder, const Range& range, const ExperimentData& data,
                 const Interrupt& interrupt) {
  const TurningViews views(*data.geometry, data.line_integrals);
  auto row = middle_row(views.geometry(), views.line_integrals(), most_strip_columns,
                        data.geometry->views());
  if (!row)
    throw InputError("the scan has no middle row that filtered backprojection reconstructs",
                     "--strip",
                     "use a scan on a circle whose detector sees the plane of the source");
  const RowSlices slices(*std::move(row), &interrupt);
  const std::vector<std::string> names = slice_names(range);
  make_folder(folder);
  for (int i = 0; i < range.count(); ++i) {
    const std::vector<float> mu =
        slices.slice(range.first + i * range.step - views.column_offset());
    VolumeToWrite volume;
    volume.grid = slices.grid();
    volume.mu = mu;
    volume.access = data.access;
    volume.lengths_are_known = data.lengths_are_known;
    write_volume((std::filesystem::path(folder) / names[static_cast<std::size_t>(i)]).string(),
                 volume);
  }
  std::cout << "wrote " << range.count() << (range.count() == 1 ? " slice" : " slices") << " to "
            << folder << '\n';
  note_unknown_lengths(folder, data);
}

/// Without the sign of a negative zero.
double rounded(double value) { return std::round(1000 * value) / 1000 + 0.0; }

/// The axis, and what makes it doubtful: " (not certain: sharpness finds 61.25)".
struct Axis {
  FoundCentre found;
  std::string doubt = {};
};

/// Returns the axis by the method, or by the first of all that finds one; says where they disagree.
/// Of data that lack a flat, all methods but one may find the axis of the uneven beam: the axis is
/// that which an import finds.
std::optional<Axis> find_centre(const std::string& method, const TurningViews& views,
                                bool lacks_flat, const Interrupt& interrupt) {
  if (method == "auto" && lacks_flat) {
    auto found = centre_by_usual_method(views.geometry(), views.line_integrals(), true, &interrupt);
    if (!found) return std::nullopt;
    found->estimate.column += views.column_offset();
    return Axis{*found, found->is_certain ? "" : " (not certain without a flat)"};
  }
  if (method != "auto") {
    const CentreMethod& one = centre_method(method);
    auto found = one.find(views.geometry(), views.line_integrals(), &interrupt);
    if (!found) return std::nullopt;
    found->column += views.column_offset();
    return Axis{{&one, *std::move(found)}};
  }
  std::vector<FoundCentre> all =
      centres_by_all_methods(views.geometry(), views.line_integrals(), &interrupt);
  for (FoundCentre& one : all) one.estimate.column += views.column_offset();
  if (all.empty()) return std::nullopt;
  Axis axis{all.front()};
  if (const FoundCentre* other = contradicting(all)) {
    axis.doubt = " (not certain: " + other->method->key + " finds " +
                 format_param(rounded(other->estimate.column)) + ")";
    print_notes({disagreement(all) + "; compare slices of both (--strip)"});
  }
  return axis;
}

/// Returns why a method, or none of all, finds no axis: " by fourier, which needs ...".
std::string reason(const std::string& key, const TurningViews& views) {
  if (key == "auto") return ": no views or rays fit each other";
  const CentreMethod& method = centre_method(key);
  const std::string lack = method.lacks == nullptr
                               ? std::string()
                               : method.lacks(views.geometry(), views.line_integrals());
  return " by " + key + ", which needs " + method.needs + (lack.empty() ? "" : "; here " + lack);
}

/// The tilt of the detector, and by what it was found.
struct FoundTilt {
  DetectorTilt tilt;
  std::string source = "rays measured from both sides";
};

/// Returns the tilt by opposite rays; refined where `refine` asks for it and the data tell it
/// better.
std::optional<FoundTilt> find_tilt(const ScanGeometry& geometry,
                                   std::span<const float> line_integrals, bool refine,
                                   const Interrupt& interrupt) {
  const auto tilt = tilt_of_detector(geometry, line_integrals);
  if (!tilt) return std::nullopt;
  if (refine)
    if (const auto refined = tilt_from_residual(geometry, line_integrals, *tilt, &interrupt))
      return FoundTilt{*refined, "the residual of a reconstruction"};
  return FoundTilt{*tilt};
}

std::string tilt_text(const FoundTilt& found) {
  return format_param(rounded(degrees(found.tilt.tilt_rad))) + " degrees, standard error " +
         format_param(rounded(degrees(found.tilt.error_rad))) + ", from " + found.source;
}

/// Returns the scan on a tilted detector; where the tilt may be none, the scan as it is.
ScanSpec tilted_scan(const ScanSpec& spec, const DetectorTilt& tilt) {
  const bool is_doubtful = degrees(tilt.error_rad) > most_tilt_error_deg;
  const double least = is_doubtful ? least_doubtful_tilt : least_tilt;
  if (std::abs(tilt.tilt_rad) < least * tilt.error_rad) {
    print_notes({"the tilt is less than " + format_param(least) +
                 " standard errors: the scan is written without it"});
    return spec;
  }
  if (is_doubtful)
    print_notes({"the tilt is not known to " + format_param(most_tilt_error_deg) +
                 " degrees: compare slices with it and without it"});
  ScanSpec moved = spec;
  moved.central_column = rounded(tilt.column);
  return with_moved_detector(moved, {.roll_rad = tilt.tilt_rad});
}

/// Returns the scan with the axis as it was found. Throws InputError where the data do not tell it.
ScanSpec aligned_scan(const AlignOptions& options, const ScanGeometry& geometry,
                      std::span<const float> line_integrals, const CentreEstimate& axis,
                      const Interrupt& interrupt) {
  ScanSpec spec = geometry.spec();
  spec.central_column = rounded(axis.column);
  const auto found = find_tilt(geometry, line_integrals, options.tilt, interrupt);
  if (found)
    std::cout << "tilt of the detector " << tilt_text(*found) << "; central column with it "
              << rounded(found->tilt.column) << '\n';
  if (!options.tilt) return spec;
  if (!found)
    throw InputError("the data do not tell the tilt of the detector", options.scan,
                     "leave out --tilt; it needs a parallel or cone beam with 8 rows or more, and "
                     "views from both sides");
  return tilted_scan(spec, found->tilt);
}

/// Throws InputError for free poses that are no circle, even about another axis.
void require_turning(const ScanGeometry& geometry, const TurningViews& views,
                     const std::string& scan) {
  if (geometry.spec().trajectory == Trajectory::poses &&
      views.geometry().spec().trajectory == Trajectory::poses)
    throw InputError(
        "has free poses that are no circle, not even one whose detector is shifted "
        "in each view, so that the data do not tell the axis",
        scan,
        "align the scan before it gets its poses, or compare reconstructions with "
        "another central_column");
}

void require_options(const AlignOptions& options) {
  if (options.method != "auto") centre_method(options.method);
  if (!options.range.empty() && options.strip.empty())
    throw UsageError("a range of columns is for slices", "--range", "give --strip FOLDER too");
  if (options.tilt && options.out.empty())
    throw UsageError("the tilt is written into a scan", "--tilt", "give --out SCAN too");
}

int align(const AlignOptions& options, Program& program) {
  require_options(options);
  FileRoles files;
  files.reads(options.scan, "SCAN");
  if (!options.out.empty()) {
    files.writes_scan(options.out, "--out");
    files.require_distinct();
    require_writable_scan(options.out);
  }
  std::optional<Range> range;
  if (!options.range.empty()) {
    range = parse_range(options.range);
    require_strip(files, options.strip, *range);
  }
  const SignalInterrupt signal_interrupt;
  const auto data = read_scan_data(options.scan, program, signal_interrupt.interrupt());
  const RepairedView repaired(
      {data->geometry->views(), data->geometry->rows(), data->geometry->columns()},
      data->line_integrals, &signal_interrupt.interrupt(), free_host_bytes());
  const TurningViews views(*data->geometry, repaired.line_integrals());
  require_turning(*data->geometry, views, options.scan);
  if (range) write_strip(options.strip, *range, *data, signal_interrupt.interrupt());
  const auto axis =
      find_centre(options.method, views, data->lacks_flat, signal_interrupt.interrupt());
  if (!axis)
    throw InputError("the data do not tell the axis" + reason(options.method, views), options.scan,
                     range ? "compare the slices in " + options.strip
                           : std::string("compare slices: --strip FOLDER --range FIRST:LAST:STEP"));
  const CentreEstimate& centre = axis->found.estimate;
  std::cout << "central column " << rounded(centre.column) << axis->doubt
            << ", and the scan states " << data->geometry->spec().central_column << "; from "
            << describe_support(centre) << '\n';
  const ScanSpec spec = aligned_scan(options, *data->geometry, repaired.line_integrals(), centre,
                                     signal_interrupt.interrupt());
  if (!options.strip.empty() && !range) {
    const double middle = std::round(centre.column * 10) / 10;
    range = Range{middle - 5, middle + 5, 1};
    require_strip(files, options.strip, *range);
    write_strip(options.strip, *range, *data, signal_interrupt.interrupt());
  }
  if (options.out.empty()) return 0;
  const ScanGeometry aligned(spec);
  write_scan(options.out, {aligned, data->line_integrals, data->licensed_description(),
                           data->counting, data->simulation, data->access, data->mu_water,
                           data->lengths_are_known, data->lacks_flat, data->hides_cut_rows});
  std::cout << "wrote " << options.out << '\n';
  return 0;
}

/// Returns a line for each method: "opposite: views half a turn apart, ...".
std::string methods_help() {
  std::string help =
      "Methods:\nauto: all; takes the first that finds an axis, and tells if another "
      "contradicts it\n";
  for (const CentreMethod& method : centre_methods()) {
    help += method.key + ": " + method.help;
    if (!method.references.empty()) help += " (" + method.references + ")";
    help += '\n';
  }
  return help +
         "Free poses are aligned where they are a circle whose detector or object was moved from\n"
         "view to view: the central column of all poses changes.\n"
         "A tilted detector is written as free poses, for the projectors siddon and joseph;\n"
         "FBP and FDK compute them on the CPU. --tilt refines the tilt of a cone beam by the\n"
         "residual of a small reconstruction, where this lowers its standard error.\n";
}

}  // namespace

Command add_align(CLI::App& app, Program& program) {
  auto o = std::make_shared<AlignOptions>();
  CLI::App* sub = app.add_subcommand("align", "Find the axis of rotation of a scan from its data");
  add_scan(*sub, o->scan);
  add_scan_out(*sub, o->out);
  sub->add_option("--method", o->method, "or " + joined(centre_methods(), &CentreMethod::key))
      ->capture_default_str()
      ->type_name("KEY");
  sub->add_flag("--tilt", o->tilt,
                "with --out: also correct the tilt of the detector in its plane");
  sub->add_option("--strip", o->strip,
                  "folder for slices of the middle row, a TIFF for each column")
      ->type_name("FOLDER");
  sub->add_option("--range", o->range, "columns for --strip (default: 5 to both sides of the axis)")
      ->type_name("A:B:STEP");
  sub->footer(methods_help() +
              "Example:\n  gantry-cli align head.scan.json --out aligned.scan.json\n"
              "  gantry-cli align head.scan.json --strip slices --range 250:260:0.5");
  return {sub, [o, &program] { return align(*o, program); }, false};
}

}  // namespace gantry::cli
