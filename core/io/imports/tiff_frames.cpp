#include "core/io/imports/tiff_frames.hpp"

#include "core/base/error.hpp"
#include "core/io/files/tiff_pages.hpp"
#include "core/io/imports/file_frames.hpp"

namespace gantry {

namespace {

const std::vector<std::string> extensions = {".tif", ".tiff"};

PageSize look(const std::string& path) {
  TiffPages file(path);
  const TiffPage first = file.page(0);
  return {first.columns, first.rows, file.count(), first.numbers_text()};
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

}  // namespace

ImportFormat tiff_frames_format() {
  ImportFormat format = format_of_images("tiff_frames", "TIFF projections", extensions);
  format.magic = tiff_certainty;
  format.read = [](const ImportRequest& request) {
    return read_frames(request, extensions, tiff_reader);
  };
  return format;
}

std::shared_ptr<const FrameSource> tiff_frames_of(const std::vector<std::string>& paths,
                                                  std::vector<std::string>& notes,
                                                  std::vector<std::size_t>* kept,
                                                  bool leaves_out_damaged) {
  return frames_in_files(paths, tiff_reader, notes, kept, leaves_out_damaged);
}

}  // namespace gantry
