// Loads one series: headers, order and grid, then the pixels slice by slice.
#include "core/io/dicom_series.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/dicom_geometry.hpp"
#include "core/io/dicom_images.hpp"
#include "core/io/dicom_study.hpp"
#include "core/io/memory_allowance.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <new>
#include <set>

namespace gantry {

namespace {

constexpr double air_hu = -1000;
constexpr double far_below_air_hu = -1500;  // noise does not reach it

struct Headers {
  std::vector<DicomFrame> images;
  DicomStudy study;  // of the first image
  int localizers = 0, copies = 0, rivals = 0;
};

/// What differs from image to image is not a property of the series.
void keep_common(const DicomHeader& header, DicomStudy& study) {
  for (const DicomTag tag : {dicom::convolution_kernel, dicom::tube_current}) {
    const auto found = study.attributes.find(tag.keyword);
    if (found != study.attributes.end() && found->second != header.data.text(tag))
      study.attributes.erase(found);
  }
}

void check_file(const DicomHeader& header, const DicomSeriesInfo& series) {
  const std::string modality = header.data.text(dicom::modality);
  if (!modality.empty() && modality != "CT")
    throw InputError("its modality is " + modality + ", not CT", header.path, "choose a CT series");
  const std::string uid = header.data.text(dicom::series_instance_uid);
  if (uid != series.series_uid)
    throw InputError("belongs to another series, " + uid + " instead of " + series.series_uid,
                     header.path, "load one series at a time");
}

Headers read_headers(const DicomSeriesInfo& series, const std::string& where) {
  Headers result;
  std::set<std::string> seen;
  for (const std::string& file : series.files) {
    const auto header = read_dicom_header(file);
    if (!header) throw InputError("is not a DICOM file", file, "choose a DICOM series");
    check_file(*header, series);
    std::vector<DicomFrame> images = read_frames(*header);
    const std::string uid = images.front().sop_instance_uid;
    if (!uid.empty() && !seen.insert(uid).second) {
      ++result.copies;
      continue;
    }
    if (result.images.empty()) result.study = read_study(*header);
    keep_common(*header, result.study);
    for (DicomFrame& image : images) {
      if (image.localizer)
        ++result.localizers;
      else
        result.images.push_back(std::move(image));
    }
  }
  if (result.images.empty() && result.localizers > 0)
    throw InputError("holds localisers (scout views) only, no slices", where,
                     "choose the series with the axial slices");
  return result;
}

/// Whoever opens one of several versions of a slice means that one.
void keep_chosen(Headers& headers, const DicomSeriesInfo& series) {
  if (!series.file_chosen || headers.images.empty()) return;
  const DicomFrame chosen = headers.images.front();
  if (chosen.path != series.files.front() || !chosen.position_mm) return;
  const auto is_rival = [&](const DicomFrame& image) {
    return image.path != chosen.path && image.position_mm &&
           norm(*image.position_mm - *chosen.position_mm) < 1e-6;
  };
  headers.rivals = static_cast<int>(std::erase_if(headers.images, is_rival));
}

/// What the values turned out to be, over all slices.
struct ValueStatistics {
  std::size_t padded = 0;
  double lowest_hu = 0;
  std::vector<std::string> decoder_notes;
};

/// Stored values to attenuation.
void convert(std::span<const std::int32_t> stored, const DicomFrame& image, double mu_water,
             std::span<float> mu, ValueStatistics& statistics) {
  const double slope = image.slope.value_or(1), intercept = image.intercept.value_or(0);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    double hu = slope * stored[i] + intercept;
    if (image.padding && stored[i] >= (*image.padding)[0] && stored[i] <= (*image.padding)[1]) {
      hu = air_hu;
      ++statistics.padded;
    }
    statistics.lowest_hu = std::min(statistics.lowest_hu, hu);
    mu[i] = static_cast<float>(mu_from_hu(hu, mu_water));
    if (!std::isfinite(mu[i]))
      throw InputError("its values are not finite after rescaling, slope " + format_param(slope) +
                           " and intercept " + format_param(intercept),
                       image.path,
                       "RescaleSlope or RescaleIntercept is wrong: export the image again");
  }
}

/// The pixels of one image after the other; a multi-frame file is opened once.
class SliceSource {
 public:
  void read(const DicomFrame& image, std::vector<std::int32_t>& stored) {
    if (!pixels_ || path_ != image.path) {
      keep_notes();
      pixels_.reset();
      pixels_.emplace(image.path);
      path_ = image.path;
    }
    const DicomPixelFormat& format = pixels_->format();
    if (format.rows != image.rows || format.columns != image.columns ||
        format.frames != image.count)
      throw InputError("its pixel data do not have the size that its header says", image.path,
                       "copy it again from where it came");
    stored.resize(format.frame_size());  // not before the file has proved to hold that much
    pixels_->read(image.index, stored);
  }

