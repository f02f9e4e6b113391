// Reading of volumes from TIFF.
#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/files/tiff/tiff_calibration.hpp"
#include "core/io/files/tiff/tiff_pages.hpp"
#include "core/io/imports/file_series.hpp"
#include "core/io/imports/folders/frame_files.hpp"
#include "core/io/volumes/tiff_format.hpp"
#include "core/io/volumes/value_unit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace gantry {

namespace {

/// Returns the distance of slices that ImageJ's description states, mm; 0: none.
double described_distance_mm(const Description& description, double unit_of_pixels) {
  const double own = described_unit_mm(description);
  return (own > 0 ? own : unit_of_pixels) * std::abs(number_in(description, "spacing").value_or(0));
}

std::optional<Vec3> three_numbers(const Description& description, const std::string& key) {
  const auto found = description.find(key);
  if (found == description.end()) return std::nullopt;
  std::string_view text = found->second;
  const auto x = take_number(text), y = take_number(text), z = take_number(text);
  return x && y && z ? std::optional(Vec3{*x, *y, *z}) : std::nullopt;
}

VolumeGrid grid_of(const TiffResolution& resolution, const Description& description,
                   const TiffPage& page, int pages, LoadedVolume& volume) {
  Vec3 spacing{1, 1, 1};
  if (const auto exact = three_numbers(description, "gantry_spacing_mm")) {
    spacing = *exact;
  } else {
    const double unit = resolution_unit_mm(resolution.unit, description), x = resolution.x,
                 y = resolution.y, of_ome = physical_size_mm(description, "X"),
                 along_ome = physical_size_mm(description, "Y"),
                 apart_ome = physical_size_mm(description, "Z");
    const bool has_pixels = of_ome > 0 || (unit > 0 && x > 0 && y > 0);
    const double distance =
        apart_ome > 0 ? apart_ome : described_distance_mm(description, has_pixels ? unit : 0);
    if (of_ome > 0)
      spacing = {of_ome, along_ome > 0 ? along_ome : of_ome, of_ome};
    else if (has_pixels)
      spacing = {unit / x, unit / y, unit / x};
    else if (distance > 0)
      spacing = {distance, distance, distance};
    volume.is_size_assumed = {!has_pixels, !has_pixels, !(distance > 0)};
    if (!has_pixels)
      volume.notes_of_size.push_back("the file states no size of pixels: they were taken as " +
                                     (distance > 0 ? "the distance of slices, " : std::string()) +
                                     format_param(to_digits(spacing.x, 6)) + " mm");
    if (distance > 0)
      spacing.z = distance;
    else if (pages > 1)
      volume.notes_of_size.push_back("the file states no distance of slices: it was taken as " +
                                     format_param(to_digits(spacing.z, 6)) + " mm");
    std::ranges::copy(volume.notes_of_size, std::back_inserter(volume.notes));
  }
  VolumeGrid grid = VolumeGrid::centered(page.columns, page.rows, pages, spacing);
  if (const auto origin = three_numbers(description, "gantry_origin_mm")) grid.origin_mm = *origin;
  return grid;
}

/// The pages of a stack as its description counts them.
struct StackSizes {
  int channels = 1, slices = 1, frames = 1;
  int step = 1;  ///< pages from a slice to the next of the same channel and frame
  bool are_stated = false;

  std::int64_t pages() const { return std::int64_t{channels} * slices * frames; }
  /// Whether channels or frames lie between slices.
  bool are_several() const { return (channels > 1) + (slices > 1) + (frames > 1) > 1; }
  std::string text() const {
    const auto counted = [](int count, const char* thing) {
      return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
    };
    return counted(channels, "channel") + ", " + counted(slices, "slice") + " and " +
           counted(frames, "frame");
  }
};

/// Returns the sizes that ImageJ's description states, whose channels follow each other first, then
/// slices, then frames; or those of OME, which states the order.
StackSizes stack_sizes(const Description& description) {
  const bool is_ome = description.contains("SizeZ");
  StackSizes sizes;
  const auto size = [&](const char* of_ome, const char* of_imagej) {
    const auto value = number_in(description, is_ome ? of_ome : of_imagej);
    if (!value || !(*value >= 1 && *value <= 65536)) return 1;
    sizes.are_stated = true;
    return static_cast<int>(*value);
  };
  sizes.channels = size("SizeC", "channels");
  sizes.slices = size("SizeZ", "slices");
  sizes.frames = size("SizeT", "frames");
  const auto order = description.find("DimensionOrder");
  for (const char axis : is_ome&& order != description.end() ? order->second : "XYCZT") {
    if (axis == 'Z') break;
    if (axis == 'C') sizes.step *= sizes.channels;
    if (axis == 'T') sizes.step *= sizes.frames;
  }
  return sizes;
}

/// The pages of one or more files, which are the slices of a volume; of a file with several
/// channels or frames of time, those of the first one. Files of a single page are opened once.
class Slices {
 public:
  Slices(std::vector<std::string> paths, std::string where, const Interrupt* interrupt)
      : paths_(std::move(paths)), where_(std::move(where)), tiff_(paths_.front(), interrupt) {
    for (const std::string& path : paths_) bytes_ += size_of_file(path);
  }

