#include "core/io/imports/file_frames.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/params.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/angles_beside.hpp"
#include "core/io/imports/beside_frames.hpp"
#include "core/io/imports/checks/doubtful_flats.hpp"
#include "core/io/imports/checks/frame_checks.hpp"
#include "core/io/imports/chosen_frames.hpp"
#include "core/io/imports/file_series.hpp"
#include "core/io/imports/folders/frame_files.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/marked_frames.hpp"
#include "core/io/imports/names/doubtful_roles.hpp"
#include "core/io/imports/names/file_groups.hpp"
#include "core/io/imports/names/file_numbers.hpp"
#include "core/io/imports/names/flat_series.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/sinogram_frames.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Returns the files of frames, each once.
std::vector<std::size_t> files_read(std::vector<std::size_t> file_of_frame) {
  file_of_frame.erase(std::unique(file_of_frame.begin(), file_of_frame.end()), file_of_frame.end());
  return file_of_frame;
}

std::vector<std::string> paths_at(const std::vector<std::size_t>& indices,
                                  const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  for (const std::size_t index : indices) found.push_back(paths[index]);
  return found;
}

/// Returns flats or darks beside sinograms, with a note where these are turned, but they are not.
std::shared_ptr<const FrameSource> taken_beside_sinograms(
    const std::shared_ptr<const FrameSource>& images, const std::string& what,
    const ImportRequest& request, RawScan& scan) {
  const FrameTurn turn = request.turn.value_or(FrameTurn{});
  auto taken = beside_sinograms(images, *scan.projections, turn);
  if (taken != nullptr && taken == images && turn.clockwise_deg != 0)
    scan.notes.push_back(
        "the " + what + ", images of the detector beside sinograms, were not turned as these were");
  return taken;
}

/// Reads the flats, and when each was taken, where the names of the files tell it.
void take_flats(RawScan& scan, const std::vector<std::string>& paths, const PageReader& reader,
                const ImportRequest& request, bool are_sinograms) {
  std::vector<std::size_t> file_of_frame;
  scan.flats = frames_in_files(
      paths, with_other_formats(reader, FrameRole::flats, request.interrupt, scan.notes),
      scan.notes, &file_of_frame, request.leaves_out_damaged && !are_sinograms);
  if (are_sinograms) {  // whose images do not tell when their rows were taken
    scan.flats = taken_beside_sinograms(scan.flats, "flats", request, scan);
    return;
  }
  const std::vector<double> views =
      views_of_flats(paths_at(files_read(file_of_frame), paths), scan.projections->frames());
  if (views.empty()) return;
  for (std::size_t i = 0, file = 0; i < file_of_frame.size(); ++i) {
    if (i > 0 && file_of_frame[i] != file_of_frame[i - 1]) ++file;
    scan.flat_views.push_back(views[file]);
  }
  scan.assumptions.push_back(time_of_flats(scan.flat_views, scan.projections->frames()));
}

std::shared_ptr<const FrameSource> darks_in(const std::vector<std::string>& paths,
                                            const PageReader& reader, const ImportRequest& request,
                                            RawScan& scan, bool are_sinograms) {
  auto darks = frames_in_files(
      paths, with_other_formats(reader, FrameRole::darks, request.interrupt, scan.notes),
      scan.notes, nullptr, request.leaves_out_damaged && !are_sinograms);
  return are_sinograms ? taken_beside_sinograms(darks, "darks", request, scan) : darks;
}

/// Turns the images of a scan if they are sinograms: by the request, by their name, or because a
/// single image would be a scan of one view. Returns whether they are.
bool take_sinograms(RawScan& scan, const ImportRequest& request, const std::string& name) {
  if (request.images == ImageContent::projections) return false;
  const bool is_single = scan.projections->frames() == 1 && scan.projections->rows() > 1;
  if (request.images == ImageContent::as_found) {
    if (!is_single && !names_sinogram(name)) return false;
    const char* value = is_single ? "a sinogram, a view per row" : "sinograms, a view per row";
    scan.assumptions.push_back({is_single ? "the picture" : "the images", value,
                                is_single ? "it is a single one" : "by their names"});
  }
  scan.projections = frames_of_sinograms(scan.projections, request.turn.value_or(FrameTurn{}));
  return true;
}

