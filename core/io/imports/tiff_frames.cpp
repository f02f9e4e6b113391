#include "core/io/imports/tiff_frames.hpp"

#include "core/base/error.hpp"
#include "core/io/files/tiff_pages.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/file_frames.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> extensions = {".tif", ".tiff"};

PageSize look(const std::string& path) {
  TiffPages file(path);
  const TiffPage first = file.page(0);
  return {first.columns, first.rows, file.count()};
}

void read_page(const std::string& path, int page, const PageSize& size, std::span<float> values) {
  TiffPages file(path);
  const TiffPage found = file.page(page);
  if (found.columns != size.columns || found.rows != size.rows)
    throw InputError("has pages of different sizes: page " + std::to_string(page + 1), path,
                     "give pages of one size");
  file.read(page, values);
}

const PageReader tiff_reader = {look, read_page};

/// The rows of a sinogram as frames of one row.
class SinogramFrames final : public FrameSource {
 public:
  explicit SinogramFrames(const std::string& path) : path_(path) {
    TiffPages file(path);
    const TiffPage page = file.page(0);
    require_memory_for_pages({page.columns, page.rows, 1}, path);
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

RawScan read_tiff(const ImportRequest& request) {
  std::error_code error;
  if (fs::is_directory(request.path, error) || TiffPages(request.path).count() > 1)
    return read_frames(request, extensions, tiff_reader);
  RawScan scan;
  scan.projections = std::make_shared<const SinogramFrames>(request.path);
  scan.assumptions.push_back({"the picture", "a sinogram, a view per row", "it is a single one"});
  scan.flats = frames_in_files(request.flats, tiff_reader, scan.notes);
  scan.darks = frames_in_files(request.darks, tiff_reader, scan.notes);
  scan.angles_deg = angles_for(request, {scan.projections->frames()}, scan.assumptions);
  return scan;
}

}  // namespace

ImportFormat tiff_frames_format() {
  ImportFormat format = format_of_images("tiff_frames", "TIFF projections", extensions);
  format.magic = tiff_certainty;
  format.read = read_tiff;
  return format;
}

std::shared_ptr<const FrameSource> tiff_frames_of(const std::vector<std::string>& paths,
                                                  std::vector<std::string>& notes,
                                                  std::vector<std::size_t>* kept) {
  return frames_in_files(paths, tiff_reader, notes, kept);
}

}  // namespace gantry
