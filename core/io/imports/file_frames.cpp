#include "core/io/imports/file_frames.hpp"

#include "core/base/error.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/frame_files.hpp"

#include <filesystem>
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
std::vector<double> angles_beside(const std::vector<std::string>& texts, int frames,
                                  const std::vector<int>& positions,
                                  std::vector<Assumption>& assumptions) {
  for (const std::string& text : texts) try {
      std::vector<Assumption> of_text;
      std::vector<double> angles =
          angles_of_frames(read_angle_lines(text), frames, positions, text, of_text);
      assumptions.push_back({"angles", "from " + fs::path(text).filename().string(),
                             "its numbers fit the projections"});
      assumptions.insert(assumptions.end(), of_text.begin(), of_text.end());
      return angles;
    } catch (const InputError&) {
      continue;  // a text of something else
    }
  return {};
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

RawScan read_frame_folder(
    const ImportRequest& request, const std::vector<std::string>& extensions,
    const PageReader& reader,
    const std::function<std::vector<double>(const std::vector<std::string>& paths)>& in_frames) {
  FrameFiles files = list_frame_files(request.path, extensions);
  RawScan scan;
  scan.notes = files.notes;
  std::vector<std::size_t> kept;
  scan.projections = frames_in_files(files.projections, reader, scan.notes, &kept);
  const int frames = scan.projections->frames();
  // The numbers of files are those of the frames only where each file holds a single one.
  std::vector<int> positions;
  if (!files.positions.empty() && kept.size() == static_cast<std::size_t>(frames))
    for (const std::size_t index : kept) positions.push_back(files.positions[index]);
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
  scan.flats = frames_in_files(files.flats, reader, scan.notes);
  scan.darks = frames_in_files(files.darks, reader, scan.notes);
  scan.angles_deg = angles_for(request, frames, positions, scan.assumptions, [&] {
    std::vector<double> angles = angles_beside(files.texts, frames, positions, scan.assumptions);
    return angles.empty() && in_frames ? in_frames(kept_paths) : angles;
  });
  return scan;
}

}  // namespace gantry
