#include "core/io/imports/tiff_frames.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/stated_lengths.hpp"
#include "core/io/files/tiff/tiff_calibration.hpp"
#include "core/io/files/tiff/tiff_pages.hpp"
#include "core/io/imports/beside_frames.hpp"
#include "core/io/imports/file_frames.hpp"
#include "core/io/imports/folders/frame_files.hpp"
#include "core/io/imports/logs/tomcat_log.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

namespace gantry {

namespace {

/// The files that the threads of a reader have open: each thread goes on with one that no other
/// thread uses, so that the decoder behind it is started once, and a file of many pages is opened
/// once.
class OpenFiles {
 public:
  explicit OpenFiles(const Interrupt* interrupt) : interrupt_(interrupt) {}

  PageSize look(const std::string& path) {
    std::unique_ptr<TiffPages> file = take(path);
    file->open(path);
    const TiffPage first = file->page(0);
    const PageSize size{first.columns, first.rows, file->count(), first.numbers_text()};
    put_back(std::move(file));
    const std::scoped_lock lock(mutex_);
    if (first_.empty()) first_ = path;
    last_ = path;
    if (const std::string turned = first.turned_text(); !turned.empty())
      turned_.try_emplace(first.orientation, path, turned);
    return size;
  }

  int count(const std::string& path) {
    std::unique_ptr<TiffPages> file = take(path);
    file->open(path);
    file->page(0);  // throws for one that is no frame
    const int pages = file->count();
    put_back(std::move(file));
    return pages;
  }

  /// Says how the images that were looked at are turned, with a file of each orientation.
  void note_turned(std::vector<std::string>& notes) {
    const std::scoped_lock lock(mutex_);
    for (const auto& [orientation, file] : turned_)
      notes.push_back("images were " + file.second + ", since the tag Orientation of " +
                      std::filesystem::path(file.first).filename().string() + " is " +
                      std::to_string(orientation));
  }

  /// Takes the size of a cell that the first file states, if nothing else does. Notes where the
  /// last one states another: to read it in all would open each file once more.
  void take_pixel(RawScan& scan, bool is_given) {
    if (first_.empty() || scan.pixel_mm > 0) return;
    const TiffPixel pixel = pixel_in(first_), of_last = first_ == last_ ? pixel : pixel_in(last_);
    const auto name = [](const std::string& path) {
      return std::filesystem::path(path).filename().string();
    };
    if (!pixel.doubt.empty() && !is_given) scan.notes.push_back(name(first_) + " " + pixel.doubt);
    if (!(pixel.width_mm > 0)) return;
    scan.pixel_mm = pixel.width_mm;
    // The rows of a sinogram are views.
    const bool has_rows = !scan.projections->name(0).ends_with(", row 0");
    if (has_rows && is_other(pixel.height_mm, pixel.width_mm)) scan.row_pixel_mm = pixel.height_mm;
    if (is_given) return;
    scan.assumptions.push_back(
        {"size of a cell",
         length_of(pixel.width_mm) +
             (scan.row_pixel_mm > 0 ? " x " + length_of(pixel.height_mm) : std::string()) + " mm",
         (pixel.is_of_ome ? "PhysicalSizeX of OME in " : "ImageJ's unit and the resolution in ") +
             name(first_)});
    if (of_last.width_mm > 0 && is_other(of_last.width_mm, pixel.width_mm))
      scan.notes.push_back(name(last_) + " states " + length_of(of_last.width_mm) +
                           " mm as the size of a pixel, not " + length_of(pixel.width_mm) +
                           ", which was taken");
  }

  void read(const std::string& path, int page, const PageSize& size, std::span<float> values) {
    std::unique_ptr<TiffPages> file = take(path);
    const TiffPage found = file->open_and_load(path, page);
    if (found.columns != size.columns || found.rows != size.rows)
      throw InputError("has pages of different sizes: page " + std::to_string(page + 1), path,
                       "give pages of one size");
    if (!size.numbers.empty() && found.numbers_text() != size.numbers)
      throw InputError("has pages of different types: page " + std::to_string(page + 1) +
                           " holds " + found.numbers_text() + " instead of " + size.numbers,
                       path, "give pages of one type");
    file->values(values);
    put_back(std::move(file));
  }