/// Leaves out the frames whose numbers are not below that of the projections: taken at the end for
/// alignment, often at angles that were measured before.
void leave_out_further(FrameFiles& files, const StatedFrames& stated) {
  if (files.positions.empty()) return;
  for (auto* positions : {&files.positions, &files.given_positions})
    for (int& position : *positions) position += files.first_number;
  files.first_number = 0;
  const auto kept = std::ranges::lower_bound(files.positions, stated.projections);
  const auto further = files.positions.end() - kept;
  if (further == 0 || kept == files.positions.begin()) return;
  files.positions.erase(kept, files.positions.end());
  const std::vector<std::string> left(files.projections.end() - further, files.projections.end());
  files.projections.resize(files.positions.size());
  files.notes.push_back(names_of(left) + (further == 1 ? ", was" : ", were") +
                        " left out as no projection: " + stated.file + " states " +
                        std::to_string(stated.projections));
}

/// Takes files that are given as flats or darks out of the steps of the projections, but not out of
/// the places, which lists of angles may count. `given`: the places of these files, rising.
void pass_over(std::span<const int> given, FrameNumbers& numbers) {
  if (given.empty()) return;
  const int leading = std::max(0, -given.front());
  const auto without_given = [&](int position) {
    return position - static_cast<int>(std::ranges::lower_bound(given, position) -
                                       std::ranges::lower_bound(given, 0));
  };
  numbers.all_places = std::max(numbers.all(), given.back() + 1) + leading;
  numbers.first_number -= leading;
  for (int& position : numbers.positions) {
    numbers.places.push_back(position + leading);
    position = without_given(position);
  }
  if (numbers.projections > 0) numbers.projections = without_given(numbers.projections);
}

/// Takes which projections the frames are, by the numbers of their files, with notes on what is
/// missing. Returns why that is not known; an empty text where it is.
std::string take_numbers(const FrameFiles& files, const std::vector<std::size_t>& file_of_frame,
                         const StatedFrames& stated, FrameNumbers& numbers,
                         std::vector<std::string>& notes) {
  FramePlaces places = places_of_frames(files, file_of_frame);
  std::ranges::move(places.notes, std::back_inserter(notes));
  numbers.positions = std::move(places.positions);
  const bool is_one_each = files_read(file_of_frame).size() == file_of_frame.size();
  if (is_one_each) numbers.files = paths_at(file_of_frame, files.projections);
  if (is_one_each) numbers.first_number = files.first_number;
  if (numbers.positions.empty()) return places.problem;
  const int step = common_step(files.positions);
  const int lacking = (stated.projections - numbers.positions.back() - 1) / std::max(1, step);
  if (lacking > 0)
    notes.push_back(stated.file + " states " + std::to_string(stated.projections) +
                    " projections, of which the last " +
                    (lacking == 1 ? "one is" : std::to_string(lacking) + " are") + " missing");
  if (stated.projections > numbers.positions.back())
    numbers.projections = stated.projections;
  else if (!is_one_each || step == 1)
    numbers.projections = places.all;
  if (is_one_each && stated.projections == 0) pass_over(files.given_positions, numbers);
  return places.problem;
}

/// Returns the angle of each frame by the numbers in the names of the files that were `read`, else
/// by what is in them; nothing where neither tells it.
std::vector<double> angles_of_files(const FrameFiles& files, const std::vector<std::size_t>& read,
                                    const FrameNumbers& numbers, const FrameCustom& custom,
                                    std::vector<Assumption>& assumptions) {
  if (files.decimals.empty() || numbers.files.empty())
    return custom.angles ? custom.angles(paths_at(read, files.projections)) : std::vector<double>{};
  std::vector<double> angles;
  for (const std::size_t index : read) angles.push_back(files.decimals[index]);
  assumptions.push_back({"angles", "the numbers in the names of the frames, degrees",
                         "no text beside them states angles"});
  return angles;
}

