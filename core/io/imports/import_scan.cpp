#include "core/io/imports/import_scan.hpp"

#include "core/alignment/centre_told.hpp"
#include "core/alignment/covered_arc.hpp"
#include "core/alignment/still_views.hpp"
#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/corrections/correction.hpp"
#include "core/corrections/repaired_meanwhile.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/checks/geometry_checks.hpp"
#include "core/io/imports/chosen_frames.hpp"
#include "core/io/imports/folders/named_files.hpp"
#include "core/io/imports/frame_notes.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/import_geometry.hpp"
#include "core/io/imports/line_integrals.hpp"
#include "core/io/imports/marked_frames.hpp"
#include "core/io/scans/projection_formats.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace gantry {

namespace {

/// `like_flats`: projections that look like flats.
[[noreturn]] void refuse_without_angles(const ImportRequest& request, const RawScan& raw,
                                        const std::string& like_flats = {}) {
  throw InputError(
      "does not state the angles of its projections" +
          (raw.unfit_angles.empty() ? "" : ": " + raw.unfit_angles) +
          (like_flats.empty() ? std::string()
                              : ", of which " + like_flats +
                                    " look like flats: --flat or --flat-frames, and "
                                    "--dark or --dark-frames for darks, name what "
                                    "is no projection"),
      request.path,
      "give a list of angles (--angles), or the arc from the first to the last (--arc)");
}

/// Throws InputError where a projection that is not left out has no finite angle, naming the list
/// that the angles are from.
void require_angles(const ImportRequest& request, const RawScan& raw,
                    const std::vector<double>& angles_rad, std::span<const int> left_out) {
  std::size_t bad = 0;
  std::string first;
  for (std::size_t i = 0; i < angles_rad.size(); ++i) {
    const int view = static_cast<int>(i);
    if (std::isfinite(angles_rad[i]) || std::ranges::binary_search(left_out, view)) continue;
    if (bad++ == 0) first = raw.projections->name(view);
  }
  if (bad > 0)
    throw InputError("has no finite angle for " +
                         (bad == 1 ? "" : counted(bad, "projection") + ", first for ") + "\"" +
                         std::filesystem::path(first).filename().string() + "\"",
                     raw.angles_where.empty() ? request.path : raw.angles_where,
                     "repair the list, or give the angles by --angles or --arc");
}

/// Whether nothing states the angles: a geometry in a file of its own and free poses hold them, and
/// the files may state a circle with or without them.
bool lacks_angles(const ImportRequest& request, const RawScan& raw) {
  const bool has_views = raw.geometry && (raw.geometry->trajectory == Trajectory::poses ||
                                          !raw.geometry->view_angles_rad.empty());
  return request.geometry.empty() && !has_views && raw.angles_deg.empty();
}

bool is_parallel(const ImportRequest& request, const RawScan& raw) {
  return request.source_to_axis_mm <= 0 &&
         (raw.geometry ? raw.geometry->beam == Beam::parallel : !raw.has_near_source());
}

/// Returns what the views tell of the arc.
std::string reason_of(const CoveredArc& arc) {
  const std::string turned = arc.arc_deg > 180 ? "as the first" : "the mirror image of the first";
  if (!arc.is_end_told)
    return "the last view is nearly " + turned +
           "; whether the end itself was measured, the views do not clearly tell";
  return arc.is_open ? "a step after the last view, one would be " + turned
                     : "the last view is " + turned;
}

/// Returns the angles that the line integrals themselves tell, degrees. Throws InputError if they
/// tell none, unless the request takes half a turn for granted.
std::vector<double> angles_from(const ImportRequest& request, const RawScan& raw,
                                std::span<const float> line_integrals,
                                const std::string& like_flats,
                                std::vector<Assumption>& assumptions) {
  const FrameSource& frames = *raw.projections;
  const bool parallel = is_parallel(request, raw);
  const FrameNumbers numbers = in_steps({frames.frames(), raw.positions});
  const auto found =
      parallel ? covered_arc(numbers.positions, frames.rows(), frames.columns(), line_integrals)
               : std::nullopt;
  if (!found && !request.assumes_half_turn) refuse_without_angles(request, raw, like_flats);
  const CoveredArc arc = found.value_or(CoveredArc{parallel ? 180.0 : 360.0, !parallel});
  assumptions.push_back({"angles",
                         "0 to " + format_param(arc.arc_deg) + " degrees" +
                             (arc.is_open ? ", without the end" : ", both ends measured"),
                         found ? reason_of(arc) : nothing_tells});
  return angles_over_arc(arc.arc_deg, !arc.is_open, numbers);
}

/// Removes views, whose indices rise, from values that are as many for each of `views`.
template <class Value>
void leave_out(std::span<const int> indices, int views, std::vector<Value>& values) {
  const std::size_t of_view = values.size() / static_cast<std::size_t>(views);
  std::size_t kept = 0;
  for (int view = 0; view < views; ++view) {
    if (std::ranges::binary_search(indices, view)) continue;
    const auto from = values.begin() + view * static_cast<std::ptrdiff_t>(of_view);
    const auto to = values.begin() + static_cast<std::ptrdiff_t>(kept);
    if (to != from) std::move(from, from + static_cast<std::ptrdiff_t>(of_view), to);
    kept += of_view;
  }
  values.resize(kept);
}

/// Removes frames of a scan whose angles are not known; the places of the others stay.
void leave_out_frames(std::span<const int> indices, RawScan& scan) {
  const int frames = scan.projections->frames();
  scan.positions = in_steps({frames, scan.positions}).positions;
  leave_out(indices, frames, scan.positions);
  // The angles begin with the first frame that remains.
  if (!scan.positions.empty())
    for (const int first = scan.positions.front(); int& position : scan.positions)
      position -= first;
  leave_out(indices, frames, scan.off_circle.moves_mm);
  leave_out(indices, frames, scan.off_circle.shifts);
  std::vector<ChosenFrames::Choice> kept;
  for (int frame = 0; frame < frames; ++frame)
    if (!std::ranges::binary_search(indices, frame)) kept.emplace_back(scan.projections, frame);
  scan.projections = std::make_shared<const ChosenFrames>(std::move(kept));
}

/// Restricts a scan whose angles are not known to every n-th projection and to those near both
/// ends, which alone tell its arc. Returns for each that remains whether it is an n-th one. All
/// remain where flats are interpolated by the numbers of the projections between them.
std::vector<char> take_every_and_ends(int every, bool interpolates, RawScan& scan) {
  constexpr double part_at_end = arc_compared_at_ends_deg / 180;
  constexpr int least_at_end = 16;
  const int frames = scan.projections->frames(),
            at_end = std::max(least_at_end, static_cast<int>(std::ceil(part_at_end * frames)) + 2);
  std::vector<char> is_kept;
  std::vector<int> others;
  for (int frame = 0; frame < frames; ++frame)
    if (frame % every == 0 || frame < at_end || frame >= frames - at_end || interpolates)
      is_kept.push_back(frame % every == 0 ? 1 : 0);
    else
      others.push_back(frame);
  if (!others.empty()) leave_out_frames(others, scan);
  return is_kept;
}

/// Returns the size of a scan of so many values, from which views may have been left out.
ScanSize size_of(const FrameSource& frames, std::size_t values) {
  ScanSize size{0, frames.rows(), frames.columns()};
  size.views = static_cast<int>(values / size.cells());
  return size;
}

/// Says of a shift of the axis whose side the files do not state which side the data tell.
std::string shift_note(const AxisShift& shift, double middle, std::optional<double> told) {
  const auto rounded = [](double column) { return format_param(std::round(100 * column) / 100); };
  const std::string said = shift.field + ", " + format_param(shift.columns) + " columns, ";
  if (!told)
    return said + "was left out, since neither the files nor the data tell its side; --centre " +
           rounded(shift.middle_of_files - shift.columns_of_files) + " or " +
           rounded(shift.middle_of_files + shift.columns_of_files) + " places the axis so";
  constexpr double slack_columns = 1;
  const double off = *told - middle;
  const bool fits = std::abs(std::abs(off) - std::abs(shift.columns)) <= slack_columns;
  return said + (fits ? "fits" : "does not fit") + " the axis that the data tell, " +
         rounded(std::abs(off)) + " columns to the " + (off < 0 ? "left" : "right") +
         " of the middle, which was taken";
}

/// Returns the column of the axis of rotation: found from the data, or the middle. So many
/// `bad_cells` have the values of their neighbours.
double centre_of(const ScanGeometry& geometry, const std::vector<float>& line_integrals,
                 std::size_t bad_cells, bool lacks_flat, RawScan& raw,
                 std::vector<Assumption>& assumptions) {
  constexpr const char* what = "centre of rotation";
  const auto told = centre_told(geometry, line_integrals,
                                moves_of_images(geometry.spec(), raw.off_circle), lacks_flat);
  const CentreEstimate* found = told ? &told->estimate : nullptr;
  if (raw.axis_shift.columns != 0)
    raw.notes.push_back(
        shift_note(raw.axis_shift, geometry.spec().central_column,
                   told && told->is_certain ? std::optional(found->column) : std::nullopt));
  if (found != nullptr) {
    const double column = std::round(100 * found->column) / 100;
    const std::string count = std::to_string(found->pairs);
    const std::string basis =
        !found->basis.empty() ? found->basis
        : geometry.beam() != Beam::parallel
            ? "the rays of " + count + " views that were measured from both sides"
        : found->pairs == 1 ? "1 pair of views half a turn apart"
                            : count + " pairs of views half a turn apart";
    constexpr double most_certain = 0.2;  // columns; less is not seen in a slice
    assumptions.push_back(
        {what, "column " + format_param(column),
         "from " + basis +
             (found->spread > most_certain
                  ? ", parts of which agree to only " + format_param(to_digits(found->spread, 2)) +
                        " columns"
                  : "") +
             (bad_cells > 0 ? ", without " + counted(bad_cells, "bad cell") : std::string()) +
             (told->is_certain ? "" : "; not certain without a flat")});
    return column;
  }
  assumptions.push_back(
      {what, "column " + format_param(geometry.spec().central_column) + ", the middle",
       "no column is given, and the data do not tell it" +
           axes_to_try(raw.other_axes, geometry.spec(), line_integrals, lacks_flat)});
  return geometry.spec().central_column;
}

/// Notes moves of the object and shifts of the detector whose direction the data contradict.
void compare_moves(const ScanSpec& circle, const std::vector<float>& line_integrals, RawScan& raw) {
  const std::vector<Vec3> moves_mm = moves_of_images(circle, raw.off_circle);
  if (moves_mm.empty()) return;
  const bool are_shifts = raw.off_circle.moves_mm.empty();
  using Component = double Vec3::*;
  for (const auto& [component, way] :
       {std::pair<Component, const char*>(&Vec3::x, "across the beam"), {&Vec3::z, "upwards"}})
    if (fits_better_reversed(circle, line_integrals, moves_mm, component))
      raw.notes.push_back(
          "neighbouring views fit each other better with the " +
          std::string(are_shifts ? "shifts of the detector " : "moves of the object ") + way +
          " reversed: check " + (are_shifts ? "" : "their axes (--translations), and ") +
          "whether the images are turned over");
}

/// Completes the geometry by what the line integrals of the imported scan tell of it, and by what
/// the files say that makes it no circle.
void take_geometry(const ImportGeometry& found, const ImportRequest& request, std::size_t bad_cells,
                   bool lacks_flat, RawScan& raw, ImportedScan& imported) {
  ScanSpec spec = found.stated.spec;
  LoadedScan& scan = imported.scan;
  scan.lengths_are_known =
      std::ranges::find(imported.assumptions, unknown_pixel) == imported.assumptions.end();
  scan.lacks_flat |= lacks_flat;
  leave_out_unless_it_counts(raw, request, spec, scan.lengths_are_known);
  std::ranges::copy(raw.off_circle.assumptions, std::back_inserter(imported.assumptions));
  if (found.is_centre_open)
    spec.central_column = centre_of(ScanGeometry(spec, request.path), scan.line_integrals,
                                    bad_cells, lacks_flat, raw, imported.assumptions);
  compare_moves(spec, scan.line_integrals, raw);
  std::ranges::copy(doubts_about(spec, scan.lengths_are_known), std::back_inserter(raw.notes));
  scan.geometry =
      std::make_shared<const ScanGeometry>(left_circle(spec, raw.off_circle), request.path);
  if (scan.geometry->views() == 1)
    scan.notes.emplace_back("the scan has a single view, which shows no inside");
}

/// A group of cells counts the photons of all of its cells: `bin` along a detector with a single
/// row, else bin x bin.
void join_counting(int bin, int rows, PhotonCounting& counting) {
  const double cells = rows > 1 ? 1.0 * bin * bin : 1.0 * bin;
  counting.photons_per_ray *= cells;
  counting.electronic_sigma *= std::sqrt(cells);
}

/// Returns the line integrals of a scan. Projections that were taken with the shutter closed become
/// its darks, where it has no others.
LineIntegrals integrals_with_darks(RawScan& raw, const NormaliseOptions& normalise,
                                   std::vector<Assumption>& assumptions,
                                   const std::function<void(double)>& progress,
                                   const Interrupt* interrupt) {
  LineIntegrals integrals = line_integrals_of(raw, normalise, progress, interrupt);
  if (!integrals.closed.empty()) {
    std::vector<ChosenFrames::Choice> darks;
    for (const int frame : integrals.closed) darks.emplace_back(raw.projections, frame);
    const auto name = [&](int frame) {
      return std::filesystem::path(raw.projections->name(frame)).filename().string();
    };
    const int first = integrals.closed.front(), last = integrals.closed.back();
    assumptions.push_back(
        {"darks",
         first == last
             ? name(first)
             : counted(darks.size(), "projection") + " from " + name(first) + " to " + name(last),
         "no others are found or given, and these show no beam; --dark, which "
         "names darks, and --dark-frames, which names frames, also take them out of the angles"});
    raw.darks = std::make_shared<const ChosenFrames>(std::move(darks));
    const std::vector<int> closed = std::move(integrals.closed);
    integrals = LineIntegrals();  // gives its memory back
    integrals = line_integrals_of(raw, normalise, progress, interrupt);
    std::vector<int> left_out;
    std::ranges::set_union(integrals.left_out, closed, std::back_inserter(left_out));
    integrals.left_out = std::move(left_out);
    return integrals;
  }
  if (raw.flats != nullptr && raw.darks == nullptr && !normalise.are_line_integrals)
    assumptions.push_back(
        {"darks", "0 in each cell",
         "none are found or given" + (raw.left_out_images.empty()
                                          ? std::string()
                                          : "; --dark names those among " + raw.left_out_images)});
  return integrals;
}

/// Returns the label of the format of geometries that a file has; empty: none.
std::string geometry_in(const std::string& file) {
  const auto found = geometry_formats().recognise(file);
  return found.certainty == Certainty::certain ? found.format->label : std::string();
}

/// Throws InputError for a folder that no format takes, saying how many files it holds, and for a
/// file, or a folder with one, that holds a geometry alone; first of all for what lies on no disk.
void require_images(const std::string& path) {
  if (is_of_kernel(path))
    throw InputError("is made up by the system and lies on no disk", path,
                     "choose a folder with images, or the file that describes them");
  const auto found = import_formats().recognise(path);
  if (found.certainty == Certainty::certain) return;
  const auto refuse = [&](const std::string& geometry, const std::string& file) {
    throw InputError("holds a geometry (" + geometry + "), but no projections", path,
                     "name the file or folder of the projections first, and give " + file +
                         " as their geometry (--geometry)");
  };
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error))
    if (const std::string label = geometry_in(path); !label.empty()) refuse(label, "this file");
  if (found.format != nullptr || !std::filesystem::is_directory(path, error)) return;
  std::size_t files = 0;
  std::string geometry, with_geometry;
  for (auto at = std::filesystem::directory_iterator(path, error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    if (!at->is_regular_file(error)) continue;
    ++files;
    constexpr std::size_t most_asked = 100;
    const std::string label = files <= most_asked ? geometry_in(at->path().string()) : "";
    if (label.empty()) continue;
    geometry = label;
    with_geometry = at->path().filename().string();
  }
  if (!geometry.empty()) refuse(geometry, with_geometry);
  throw InputError(
      files == 0 ? "holds no files" : "holds no projections among its " + counted(files, "file"),
      path, "choose the folder with the images, or the file that describes them");
}