 private:
  static bool is_other(double a, double b) { return std::abs(a - b) > 1e-4 * b; }
  static std::string length_of(double mm) { return format_param(to_digits(mm, 6)); }

  TiffPixel pixel_in(const std::string& path) {
    std::unique_ptr<TiffPages> file = take(path);
    file->open(path);
    const TiffDescription description = file->description();
    const auto lengths = description.find(lengths_key);
    const bool are_cells = lengths != description.end() && lengths->second == lengths_in_cells;
    const TiffPixel pixel =
        are_cells ? TiffPixel{} : measured_pixel(file->resolution(), description);
    put_back(std::move(file));
    return pixel;
  }
  /// Returns a file that no other thread uses, the one of this path where there is one; without any
  /// the file of this path.
  std::unique_ptr<TiffPages> take(const std::string& path) {
    std::unique_ptr<TiffPages> file;
    {
      const std::scoped_lock lock(mutex_);
      auto found = std::ranges::find(unused_, path, [](const auto& one) { return one->path(); });
      if (found == unused_.end() && !unused_.empty()) --found;
      if (found != unused_.end()) {
        file = std::move(*found);
        unused_.erase(found);
      }
    }
    return file ? std::move(file) : std::make_unique<TiffPages>(path, interrupt_);
  }
  void put_back(std::unique_ptr<TiffPages> file) {
    const std::scoped_lock lock(mutex_);
    unused_.push_back(std::move(file));
  }