  LoadedVolume read(const VolumeReadOptions& options) {
    const Description description = tiff_.description();
    const TiffResolution resolution = tiff_.resolution();
    const TiffPage first = tiff_.page(0);
    LoadedVolume volume;
    volume.source = where_;
    if (paths_.size() == 1) require_all(description, static_cast<std::size_t>(tiff_.count()));
    choose(stack_sizes(description), volume.notes);
    std::size_t pages = 0;
    volume.mu.resize(allowed(expected_pages() * first.values()));
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      int of_file = 1;  // until the file is open
      for (int page = 0; page < of_file; page += step_, ++pages) {
        if (options.interrupt != nullptr) options.interrupt->check();
        const TiffPage loaded = tiff_.open_and_load(paths_[i], page);
        if (loaded != first)
          throw InputError(
              "has pages of different sizes or types: page " + std::to_string(page + 1), paths_[i],
              "save it as a stack of grey values");
        note_turned(loaded, volume.notes);
        if (page == 0) compare_resolution(resolution, volume.notes);
        of_file = chosen_of(tiff_.count());
        const std::size_t later_files = paths_.size() - 1 - i,
                          known = pages + slices_in(of_file - page) + later_files;
        volume.mu.resize(std::max(volume.mu.size(), allowed(known * first.values())));
        tiff_.values(std::span(volume.mu).subspan(pages * first.values(), first.values()),
                     next_of(i, page, of_file));
      }
    }
    if (paths_.size() > 1) require_all(description, pages);
    volume.grid = grid_of(resolution, description, first, static_cast<int>(pages), volume);
    scale(volume.mu, description);
    to_attenuation(volume, description, options);
    return volume;
  }