FrameCounter counter_of(const PageReader& reader) {
  return {[&](const std::string& path) { return count_pages(reader, path); },
          [&](const std::string& path) { return cells_of_pages(reader, path); }};
}

/// The frames in the files of projections, with the index of the file of each.
struct FolderFrames {
  std::shared_ptr<const FrameSource> projections;
  std::vector<std::size_t> file_of_frame;
  /// Those of the files that are given as flats or darks too, where marks count these; else null.
  std::shared_ptr<const FrameSource> counted = {};
};

/// Returns the files whose frames a user counts who marks flats or darks, as notes do that name
/// frames to be marked: the projections, and among these the files of the same series that are
/// given as flats or darks.
std::vector<std::string> counted_files(const ImportRequest& request,
                                       const std::vector<std::string>& extensions,
                                       const PageReader& reader, const FrameFiles& files) {
  const std::vector<std::string>& projections = files.projections;
  const bool is_any_marked = !request.flat_frames.empty() || !request.dark_frames.empty();
  if (request.files_beside().empty() || (!is_any_marked && files.given_positions.empty()))
    return projections;
  std::vector<std::string> all =
      list_frame_files(request.path, extensions, {}, ImageSeries::projections, counter_of(reader))
          .projections;
  const std::set<std::string> known(all.begin(), all.end());
  const bool has_each = std::ranges::all_of(
      projections, [&](const std::string& path) { return known.contains(path); });
  return has_each ? all : projections;  // without those given, the series may be another one
}

FolderFrames frames_of_folder(const ImportRequest& request,
                              const std::vector<std::string>& extensions, const PageReader& reader,
                              const FrameFiles& files, std::vector<std::string>& notes) {
  const std::vector<std::string>& projections = files.projections;
  const std::vector<std::string> counted = counted_files(request, extensions, reader, files);
  FolderFrames found;
  found.projections =
      frames_in_files(counted, reader, notes, &found.file_of_frame, request.leaves_out_damaged);
  if (counted.size() == projections.size()) return found;
  found.counted = found.projections;
  std::map<std::string, std::size_t> indices;
  for (std::size_t i = 0; i < projections.size(); ++i) indices.emplace(projections[i], i);
  std::vector<ChosenFrames::Choice> chosen;
  std::vector<std::size_t> file_of_chosen;
  for (int frame = 0; frame < found.counted->frames(); ++frame) {
    const std::string& path = counted[found.file_of_frame[static_cast<std::size_t>(frame)]];
    const auto file = indices.find(path);
    if (file == indices.end()) continue;  // it is given
    chosen.emplace_back(found.counted, frame);
    file_of_chosen.push_back(file->second);
  }
  found.projections = std::make_shared<const ChosenFrames>(std::move(chosen));
  found.file_of_frame = std::move(file_of_chosen);
  return found;
}

/// Says which files are flats or darks by their names; where they are as many as the `projections`,
/// files or frames, a sample may be named so: dark_chocolate beside milk_chocolate.
void say_found(const std::string& what, const std::vector<std::string>& found,
               std::size_t projections, RawScan& scan) {
  constexpr std::size_t many = 8;
  scan.assumptions.push_back({what, names_of(found), "by their names"});
  if (found.size() >= std::max(many, projections))
    scan.notes.push_back(names_of(found) + ", are " + what +
                         " by their names, but as many as the projections: if they show an object, "
                         "move them to another folder; --flat and --dark name others");
}