  /// What the decoders warned of, with the file's name; the first few files stand for all.
  const std::vector<std::string>& notes() {
    keep_notes();
    return notes_;
  }

 private:
  void keep_notes() {
    constexpr std::size_t most = 5;
    if (!pixels_) return;
    for (const std::string& note : pixels_->notes())
      if (notes_.size() < most)
        notes_.push_back(std::filesystem::path(path_).filename().string() + ": " + note);
    pixels_.reset();
  }

  std::vector<std::string> notes_;
  std::string path_;
  std::optional<DicomImages> pixels_;
};

void read_slices(const Headers& headers, const DicomStack& stack, const DicomLoadOptions& options,
                 std::vector<float>& mu, ValueStatistics& statistics) {
  SliceSource source;
  std::vector<std::int32_t> stored;
  for (std::size_t iz = 0; iz < stack.order.size(); ++iz) {
    const DicomFrame& image = headers.images[stack.order[iz]];
    source.read(image, stored);
    if (mu.empty()) mu.resize(stack.order.size() * stored.size());
    convert(stored, image, options.mu_water,
            std::span(mu).subspan(iz * stored.size(), stored.size()), statistics);
    if (options.progress)
      options.progress(static_cast<int>(iz) + 1, static_cast<int>(stack.order.size()));
  }
  statistics.decoder_notes = source.notes();
}

void add_value_notes(const std::vector<DicomFrame>& images, const ValueStatistics& statistics,
                     std::vector<std::string>& notes) {
  notes.insert(notes.end(), statistics.decoder_notes.begin(), statistics.decoder_notes.end());
  const auto any = [&](auto test) { return std::any_of(images.begin(), images.end(), test); };
  if (statistics.padded > 0)
    notes.push_back(std::to_string(statistics.padded) +
                    " voxels outside the scan field (PixelPaddingValue) are set to air, -1000 HU");
  if (any([](const DicomFrame& f) { return !f.slope || !f.intercept; }))
    notes.push_back("RescaleSlope or RescaleIntercept is missing: 1 and 0 are used");
  if (any([](const DicomFrame& f) { return f.inverted; }))
    notes.push_back("MONOCHROME1 only asks for a picture in negative; the values are taken as HU");
  for (const DicomFrame& image : images)
    if (!image.value_unit.empty()) {
      notes.push_back("the values are given in " + image.value_unit +
                      "; they are taken as if they were HU");
      break;
    }
  if (any([](const DicomFrame& f) { return f.lossy; }))
    notes.push_back("the images were compressed with loss before");
  if (statistics.lowest_hu < far_below_air_hu)
    notes.push_back("values reach down to " + std::to_string(std::lround(statistics.lowest_hu)) +
                    " HU, below a vacuum: perhaps padding that is not marked as such");
}

/// "/home/doe_jane/a.dcm: is damaged" as "a.dcm: is damaged": notes are kept in files, and the
/// folder may be named after a patient.
std::string without_folder(const std::string& reason) {
  const std::size_t end = reason.find(": ");
  const std::size_t slash = reason.substr(0, end).rfind('/');
  return slash == std::string::npos ? reason : reason.substr(slash + 1);
}

void add_left_out_notes(const DicomSeriesInfo& series, const Headers& headers,
                        std::vector<std::string>& notes) {
  constexpr std::size_t most = 5;
  for (std::size_t i = 0; i < std::min(most, series.unreadable.size()); ++i)
    notes.push_back("a file that cannot be read is left out: " +
                    without_folder(series.unreadable[i]));
  if (series.unreadable.size() > most)
    notes.push_back(std::to_string(series.unreadable.size() - most) +
                    " more files that cannot be read are left out");
  if (headers.localizers > 0)
    notes.push_back(std::to_string(headers.localizers) + " localisers are left out");
  if (headers.copies > 0)
    notes.push_back(std::to_string(headers.copies) + " second copies of images are left out");
  if (headers.rivals > 0)
    notes.push_back(std::to_string(headers.rivals) +
                    " other images at the place of the chosen one are left out");
}

void add_instances(const Headers& headers, const DicomStack& stack, DicomStudy& study) {
  study.slice_thickness_mm = headers.images[stack.order.front()].thickness_mm;
  if (stack.resampling) study.attributes.erase(dicom::gantry_tilt.keyword);  // it is upright now
  for (const std::size_t i : stack.order) {
    const std::string& uid = headers.images[i].sop_instance_uid;
    if (uid.empty() || (!study.instance_uids.empty() && study.instance_uids.back() == uid))
      continue;
    study.instance_uids.push_back(uid);
  }
}

/// Two slices far apart claim as many between them as they like.
void require_room(const DicomStack& stack, const std::string& where) {
  const UprightSlices& slices = *stack.resampling;
  const std::size_t pixels = stack.order.size() * static_cast<std::size_t>(slices.columns) *
                             static_cast<std::size_t>(slices.rows);
  require_allowed_memory("its slices become a grid of " + describe(stack.grid),
                         stack.grid.voxels() * sizeof(float), pixels * sizeof(std::int16_t), where);
}

std::string place_of(const DicomSeriesInfo& series) {
  if (series.files.size() == 1) return series.files.front();
  return std::filesystem::path(series.files.front()).parent_path().string();
}

const DicomSeriesInfo& choose(const std::vector<DicomSeriesInfo>& list, const std::string& wanted,
                              const std::string& path) {
  if (wanted.empty() && list.size() == 1) return list.front();
  std::vector<const DicomSeriesInfo*> matches;
  std::string known;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    if (!wanted.empty() && (wanted == number || wanted == list[i].series_uid))
      matches.push_back(&list[i]);
    if (i < 20) known += (i == 0 ? "" : "; ") + number + ": " + list[i].label();
  }
  if (matches.size() == 1) return *matches.front();
  if (list.size() > 20) known += "; and " + std::to_string(list.size() - 20) + " more";
  const std::string what = wanted.empty()    ? "holds " + std::to_string(list.size()) + " series"
                           : matches.empty() ? "holds no series \"" + wanted + "\""
                                             : "holds series \"" + wanted + "\" several times";
  throw InputError(what + " (" + known + ")", path, "choose one by its number or series UID");
}

}  // namespace

