#include "core/io/imports/file_frames.hpp"

#include "core/base/error.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/flat_series.hpp"
#include "core/io/imports/frame_files.hpp"
#include "core/io/imports/sinogram_frames.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

std::string size_text(const PageSize& size) {
  return std::to_string(size.columns) + " x " + std::to_string(size.rows);
}

class FileFrames final : public FrameSource {
 public:
  FileFrames(const std::vector<std::string>& paths, PageReader reader,
             std::vector<std::string>& notes, std::vector<std::size_t>* kept)
      : reader_(std::move(reader)) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const PageSize found = reader_.look(paths[i]);
      if (!pages_.empty() && (found.columns != size_.columns || found.rows != size_.rows)) {
        notes.push_back(fs::path(paths[i]).filename().string() + " has " + size_text(found) +
                        " pixels instead of " + size_text(size_) + " and was left out");
        continue;
      }
      size_ = found;
      if (kept != nullptr) kept->push_back(i);
      require_memory_for_pages(found, paths[i]);
      for (int k = 0; k < found.count; ++k) pages_.emplace_back(paths[i], k);
    }
  }

  int frames() const override { return static_cast<int>(pages_.size()); }
  int rows() const override { return size_.rows; }
  int columns() const override { return size_.columns; }
  std::string name(int frame) const override {
    const auto& [path, page] = pages_[static_cast<std::size_t>(frame)];
    return page == 0 ? path : path + ", page " + std::to_string(page + 1);
  }
  void read(int frame, std::span<float> values) const override {
    const auto& [path, page] = pages_[static_cast<std::size_t>(frame)];
    reader_.read(path, page, size_, values);
  }

 private:
  PageReader reader_;
  PageSize size_;
  std::vector<std::pair<std::string, int>> pages_;
};

/// Returns the angles in the first text file beside the frames that fits; nothing without any.
std::vector<double> angles_beside(const std::vector<std::string>& texts,
                                  const FrameNumbers& numbers,
                                  std::vector<Assumption>& assumptions) {
  for (const std::string& text : texts) try {
      std::vector<Assumption> of_text;
      std::vector<double> angles =
          angles_of_frames(read_angle_lines(text, &of_text), numbers, text, of_text);
      assumptions.push_back({"angles", "from " + fs::path(text).filename().string(),
                             "its numbers fit the projections"});
      assumptions.insert(assumptions.end(), of_text.begin(), of_text.end());
      return angles;
    } catch (const InputError&) {
      continue;  // a text of something else
    }
  return {};
}

/// Reads the flats, and when each was taken, where the names of the files tell it.
void take_flats(RawScan& scan, const std::vector<std::string>& paths, const PageReader& reader,
                bool are_sinograms) {
  std::vector<std::size_t> kept;
  scan.flats = frames_in_files(paths, reader, scan.notes, &kept);
  if (are_sinograms) {  // whose images do not tell when their rows were taken
    scan.flats = beside_sinograms(scan.flats, *scan.projections);
    return;
  }
  std::vector<std::string> kept_paths;
  for (const std::size_t index : kept) kept_paths.push_back(paths[index]);
  const std::vector<double> views = views_of_flats(kept_paths, scan.projections->frames());
  if (views.empty()) return;
  for (std::size_t i = 0; i < kept_paths.size(); ++i)
    scan.flat_views.insert(scan.flat_views.end(),
                           static_cast<std::size_t>(reader.look(kept_paths[i]).count), views[i]);
  const auto count = [&](double view) { return std::ranges::count(scan.flat_views, view); };
  const auto before = count(-0.5), after = count(scan.projections->frames() - 0.5),
             between = std::ssize(scan.flat_views) - before - after;
  scan.assumptions.push_back(
      {"time of the flats",
       std::to_string(before) + " before, " + std::to_string(after) + " after the projections" +
           (between > 0 ? ", " + std::to_string(between) + " in between" : ""),
       "by their names"});
}

std::shared_ptr<const FrameSource> darks_in(const std::vector<std::string>& paths,
                                            const PageReader& reader, RawScan& scan,
                                            bool are_sinograms) {
  auto darks = frames_in_files(paths, reader, scan.notes);
  return are_sinograms ? beside_sinograms(std::move(darks), *scan.projections) : darks;
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
  scan.projections = frames_of_sinograms(scan.projections);
  return true;
}