/// Returns the format of the projections. Images of a folder that are all given as flats or darks
/// are none: then those of another format are. Throws as FormatRegistry::to_read().
const ImportFormat& format_to_read(const ImportRequest& request) {
  const ImportFormat& found = import_formats().to_read(request.path);
  const std::vector<std::string> given = request.files_beside();
  std::error_code error;
  if (given.empty() || !found.has_projections ||
      !std::filesystem::is_directory(request.path, error) ||
      found.has_projections(request.path, given))
    return found;
  for (const ImportFormat& other : import_formats().entries())
    if (other.has_projections && other.has_projections(request.path, given)) return other;
  return found;
}

/// Throws UsageError where the request states what files of the format state themselves, or lack.
void require_fitting(const ImportFormat& format, const ImportRequest& request) {
  if (request.images != ImageContent::as_found && !format.has_open_images)
    throw UsageError(format.label + " itself tells which of its numbers are views", request.path,
                     "leave out whether its images are projections or sinograms");
  if (!request.axes.empty() && !format.has_open_axes)
    throw UsageError(format.label + " are no arrays, whose axes may be in any order", request.path,
                     "leave out the order of axes (--axes)");
  if (!request.axes.empty() && request.images != ImageContent::as_found)
    throw UsageError("states the order of axes and what its images are", request.path,
                     "leave out that they are projections or sinograms");
  if (request.images == ImageContent::sinograms && request.turn &&
      request.turn->clockwise_deg != 0 && format.has_open_axes)
    throw UsageError("states that an array holds sinograms, and that they are to be turned",
                     request.path,
                     "state the order of its axes (--axes) instead of --sinograms and --turn");
  if (request.data_sets != DataSetPaths{} && !format.data_sets)
    throw UsageError(format.label + " are no HDF5, which alone has data sets with paths",
                     request.path, "leave out the paths of data sets");
  if (request.translations != TranslationAxes::as_stated && !format.data_sets)
    throw UsageError(format.label + " are no HDF5, which alone lists translations of the sample",
                     request.path, "leave out their axes");
  std::error_code error;
  const bool may_have_table = std::filesystem::is_directory(request.path, error) &&
                              !request.arc_deg && request.geometry.empty() &&
                              request.data_sets.angles.empty();
  if (!request.angle_column.empty() && request.angles.empty() && !may_have_table)
    throw UsageError("a column of a table of angles is named, but no table", request.path,
                     "give the file of the angles (--angles)");
}

}  // namespace