/// Says which of the files beside the frames do not tell the angles: geometries that do not fit, as
/// they are said, and headers of other programs that are not read; empty: there are none.
std::string unread_headers(const std::vector<std::string>& files, std::string unfit_geometry) {
  constexpr std::array<const char*, 4> extensions_of_headers = {".pca", ".sct", ".vgi", ".nxs"};
  std::vector<std::string> names;
  for (const std::string& path : files)
    if (std::ranges::count(extensions_of_headers, lower_case(fs::path(path).extension().string())))
      names.push_back(fs::path(path).filename().string());
  if (names.empty()) return unfit_geometry;
  if (!unfit_geometry.empty()) unfit_geometry += ", ";
  return unfit_geometry + joined(names) + ", beside them, may state the angles, but " +
         (names.size() == 1 ? "is" : "are") + " not read";
}

/// Takes flats of a doubtful name that are far darker than the projections as darks, with a note.
/// `may_judge`: a user names no flats and darks; else those beside flats of a clear name are left
/// out.
void judge_doubtful_flats(const PageReader& reader, bool may_judge, FrameFiles& files,
                          RawScan& scan) {
  std::vector<std::string> notes;  // which the reading of the darks repeats
  const auto mean_of = [](const FrameSource& source, int frame) {
    std::vector<float> values(std::size_t(source.rows()) * std::size_t(source.columns()));
    source.read(frame, values);
    return summary_of(values).mean;
  };
  for (const std::vector<std::string>& series : files.doubtful_flats) {
    const bool is_flat = std::ranges::find(files.flats, series.front()) != files.flats.end();
    const std::string as_darks =
        doubtful_note(series, "darks", "since they are far darker than the projections");
    if (may_judge &&
        are_darks(mean_of(*frames_in_files(series, reader, notes), 0), scan.projections->frames(),
                  [&](int frame) { return mean_of(*scan.projections, frame); })) {
      std::erase_if(files.flats, [&](const std::string& path) {
        return std::ranges::find(series, path) != series.end();
      });
      files.darks.insert(files.darks.end(), series.begin(), series.end());
      if (is_flat)
        std::ranges::replace(scan.notes, doubtful_note(series, "flats"), as_darks);
      else
        scan.notes.push_back(as_darks);
    } else if (!is_flat) {
      scan.notes.push_back(names_of(series) +
                           " may be flats by the name, but others are called so: "
                           "they were left out; --flat names them");
    }
  }
}