LoadedVolume load_dicom_series(const DicomSeriesInfo& series, const DicomLoadOptions& options) {
  if (!(options.mu_water > 0) || !std::isfinite(options.mu_water))
    throw UsageError("the attenuation of water must be positive", "mu_water", "give it in 1/mm");
  if (series.files.empty())
    throw InputError("the series holds no files", series.series_uid, "choose another series");
  const std::string where = place_of(series);
  Headers headers = read_headers(series, where);
  keep_chosen(headers, series);
  const DicomStack stack = stack_images(headers.images, where, options.uneven);
  if (stack.resampling) require_room(stack, where);
  LoadedVolume volume;
  volume.grid = stack.grid;
  volume.mu_water = options.mu_water;
  volume.from_hu = true;
  volume.frame = stack.frame;
  volume.source = where;
  volume.notes = stack.notes;
  ValueStatistics statistics;
  try {
    read_slices(headers, stack, options, volume.mu, statistics);
    volume.resampled = stack.resampling.has_value();
    if (stack.resampling)
      volume.mu = resample_upright(*stack.resampling, volume.mu,
                                   static_cast<float>(mu_from_hu(air_hu, options.mu_water)));
  } catch (const std::bad_alloc&) {
    throw InputError("the volume needs " + format_bytes(stack.grid.voxels() * sizeof(float)) +
                         ", more than there is",
                     where, "close other programs or choose a smaller series");
  }
  add_value_notes(headers.images, statistics, volume.notes);
  add_left_out_notes(series, headers, volume.notes);
  DicomStudy study = headers.study;
  study.series_numbers = series.study_series_numbers;
  add_instances(headers, stack, study);
  volume.study = std::make_shared<const DicomStudy>(std::move(study));
  return volume;
}

LoadedVolume load_dicom(const std::string& path, const DicomLoadOptions& options) {
  return load_dicom_series(choose(list_dicom_series(path), options.series, path), options);
}

}  // namespace gantry
