#include "core/io/imports/tiff_frames.hpp"

#include "core/base/error.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/files/tiff_pages.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/frame_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> extensions = {".tif", ".tiff"};

/// Throws InputError if a small file claims far more values than it can hold.
void require_memory(const TiffPage& page, int pages, const std::string& path) {
  const std::size_t values = static_cast<std::size_t>(pages) *
                             static_cast<std::size_t>(page.columns) *
                             static_cast<std::size_t>(page.rows);
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  require_allowed_memory("claims " + std::to_string(values) + " values", values * sizeof(float),
                         error ? 0 : bytes, path);
}

/// Frames in the pages of one file or of several.
class TiffFrames final : public FrameSource {
 public:
  /// Takes the pages of all files, of the size of the first; `notes` gets the names of files of
  /// other sizes, which are left out, and `kept` (if given) the indices of the others.
  TiffFrames(const std::vector<std::string>& paths, std::vector<std::string>& notes,
             std::vector<std::size_t>* kept = nullptr) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
      TiffPages file(paths[i]);
      const TiffPage page = file.page(0);
      if (!pages_.empty() && (page.columns != size_.columns || page.rows != size_.rows)) {
        notes.push_back(fs::path(paths[i]).filename().string() + " has " +
                        std::to_string(page.columns) + " x " + std::to_string(page.rows) +
                        " pixels instead of " + std::to_string(size_.columns) + " x " +
                        std::to_string(size_.rows) + " and was left out");
        continue;
      }
      size_ = page;
      if (kept != nullptr) kept->push_back(i);
      const int count = file.count();
      require_memory(page, count, paths[i]);
      for (int k = 0; k < count; ++k) pages_.emplace_back(paths[i], k);
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
    TiffPages file(path);
    const TiffPage found = file.page(page);
    if (found.columns != size_.columns || found.rows != size_.rows)
      throw InputError("has pages of different sizes: page " + std::to_string(page + 1), path,
                       "give pages of one size");
    file.read(page, values);
  }

 private:
  TiffPage size_;
  std::vector<std::pair<std::string, int>> pages_;
};

/// The rows of a sinogram as frames of one row.
class SinogramFrames final : public FrameSource {
 public:
  explicit SinogramFrames(const std::string& path) : path_(path) {
    TiffPages file(path);
    const TiffPage page = file.page(0);
    require_memory(page, 1, path);
    views_ = page.rows;
    columns_ = page.columns;
    values_.resize(static_cast<std::size_t>(views_) * static_cast<std::size_t>(columns_));
    file.read(0, values_);
  }
  int frames() const override { return views_; }
  int rows() const override { return 1; }
  int columns() const override { return columns_; }
  std::string name(int frame) const override { return path_ + ", row " + std::to_string(frame); }
  void read(int frame, std::span<float> values) const override {
    std::copy_n(values_.begin() + std::ptrdiff_t{frame} * columns_, columns_, values.begin());
  }

 private:
  std::string path_;
  int views_ = 0, columns_ = 0;
  std::vector<float> values_;
};

std::shared_ptr<const FrameSource> frames_of(const std::vector<std::string>& paths,
                                             std::vector<std::string>& notes) {
  return paths.empty() ? nullptr : std::make_shared<const TiffFrames>(paths, notes);
}

std::string names_of(const std::vector<std::string>& paths) {
  const std::string first = fs::path(paths.front()).filename().string();
  return paths.size() == 1 ? first
                           : first + " to " + fs::path(paths.back()).filename().string() + ", " +
                                 std::to_string(paths.size()) + " files";
}

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

RawScan read_folder(const ImportRequest& request) {
  FrameFiles files = list_frame_files(request.path, extensions);
  RawScan scan;
  scan.notes = files.notes;
  std::vector<std::size_t> kept;
  scan.projections = std::make_shared<const TiffFrames>(files.projections, scan.notes, &kept);
  const int frames = scan.projections->frames();
  // The numbers of files are those of the frames only where each file holds a single one.
  std::vector<int> positions;
  if (!files.positions.empty() && kept.size() == static_cast<std::size_t>(frames))
    for (const std::size_t index : kept) positions.push_back(files.positions[index]);
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
  scan.flats = frames_of(files.flats, scan.notes);
  scan.darks = frames_of(files.darks, scan.notes);
  scan.angles_deg = angles_for(request, frames, positions, scan.assumptions, [&] {
    return angles_beside(files.texts, frames, positions, scan.assumptions);
  });
  return scan;
}

RawScan read_file(const ImportRequest& request) {
  RawScan scan;
  if (TiffPages(request.path).count() == 1) {
    scan.projections = std::make_shared<const SinogramFrames>(request.path);
    scan.assumptions.push_back({"the picture", "a sinogram, a view per row", "it is a single one"});
  } else {
    scan.projections = std::make_shared<const TiffFrames>(std::vector{request.path}, scan.notes);
  }
  scan.flats = frames_of(request.flats, scan.notes);
  scan.darks = frames_of(request.darks, scan.notes);
  scan.angles_deg = angles_for(request, scan.projections->frames(), {}, scan.assumptions);
  return scan;
}

}  // namespace

ImportFormat tiff_frames_format() {
  ImportFormat format;
  format.key = "tiff_frames";
  format.label = "TIFF projections";
  format.extensions = extensions;
  format.is_folder = true;
  format.magic = tiff_certainty;
  format.judge_folder = [](const std::string& folder) {
    return holds_frame_files(folder, extensions) ? Certainty::named : Certainty::none;
  };
  format.read = [](const ImportRequest& request) {
    std::error_code error;
    return fs::is_directory(request.path, error) ? read_folder(request) : read_file(request);
  };
  return format;
}

}  // namespace gantry