  const Interrupt* interrupt_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<TiffPages>> unused_;
  std::string first_, last_;  // of the files that were looked at
  /// The first file of each orientation that turns images, and what was done to it.
  std::map<std::uint16_t, std::pair<std::string, std::string>> turned_;
};

constexpr const char* format_key = "tiff_frames";
const std::vector<std::string> extensions = {".tif", ".tiff"};

/// How a log divides the images beside it, of which some projections may be missing.
struct LoggedOrder {
  int before = 0, behind = 0;  ///< images before and behind the projections
  int images = 0;              ///< that there are
  bool is_told = false;        ///< which of these are projections
};

/// Finds the order by the numbers of the images: all darks and flats must be there, and the last
/// projection, by which the steps of the angles are counted.
LoggedOrder order_of(const TomcatLog& log, const FrameFiles& files) {
  const auto is_there = [&](int position) {
    return files.positions.empty() || std::ranges::binary_search(files.positions, position);
  };
  LoggedOrder order{log.darks + log.flats, 0, static_cast<int>(files.projections.size())};
  const int counted = files.positions.empty() ? order.images : files.positions.back() + 1;
  order.behind = counted - order.before - log.projections;
  order.is_told = !log.has_flats_between && (order.behind == 0 || order.behind == log.flats);
  for (int position = 0; position < counted && order.is_told; ++position)
    if (position < order.before || position >= order.before + log.projections - 1)
      order.is_told = is_there(position);
  return order;
}

/// Marks the darks and flats among images as a log counts them, and gives the arc, where the
/// request leaves both open. Returns why it does not: the counts of the log.
std::string take_log(const TomcatLog& log, const FrameFiles& files, ImportRequest& request,
                     RawScan& said) {
  const LoggedOrder order = order_of(log, files);
  if (!order.is_told)
    return log.counts() +
           (log.has_flats_between ? ", and flats between these"
                                  : ", but there are " + std::to_string(order.images) + " images") +
           ": all were taken as projections";
  const auto range_of = [](int first, int count) { return CellRange{first, first + count - 1}; };
  const int behind = order.behind;
  if (log.darks > 0) request.dark_frames = {range_of(0, log.darks)};
  if (log.flats > 0) request.flat_frames = {range_of(log.darks, log.flats)};
  if (behind > 0) request.flat_frames.push_back(range_of(order.images - behind, behind));
  said.assumptions.push_back(
      {"order of the images",
       "darks, flats, projections" + std::string(behind > 0 ? ", flats" : ""), log.counts()});
  const bool is_open = request.angles.empty() && !request.arc_deg && request.geometry.empty();
  if (!is_open || !log.arc_deg) return {};
  request.arc_deg = log.arc_deg;
  // With as many steps as projections, the last one is a step before the end.
  const double steps = log.step_deg > 0 ? std::abs(*log.arc_deg) / log.step_deg : 0;
  request.arc_is_open = std::lround(steps) == static_cast<long>(log.projections);
  if (steps > 0 && !request.arc_is_open && std::lround(steps) != log.projections - 1L)
    said.notes.push_back(log.file + " contradicts itself: " + std::to_string(log.projections) +
                         " projections in steps of " + format_param(to_digits(log.step_deg, 6)) +
                         " degrees do not make the " + format_param(to_digits(*log.arc_deg, 6)) +
                         " degrees between its first and last position, which were taken: if they "
                         "are wrong, give --arc");
  said.assumptions.push_back({"angles",
                              "over " + format_param(to_digits(*log.arc_deg, 6)) + " degrees, " +
                                  (request.arc_is_open ? "without the end" : "both ends measured"),
                              log.file + " states it"});
  return {};
}

/// Reads a folder, in which a log may count what its images are.
RawScan read_with_log(ImportRequest request, const PageReader& reader) {
  RawScan said;
  std::string untaken;  // why the log was not taken
  const bool is_marked = !request.flat_frames.empty() || !request.dark_frames.empty() ||
                         !request.files_beside().empty();
  std::error_code error;
  std::optional<TomcatLog> log;
  if (std::filesystem::is_directory(request.path, error)) log = read_tomcat_log(request.path);
  if (log && !is_marked && request.images == ImageContent::as_found) {
    const FrameFiles files = list_frame_files(request.path, extensions);
    if (files.flats.empty() && files.darks.empty()) untaken = take_log(*log, files, request, said);
  }
  RawScan scan = read_frames(request, extensions, reader);
  if (!untaken.empty() && scan.angles_deg.empty())
    scan.unfit_angles = untaken;
  else if (!untaken.empty())
    said.notes.push_back(untaken + "; --flat-frames and --dark-frames name others");
  scan.notes.insert(scan.notes.begin(), said.notes.begin(), said.notes.end());
  std::ranges::copy(said.assumptions, std::back_inserter(scan.assumptions));
  const bool is_given = request.pixel_mm > 0 || !request.geometry.empty();
  if (!log || !(log->pixel_mm > 0) || is_given) return scan;
  scan.pixel_mm = log->pixel_mm;
  scan.assumptions.push_back({"size of a cell", format_param(to_digits(log->pixel_mm, 6)) + " mm",
                              log->file + " states it"});
  return scan;
}

PageReader tiff_reader(const std::shared_ptr<OpenFiles>& files) {
  return {[files](const std::string& path) { return files->look(path); },
          [files](const std::string& path, int page, const PageSize& size,
                  std::span<float> values) { files->read(path, page, size, values); },
          format_key, [files](const std::string& path) { return files->count(path); }};
}

}  // namespace

ImportFormat tiff_frames_format() {
  ImportFormat format = format_of_images(format_key, "TIFF projections", extensions);
  format.magic = tiff_certainty;
  format.frames = [](const FramesBeside& beside) {
    return tiff_frames_of({beside.path}, beside.notes, nullptr, false, beside.interrupt);
  };
  format.read = [](const ImportRequest& request) {
    const auto files = std::make_shared<OpenFiles>(request.interrupt);
    RawScan scan = read_with_log(request, tiff_reader(files));
    files->note_turned(scan.notes);
    files->take_pixel(scan, request.pixel_mm > 0 || !request.geometry.empty());
    return scan;
  };
  return format;
}

std::shared_ptr<const FrameSource> tiff_frames_of(const std::vector<std::string>& paths,
                                                  std::vector<std::string>& notes,
                                                  std::vector<std::size_t>* file_of_frame,
                                                  bool leaves_out_damaged,
                                                  const Interrupt* interrupt) {
  const auto files = std::make_shared<OpenFiles>(interrupt);
  auto frames =
      frames_in_files(paths, tiff_reader(files), notes, file_of_frame, leaves_out_damaged);
  files->note_turned(notes);
  return frames;
}

std::shared_ptr<const FrameSource> given_frames_of(const std::vector<std::string>& paths,
                                                   FrameRole role, const ImportRequest& request,
                                                   std::vector<std::string>& notes) {
  const auto files = std::make_shared<OpenFiles>(request.interrupt);
  auto frames =
      frames_in_files(paths, with_other_formats(tiff_reader(files), role, request.interrupt, notes),
                      notes, nullptr, request.leaves_out_damaged);
  files->note_turned(notes);
  return frames;
}

}  // namespace gantry