RawScan read_frame_folder(const ImportRequest& request, const std::vector<std::string>& extensions,
                          const PageReader& reader, const AnglesInFrames& in_frames) {
  FrameFiles files = list_frame_files(request.path, extensions);
  RawScan scan;
  scan.notes = files.notes;
  std::vector<std::size_t> kept;
  scan.projections = frames_in_files(files.projections, reader, scan.notes, &kept);
  FrameNumbers numbers{scan.projections->frames()};
  const std::string first = fs::path(files.projections.front()).lexically_relative(request.path);
  const bool are_sinograms = take_sinograms(scan, request, first);
  numbers.frames = scan.projections->frames();
  // The numbers of files are those of the frames only where each file holds a single one.
  if (!are_sinograms && !files.positions.empty() &&
      kept.size() == static_cast<std::size_t>(numbers.frames))
    for (const std::size_t index : kept) numbers.positions.push_back(files.positions[index]);
  scan.positions = numbers.positions;
  std::vector<std::string> kept_paths;
  for (const std::size_t index : kept) kept_paths.push_back(files.projections[index]);
  const auto say = [&](const char* what, const std::vector<std::string>& given,
                       std::vector<std::string>& found) {
    if (!given.empty())
      found = given;
    else if (!found.empty())
      scan.assumptions.push_back({what, names_of(found), "by their names"});
  };
  scan.assumptions.push_back({"projections", names_of(files.projections), "by their names"});
  say("flats", request.flats, files.flats);
  say("darks", request.darks, files.darks);
  take_flats(scan, files.flats, reader, are_sinograms);
  scan.darks = darks_in(files.darks, reader, scan, are_sinograms);
  scan.angles_deg = angles_for(request, numbers, scan.assumptions, [&] {
    std::vector<double> angles = angles_beside(files.texts, numbers, scan.assumptions);
    if (!angles.empty() || are_sinograms) return angles;
    if (files.decimals.empty() || kept.size() != static_cast<std::size_t>(numbers.frames))
      return in_frames ? in_frames(kept_paths) : angles;
    for (const std::size_t index : kept) angles.push_back(files.decimals[index]);
    scan.assumptions.push_back({"angles", "the decimal numbers in the names of the frames, degrees",
                                "no text beside them states angles"});
    return angles;
  });
  return scan;
}

}  // namespace

void require_memory_for_pages(const PageSize& size, const std::string& path) {
  const std::size_t values = static_cast<std::size_t>(size.count) *
                             static_cast<std::size_t>(size.columns) *
                             static_cast<std::size_t>(size.rows);
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  require_allowed_memory("claims " + std::to_string(values) + " values", values * sizeof(float),
                         error ? 0 : bytes, path);
}

std::shared_ptr<const FrameSource> frames_in_files(const std::vector<std::string>& paths,
                                                   const PageReader& reader,
                                                   std::vector<std::string>& notes,
                                                   std::vector<std::size_t>* kept) {
  return paths.empty() ? nullptr : std::make_shared<const FileFrames>(paths, reader, notes, kept);
}

RawScan read_frames(const ImportRequest& request, const std::vector<std::string>& extensions,
                    const PageReader& reader, const AnglesInFrames& in_frames) {
  std::error_code error;
  if (fs::is_directory(request.path, error))
    return read_frame_folder(request, extensions, reader, in_frames);
  RawScan scan;
  scan.projections = frames_in_files({request.path}, reader, scan.notes);
  const bool are_sinograms =
      take_sinograms(scan, request, fs::path(request.path).filename().string());
  take_flats(scan, request.flats, reader, are_sinograms);
  scan.darks = darks_in(request.darks, reader, scan, are_sinograms);
  scan.angles_deg = angles_for(request, {scan.projections->frames()}, scan.assumptions, [&] {
    return in_frames && !are_sinograms ? in_frames({request.path}) : std::vector<double>{};
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
  format.judge_folder = [extensions](const std::string& folder) {
    return holds_frame_files(folder, extensions) ? Certainty::named : Certainty::none;
  };
  return format;
}

}  // namespace gantry