bool is_importable(const std::string& path) {
  return import_formats().recognise(path).certainty >
         projection_formats().recognise(path).certainty;
}

FileAccess access_for_import(const std::string& path) {
  const ImportFormat* format = import_formats().recognise(path).format;
  return format != nullptr && format->is_of_patients ? FileAccess::owner : access_of(path);
}

ImportedScan import_scan(const ImportRequest& asked, const std::function<void(double)>& progress,
                         const Interrupt* interrupt) {
  ImportRequest request = asked;
  request.interrupt = interrupt;
  request.flats = with_images_of_folders(asked.flats, false);
  request.darks = with_images_of_folders(asked.darks, true);
  require_images(request.path);
  const ImportFormat& format = format_to_read(request);
  require_fitting(format, request);
  RawScan raw = format.read(request);
  if (request.geometry.empty()) request.geometry = raw.geometry_file;
  join_marked_frames(request, format.label, raw);
  raw.give_white_level(request.normalise.white_level);
  if (request.turn) turn_frames(*request.turn, raw);
  ImportedScan imported{raw.stated, raw.assumptions};
  const bool has_no_angles = lacks_angles(request, raw);
  if (!raw.unfit_angles.empty())
    raw.notes.push_back("no angles were taken from the file: " + raw.unfit_angles +
                        "; --angles or --arc gives them");
  // The projections of a diverging beam do not tell the angles, and need not be read.
  if (has_no_angles && !is_parallel(request, raw) && !request.assumes_half_turn)
    refuse_without_angles(request, raw);
  ImportGeometry found;
  if (!has_no_angles) found = geometry_of_import(request, raw);  // before the frames are read
  raw.begins_lowest |= found.stated.has_rows_of_files;
  FramePart part = request.part;
  std::vector<char> is_kept;  // of the views that are read, where more are than remain
  if (has_no_angles && part.every > 1) {
    const bool interpolates = request.normalise.average == FrameAverage::interpolated;
    is_kept = take_every_and_ends(std::exchange(part.every, 1), interpolates, raw);
  }
  RawScan whole = raw;  // what is said of the geometry is said of the whole images
  raw.axis_shift.columns_of_files = raw.axis_shift.columns;
  raw.axis_shift.middle_of_files = 0.5 * (raw.projections->columns() - 1);
  take_part(raw, part);
  NormaliseOptions normalise = request.normalise;
  normalise.are_line_integrals |= raw.are_line_integrals;
  LineIntegrals integrals =
      integrals_with_darks(raw, normalise, imported.assumptions, progress, interrupt);
  if (!integrals.left_out.empty()) {
    leave_out(integrals.left_out, raw.projections->frames(), integrals.values);
    if (!is_kept.empty()) leave_out(integrals.left_out, raw.projections->frames(), is_kept);
    if (has_no_angles)
      for (RawScan* scan : {&raw, &whole}) leave_out_frames(integrals.left_out, *scan);
  }
  std::vector<float>& values = imported.scan.line_integrals = std::move(integrals.values);
  // Cells that show the same in all views would draw towards themselves what these tell.
  std::optional<RepairedMeanwhile> repaired;
  if (has_no_angles || found.is_centre_open || !raw.off_circle.moves_mm.empty() ||
      !raw.off_circle.shifts.empty())
    repaired.emplace(size_of(*raw.projections, values.size()), values, interrupt);
  if (has_no_angles) {
    whole.angles_deg =
        angles_from(request, raw, values, integrals.like_flats, imported.assumptions);
    found = geometry_of_import(request, whole);
  }
  StatedGeometry& stated = found.stated;
  stated.spec = part_of(stated.spec, part, raw.begins_lowest);
  if (!has_no_angles) {
    const int views = raw.projections->frames();
    require_angles(request, raw, stated.spec.view_angles_rad, integrals.left_out);
    leave_out(integrals.left_out, views, stated.spec.view_angles_rad);
    leave_out(integrals.left_out, views, stated.spec.poses);
    leave_out(integrals.left_out, views, raw.off_circle.moves_mm);
    leave_out(integrals.left_out, views, raw.off_circle.shifts);
  }
  std::ranges::copy(stated.assumptions, std::back_inserter(imported.assumptions));
  take_geometry(found, request, repaired ? repaired->bad_cells() : 0, integrals.lacks_flat, raw,
                imported);
  if (!is_kept.empty()) keep_views(is_kept, imported.scan);
  imported.scan.source = request.path;
  imported.scan.mu_water = raw.mu_water;
  join_counting(part.bin, whole.projections->rows(), imported.scan.counting);
  note_air_of_part(part.columns, normalise, integrals);
  if (!integrals.first_note.empty()) imported.scan.notes.push_back(integrals.first_note);
  for (const auto& notes : {raw.notes, stated.notes, integrals.notes})
    std::ranges::copy(notes, std::back_inserter(imported.scan.notes));
  return imported;
}

}  // namespace gantry
