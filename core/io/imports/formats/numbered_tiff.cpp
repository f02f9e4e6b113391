#include "core/io/imports/formats/numbered_tiff.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/params.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/file_series.hpp"
#include "core/io/imports/folders/frame_files.hpp"
#include "core/io/imports/folders/named_files.hpp"
#include "core/io/imports/names/file_groups.hpp"
#include "core/io/imports/tiff_frames.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gantry {

namespace {

const std::vector<std::string> extensions = {".tif", ".tiff"};

/// Returns which of the `count` projections of the settings the frames are. `kept`: the indices of
/// the files that became frames.
FrameNumbers count_frames(const FrameFiles& files, const std::vector<std::size_t>& kept,
                          int first_number, int count, const std::string& where) {
  // Numbers begin with `first_number`, or with 0 where there is a frame 0. Where that leads beyond
  // the count, they begin with the smallest one.
  const bool is_numbered = !files.positions.empty();
  const auto position = [&](std::size_t index) {
    return is_numbered ? files.positions[index] : static_cast<int>(index);
  };
  int missing = is_numbered ? std::max(0, files.first_number - first_number) : 0;
  const int last = position(kept.back());
  if (last + missing >= count) missing = 0;
  if (last >= count)
    throw InputError("states " + std::to_string(count) + " projections, but there are " +
                         std::to_string(last + 1),
                     where, "remove those that are not of this scan");
  FrameNumbers numbers{static_cast<int>(kept.size()), {}, count};
  for (const std::size_t index : kept) {
    numbers.positions.push_back(position(index) + missing);
    numbers.files.push_back(files.projections[index]);
  }
  return numbers;
}

/// Returns the files of a role as "a_1.tif to a_5.tif, 5 files (flats)".
std::string text_of(const std::vector<std::string>& paths, FrameRole role) {
  return names_of(paths) + (role == FrameRole::flats ? " (flats)" : " (darks)");
}

/// Notes flats and darks that were found by their names, but not used. `why`:
/// behind "were not used".
void note_unused(const NamedBeam& beam, const std::string& why, RawScan& scan) {
  std::vector<std::string> found;
  if (!beam.flats.empty()) found.push_back(text_of(beam.flats, FrameRole::flats));
  if (!beam.darks.empty()) found.push_back(text_of(beam.darks, FrameRole::darks));
  if (!found.empty()) scan.notes.push_back(joined(found) + " were not used, " + why);
}

/// Opens flats or darks that were found by their names. Returns null, with a note, for those that
/// have not the cells of the projections.
std::shared_ptr<const FrameSource> open_found(const std::vector<std::string>& paths, FrameRole role,
                                              const ImportRequest& request,
                                              const TiffSettings& settings, RawScan& scan) {
  auto frames = given_frames_of(paths, role, request, scan.notes);
  if (frames == nullptr) return nullptr;
  const auto size = [](const FrameSource& source) {
    return std::to_string(source.columns()) + " x " + std::to_string(source.rows());
  };
  if (size(*frames) != size(*scan.projections)) {
    scan.notes.push_back(text_of(paths, role) + ": left out, with " + size(*frames) +
                         " cells instead of the " + size(*scan.projections) +
                         " of the projections; if they are of this scan, give them in that size");
    return nullptr;
  }
  scan.assumptions.push_back({role == FrameRole::flats ? "flats" : "darks", names_of(paths),
                              "by their names, and " + settings.uncorrected});
  return frames;
}

/// Takes the flats and darks that are given; else those beside the projections by their names, if
/// the settings say that the projections lack them, or notes that there are some.
void take_beam(const ImportRequest& request, const TiffSettings& settings,
               const std::vector<std::string>& projections, RawScan& scan) {
  if (!request.files_beside().empty()) {
    scan.flats = given_frames_of(request.flats, FrameRole::flats, request, scan.notes);
    scan.darks = given_frames_of(request.darks, FrameRole::darks, request, scan.notes);
    return;
  }
  const NamedBeam beam = beam_in(settings.folder, extensions, projections);
  if (settings.uncorrected.empty() || beam.flats.empty()) {
    note_unused(beam,
                "though they are called so: the projections of such scans are mostly divided by "
                "flats already; if these are not, --flat and --dark take them",
                scan);
    return;
  }
  scan.flats = open_found(beam.flats, FrameRole::flats, request, settings, scan);
  if (scan.flats != nullptr)
    scan.darks = open_found(beam.darks, FrameRole::darks, request, settings, scan);
  else
    note_unused({{}, beam.darks}, "since there are no flats; --flat and --dark take them", scan);
}

}  // namespace

RawScan numbered_tiff_scan(const ImportRequest& request, TiffSettings settings) {
  const std::string& where = request.path;
  const FrameFiles files =
      list_numbered_files(settings.folder, settings.prefix, extensions, request.files_beside());
  if (files.projections.empty())
    throw InputError(
        "its projections are missing: there is no " + settings.prefix + "0001.tif or the like",
        where, "put the TIFF files into " + settings.folder);
  RawScan scan;
  scan.notes = std::move(settings.stated.notes);
  std::ranges::copy(files.notes, std::back_inserter(scan.notes));
  std::ranges::copy(missing_frames(files), std::back_inserter(scan.notes));
  std::vector<std::size_t> kept;  // the file of each frame
  scan.projections = tiff_frames_of(files.projections, scan.notes, &kept,
                                    request.leaves_out_damaged, request.interrupt);
  const int frames = scan.projections->frames();
  if (std::ranges::adjacent_find(kept) != kept.end())
    throw InputError("its projections hold several pages each", where,
                     "give TIFF files of one page");
  scan.assumptions.push_back({"projections", names_of(files.projections), "by their names"});
  take_beam(request, settings, files.projections, scan);
  scan.take_white_level(settings.white_level, settings.white_level_field);
  const std::vector<double>& angles_rad = settings.stated.spec.view_angles_rad;
  const FrameNumbers numbers =
      count_frames(files, kept, settings.first_number, static_cast<int>(angles_rad.size()), where);
  if (kept.size() < angles_rad.size())
    scan.notes.push_back(std::to_string(frames) + " of the " + std::to_string(angles_rad.size()) +
                         " projections are there; each has the angle of its number");
  scan.angles_deg = angles_for(request, numbers, scan.assumptions, [&] {
    std::vector<double> chosen;
    if (settings.measured_angles) chosen = settings.measured_angles(numbers, scan);
    if (!chosen.empty()) return chosen;
    for (const int index : numbers.positions)
      chosen.push_back(degrees(angles_rad[static_cast<std::size_t>(index)]));
    return chosen;
  });
  if (request.geometry.empty())
    std::ranges::copy(settings.stated.assumptions, std::back_inserter(scan.assumptions));
  scan.geometry = std::move(settings.stated.spec);
  return scan;
}

}  // namespace gantry