RawScan read_frame_folder(const ImportRequest& request, const std::vector<std::string>& extensions,
                          const PageReader& reader, const FrameCustom& custom) {
  FrameFiles files = list_frame_files(request.path, extensions, request.files_beside(),
                                      ImageSeries::projections, counter_of(reader));
  const StatedFrames& stated = custom.stated;
  if (stated.projections > 0) leave_out_further(files, stated);
  RawScan scan;
  scan.notes = files.notes;
  scan.left_out_images = joined(files.left_out);
  const FolderFrames frames = frames_of_folder(request, extensions, reader, files, scan.notes);
  const std::vector<std::size_t>& file_of_frame = frames.file_of_frame;
  scan.projections = frames.projections;
  const std::vector<std::size_t> read = files_read(file_of_frame);
  const std::string first = fs::path(files.projections.front()).lexically_relative(request.path);
  const bool are_sinograms = take_sinograms(scan, request, first);
  if (are_sinograms && request.leaves_out_damaged && read.size() < files.projections.size())
    throw InputError("sinograms, which are rows of the detector, cannot be left out", request.path,
                     "replace those that are damaged or of another size");
  FrameNumbers numbers{scan.projections->frames()};
  std::string problem;
  if (are_sinograms)
    std::ranges::copy(missing_frames(files), std::back_inserter(scan.notes));
  else
    problem = take_numbers(files, file_of_frame, stated, numbers, scan.notes);
  const ProjectionsAmong among =
      take_marked_frames(request, scan, are_sinograms ? nullptr : frames.counted.get());
  numbers = among.of(numbers);
  scan.positions = numbers.positions;
  if (numbers.places.empty()) scan.first_number = numbers.first_number;
  judge_doubtful_flats(
      reader, request.files_beside().empty() && request.dark_frames.empty() && !are_sinograms,
      files, scan);
  const auto say = [&](const char* what, const std::vector<std::string>& given,
                       std::vector<std::string>& found) {
    if (!given.empty())
      found = given;
    else if (!found.empty())
      say_found(
          what, found,
          std::max(files.projections.size(), static_cast<std::size_t>(scan.projections->frames())),
          scan);
  };
  scan.assumptions.push_back({"projections", names_of(files.projections), files.why});
  say("flats", request.flats, files.flats);
  say("darks", request.darks, files.darks);
  PageReader beside = reader;
  if (!files.flats.empty() || !files.darks.empty())
    beside.type_of_projections = numbers_of_pages(reader, files.projections[read.front()]);
  take_flats(scan, files.flats, beside, request, are_sinograms);
  scan.darks = darks_in(files.darks, beside, request, scan, are_sinograms);
  const std::string untaken_geometry = take_geometry_beside(files, request, scan);
  bool has_list =
      !request.angles.empty() || !request.geometry.empty() || !scan.geometry_file.empty();
  scan.angles_deg = angles_for(request, numbers, scan.assumptions, [&] {
    if (!scan.geometry_file.empty()) return std::vector<double>{};
    const FrameNumbers ordered = in_order_of_angles(numbers, request.turn);
    std::vector<double> angles = angles_beside(files, ordered, request, scan);
    if (angles.empty() && !are_sinograms)
      angles = among.of(angles_of_files(files, read, numbers, custom, scan.assumptions));
    has_list = !angles.empty();
    if (has_list || are_sinograms || stated.arc_deg == 0) return angles;
    scan.assumptions.push_back(
        {"angles", "0 to " + format_param(stated.arc_deg) + " degrees, without the end",
         stated.file + " states it"});
    return angles_over_arc(stated.arc_deg, false, ordered);
  });
  if (scan.angles_deg.empty() && !has_list)
    scan.unfit_angles = unread_headers(files.others, untaken_geometry);
  else if (!untaken_geometry.empty())
    scan.notes.push_back(untaken_geometry);
  if (!problem.empty() && !has_list)
    throw InputError(problem, request.path,
                     "add the missing files, or give a list with an angle for each frame");
  return scan;
}

}  // namespace

RawScan read_frames(const ImportRequest& request, const std::vector<std::string>& extensions,
                    const PageReader& reader, const FrameCustom& custom) {
  std::error_code error;
  if (fs::is_directory(request.path, error))
    return read_frame_folder(request, extensions, reader, custom);
  RawScan scan;
  scan.projections = frames_in_files({request.path}, reader, scan.notes);
  if (goes_on_in_others(request.path))
    scan.notes.push_back("only " + fs::path(request.path).filename().string() +
                         " was read, though its series goes on in files beside it: import their "
                         "folder for all");
  const bool are_sinograms =
      take_sinograms(scan, request, fs::path(request.path).filename().string());
  const ProjectionsAmong among = take_marked_frames(request, scan);
  const FrameNumbers numbers = among.of(FrameNumbers{among.frames});
  take_flats(scan, request.flats, reader, request, are_sinograms);
  scan.darks = darks_in(request.darks, reader, request, scan, are_sinograms);
  scan.angles_deg = angles_for(request, numbers, scan.assumptions, [&] {
    return custom.angles && !are_sinograms ? among.of(custom.angles({request.path}))
                                           : std::vector<double>{};
  });
  return scan;
}

ImportFormat format_of_images(const std::string& key, const std::string& label,
                              const std::vector<std::string>& extensions) {
  ImportFormat format;
  format.key = key;
  format.label = label;
  format.extensions = extensions;
  format.is_folder = true;
  format.has_open_images = true;
  format.has_projections = [extensions](const std::string& folder,
                                        const std::vector<std::string>& given) {
    return holds_projections(folder, extensions, given);
  };
  format.judge_folder = [extensions](const std::string& folder) {
    return holds_frame_files(folder, extensions) ? Certainty::named : Certainty::none;
  };
  return format;
}

}  // namespace gantry