 private:
  /// Chooses the pages of the first channel and frame. Notes say what is left out, and what pages
  /// that follow each other are called if not slices. Throws InputError where it is not known which
  /// pages these are.
  void choose(const StackSizes& sizes, std::vector<std::string>& notes) {
    const std::int64_t count = tiff_.count();
    const bool is_whole = paths_.size() == 1 && sizes.pages() == count;
    if (sizes.are_several() && !is_whole)
      throw InputError("describes " + sizes.text() +
                           (paths_.size() == 1 ? ", but has " + std::to_string(count) + " pages"
                                               : ", which were spread over several files"),
                       paths_.front(), "save a single channel of a single frame, as a stack");
    if (sizes.are_several()) {
      step_ = sizes.step;
      end_ = sizes.step * sizes.slices;
      notes.push_back("the file has " + sizes.text() +
                      ": the first channel of the first frame was taken, the others were left out");
    } else if (paths_.size() == 1 && sizes.are_stated && count > 1) {
      if (!is_whole)
        notes.push_back("the file describes " + sizes.text() + ", but has " +
                        std::to_string(count) + " pages: all were taken as slices");
      else if (sizes.slices == 1)
        notes.push_back("the file calls its " + std::to_string(count) + " pages " +
                        (sizes.channels > 1 ? "channels" : "frames") +
                        ": they were taken as slices");
    }
  }
  /// Returns the position behind the last chosen page of a file.
  int chosen_of(int pages) const { return end_ > 0 ? std::min(end_, pages) : pages; }
  std::size_t slices_in(int pages) const {
    return static_cast<std::size_t>((pages + step_ - 1) / step_);
  }
  /// Returns the number of chosen pages of all files. Where the first has a single page the others
  /// are not looked at, but taken to have one, too.
  std::size_t expected_pages() {
    if (paths_.size() == 1) return slices_in(chosen_of(tiff_.count()));
    if (tiff_.count() == 1) return paths_.size();
    std::size_t pages = 0;
    for (const std::string& path : paths_) {
      tiff_.open(path);
      pages += static_cast<std::size_t>(tiff_.count());
    }
    return pages;
  }
  std::optional<PageOfFile> next_of(std::size_t file, int page, int of_file) const {
    if (page + step_ < of_file) return PageOfFile{paths_[file], page + step_};
    if (file + 1 < paths_.size()) return PageOfFile{paths_[file + 1], 0};
    return {};
  }
  void require_all(const Description& description, std::size_t pages) const {
    const auto images = number_in(description, "images");
    if (images && *images > static_cast<double>(pages))
      throw InputError(
          "ends after " + std::to_string(pages) + " of " + format_param(*images) + " pages",
          paths_.front(), "copy it again from where it came");
  }
  /// Notes once that a file states another size of pixels than the first one.
  void compare_resolution(const TiffResolution& first, std::vector<std::string>& notes) {
    if (has_other_resolution_ || tiff_.resolution() == first) return;
    has_other_resolution_ = true;
    const auto name = [](const std::string& path) {
      return std::filesystem::path(path).filename().string();
    };
    notes.push_back(name(tiff_.path()) + " states another size of pixels than " +
                    name(paths_.front()) + ", which was taken for all slices");
  }
  /// Notes once how pages of an orientation are turned.
  static void note_turned(const TiffPage& page, std::vector<std::string>& notes) {
    if (page.turned_text().empty()) return;
    std::string note = "slices were " + page.turned_text() + ", since their tag Orientation is " +
                       std::to_string(page.orientation);
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
  }
  /// Returns the number of voxels, unless it takes more memory than files of these sizes may.
  std::size_t allowed(std::size_t voxels) const {
    require_allowed_memory("claims " + std::to_string(voxels) + " voxels", voxels * sizeof(float),
                           bytes_, where_);
    return voxels;
  }
  /// Applies ImageJ's straight line (cf=0) from the numbers of the file to values.
  static void scale(std::span<float> values, const Description& description) {
    const auto low = number_in(description, "c0"), step = number_in(description, "c1");
    if (number_in(description, "cf") != 0.0 || !low || !step || *step == 0) return;
    for (float& value : values) value = static_cast<float>(*low + *step * value);
  }

  std::vector<std::string> paths_;
  std::string where_;
  TiffPages tiff_;         // the file that is read
  std::size_t bytes_ = 0;  // of all files
  bool has_other_resolution_ = false;
  int step_ = 1;  // from a chosen page to the next
  int end_ = 0;   // behind the last chosen page; 0: behind the last page
};

const std::vector<std::string> extensions = {".tif", ".tiff"};

/// Whether more than half of the files of a folder are TIFF by their names.
bool is_mostly_tiff(const std::string& folder) {
  int all = 0, tiff = 0;
  std::error_code error;
  for (auto at = std::filesystem::directory_iterator(folder, error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
    std::error_code of_file;
    if (!at->is_regular_file(of_file)) continue;
    ++all;
    tiff += std::ranges::count(extensions, lower_case(at->path().extension().string())) > 0 ? 1 : 0;
  }
  return 2 * tiff > all;
}

}  // namespace

LoadedVolume read_tiff(const std::string& path, const VolumeReadOptions& options) {
  return Slices({path}, path, options.interrupt).read(options);
}

LoadedVolume read_tiff_slices(const std::string& folder, const VolumeReadOptions& options) {
  const FrameFiles files = list_frame_files(folder, extensions, {}, ImageSeries::slices);
  LoadedVolume volume = Slices(files.projections, folder, options.interrupt).read(options);
  std::vector<std::string> notes = files.notes;
  std::ranges::copy(missing_frames(files), std::back_inserter(notes));
  volume.notes.insert(volume.notes.begin(), notes.begin(), notes.end());
  return volume;
}

VolumeFormat tiff_slices_format() {
  VolumeFormat format;
  format.key = "tiff_slices";
  format.label = "TIFF slices";
  format.is_folder = true;
  format.judge_folder = [](const std::string& folder) {
    return is_mostly_tiff(folder) ? Certainty::named : Certainty::none;
  };
  format.read = read_tiff_slices;
  format.data_paths = [](const std::string& folder) {
    return list_frame_files(folder, extensions, {}, ImageSeries::slices).projections;
  };
  return format;
}

}  // namespace gantry
