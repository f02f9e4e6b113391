// Loads one series: reads the headers, sorts the images onto a grid, and reads the pixels slice by
// slice.
#include "core/io/dicom/series/dicom_series.hpp"

#include "core/base/error.hpp"
#include "core/io/dicom/series/dicom_copies.hpp"
#include "core/io/dicom/series/dicom_geometry.hpp"
#include "core/io/dicom/series/dicom_slices.hpp"
#include "core/io/dicom/series/dicom_strays.hpp"
#include "core/io/dicom/series/dicom_study.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/physics/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <new>
#include <set>
#include <utility>

namespace gantry {

namespace {

constexpr double far_below_air_hu = -1500;  // noise does not reach values this low

/// The headers of a series, and what was left out of it.
struct Headers {
  std::vector<DicomFrame> images;
  std::map<std::string, DicomStudy> studies;  // by the path of the file
  std::set<std::string> localizer_uids;
  int localizers = 0, copies = 0, rivals = 0;
  std::vector<std::string> different_copies;  // one line each
  std::vector<std::string> left_out;          // errors of the files that cannot be read
};

/// Text burned into the pixels of one image makes it a property of the series. That there is none
/// holds only where each image says so.
void take_burned_in(const DicomStudy& other, DicomStudy& study) {
  const auto said = [](const DicomStudy& of) {
    const auto found = of.attributes.find(dicom::burned_in_annotation.keyword);
    return found == of.attributes.end() ? std::string() : found->second;
  };
  std::string& own = study.attributes[dicom::burned_in_annotation.keyword];
  if (own != "YES" && own != said(other)) own = said(other) == "YES" ? "YES" : "";
  if (own.empty()) study.attributes.erase(dicom::burned_in_annotation.keyword);
}

/// Removes from `study` the attributes that differ in `other`: what differs from image to image is
/// not a property of the series.
void keep_common(const DicomStudy& other, DicomStudy& study) {
  for (const DicomTag tag : {dicom::convolution_kernel, dicom::kvp, dicom::tube_current}) {
    const auto found = study.attributes.find(tag.keyword);
    const auto theirs = other.attributes.find(tag.keyword);
    if (found != study.attributes.end() &&
        (theirs == other.attributes.end() || found->second != theirs->second))
      study.attributes.erase(found);
  }
}

/// Returns the study attributes of the first image, as far as the other images agree.
DicomStudy study_of(const Headers& headers) {
  DicomStudy study = headers.studies.at(headers.images.front().path);
  for (const DicomFrame& image : headers.images) {
    keep_common(headers.studies.at(image.path), study);
    take_burned_in(headers.studies.at(image.path), study);
  }
  return study;
}

void check_modality(const DicomHeader& header) {
  const std::string modality = header.data.text(dicom::modality);
  if (!modality.empty() && modality != "CT")
    throw InputError("its modality is " + modality + ", not CT", header.path, "choose a CT series");
}

void check_series(const DicomHeader& header, const DicomSeriesInfo& series) {
  const std::string uid = header.data.text(dicom::series_instance_uid);
  if (uid != series.series_uid)
    throw InputError("belongs to another series, " + uid + " instead of " + series.series_uid,
                     header.path, "load one series at a time");
}

/// Returns whether a file may be left out: not where it is the only file or was chosen by the user.
bool is_dispensable(const std::string& file, const DicomSeriesInfo& series) {
  return series.files.size() > 1 && !(series.file_chosen && file == series.files.front());
}

void add_file(const std::string& file, const DicomSeriesInfo& series, Headers& result) {
  const auto header = read_dicom_header(file);
  if (!header) throw InputError("is not a DICOM file", file, "choose a DICOM series");
  check_series(*header, series);
  std::vector<DicomFrame> images;
  try {
    check_modality(*header);
    images = read_frames(*header);
  } catch (const InputError& error) {
    if (!is_dispensable(file, series)) throw;
    result.left_out.emplace_back(error.what());
    return;
  }
  const std::string uid = images.front().sop_instance_uid;
  if (images.front().localizer && !uid.empty() && !result.localizer_uids.insert(uid).second) {
    ++result.copies;
    return;
  }
  result.studies.emplace(file, read_study(*header));
  for (DicomFrame& image : images) {
    if (image.localizer)
      ++result.localizers;
    else
      result.images.push_back(std::move(image));
  }
}

Headers read_headers(const DicomSeriesInfo& series, const std::string& where) {
  Headers result;
  for (const std::string& file : series.files) add_file(file, series, result);
  if (result.images.empty() && result.localizers > 0)
    throw InputError("holds localisers (scout views) only, no slices", where,
                     "choose the series with the axial slices");
  if (result.images.empty() && !result.left_out.empty()) throw InputError(result.left_out.front());
  return result;
}

/// Removes the other images at the position of a chosen file: a user who opens one of several
/// versions of a slice means that version.
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

/// Returns an error message without the folder of its file: "/home/doe_jane/a.dcm: is damaged"
/// becomes "a.dcm: is damaged". Notes are kept in files, and the folder may be named after a
/// patient.
std::string without_folder(const std::string& reason) {
  const std::size_t end = reason.find(": ");
  const std::size_t slash = reason.substr(0, end).rfind('/');
  return slash == std::string::npos ? reason : reason.substr(slash + 1);
}

/// Returns lines about the files that cannot be read, of which the first few are named.
std::vector<std::string> left_out_lines(const DicomSeriesInfo& series, const Headers& headers) {
  std::vector<std::string> reasons = series.unreadable;
  reasons.insert(reasons.end(), headers.left_out.begin(), headers.left_out.end());
  constexpr std::size_t most = 5;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i)
    lines.push_back("a file that cannot be read is left out: " + without_folder(reasons[i]));
  if (reasons.size() > most)
    lines.push_back(std::to_string(reasons.size() - most) +
                    " more files that cannot be read are left out");
  if (!series.strays.empty()) lines.push_back(describe_strays(series.strays));
  return lines;
}

/// Throws InputError when the resampled grid takes more memory than is allowed for these slices: a
/// single wrong position makes a wide gap, which resampling would fill with any number of slices.
void require_volume_memory(const DicomStack& stack, const std::string& where) {
  const UprightSlices& slices = *stack.resampling;
  const std::size_t pixels = stack.order.size() * static_cast<std::size_t>(slices.columns) *
                             static_cast<std::size_t>(slices.rows);
  require_allowed_memory("its slices become a grid of " + describe(stack.grid),
                         stack.grid.voxels() * sizeof(float), pixels * sizeof(std::int16_t), where);
}

InputError too_large(const DicomStack& stack, const std::string& where) {
  return InputError("the volume needs " + format_bytes(stack.grid.voxels() * sizeof(float)) +
                        ", more than there is",
                    where, "close other programs or choose a smaller series");
}

/// Removes the images of the files in `bad` (path and error message). Throws the message as
/// InputError where a file is not dispensable, and the first one where no image is left.
void leave_out(const std::map<std::string, std::string>& bad, const DicomSeriesInfo& series,
               Headers& headers) {
  for (const auto& [file, reason] : bad)
    if (!is_dispensable(file, series)) throw InputError(reason);
  std::erase_if(headers.images, [&](const DicomFrame& image) { return bad.contains(image.path); });
  for (const auto& [file, reason] : bad) headers.left_out.push_back(reason);
  if (headers.images.empty() && !bad.empty()) throw InputError(bad.begin()->second);
}

/// Leaves out second copies of images, and damaged files of images of which there are several, so
/// that a damaged file does not prevent the use of an undamaged one.
void leave_out_copies(const DicomSeriesInfo& series, Headers& headers) {
  DicomCopies copies = drop_copies(headers.images);
  headers.copies += copies.equal;
  headers.different_copies = std::move(copies.different);
  leave_out(copies.bad, series, headers);
}

/// Leaves out the files with an image without a usable position where these files hold fewer than
/// half of the images. Where they hold more, it cannot be told which files are the damaged ones.
void leave_out_without_position(const DicomSeriesInfo& series, Headers& headers) {
  std::map<std::string, std::string> bad;
  for (const DicomFrame& image : headers.images)
    if (const std::string flaw = flaw_of_position(image); !flaw.empty())
      bad.emplace(image.path, flaw);
  const auto lost = std::ranges::count_if(
      headers.images, [&](const DicomFrame& image) { return bad.contains(image.path); });
  if (2 * static_cast<std::size_t>(lost) < headers.images.size()) leave_out(bad, series, headers);
}

/// Leaves out images that differ in size from most others and whose pixels cannot be read: the size
/// in a damaged header may be wrong. Returns whether any image was left out.
bool leave_out_odd_sizes(const DicomSeriesInfo& series, Headers& headers) {
  using Size = std::array<int, 2>;
  const auto size_of = [](const DicomFrame& image) { return Size{image.columns, image.rows}; };
  std::map<Size, int> counts;
  for (const DicomFrame& image : headers.images) ++counts[size_of(image)];
  const Size usual =
      std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; })->first;
  std::map<std::string, std::string> bad;
  for (const DicomFrame& image : headers.images) {
    if (size_of(image) == usual) continue;
    try {
      require_usable_pixels(image);
    } catch (const InputError& error) {
      bad.emplace(image.path, error.what());
    }
  }
  leave_out(bad, series, headers);
  return !bad.empty();
}

/// Does what stack_images() does. Adds the names of files that cannot be read to an UnevenSeries,
/// because these files may have left the gap. Upon another InputError, leaves out images of odd
/// sizes and tries again.
DicomStack stack_readable(const DicomSeriesInfo& series, Headers& headers, const std::string& where,
                          UnevenSlices uneven) {
  // Otherwise they would count as images of another stack.
  if (uneven != UnevenSlices::refuse) leave_out_odd_sizes(series, headers);
  try {
    return stack_images(headers.images, where, uneven);
  } catch (const UnevenSeries& error) {
    if (leave_out_odd_sizes(series, headers)) return stack_readable(series, headers, where, uneven);
    const std::vector<std::string> lines = left_out_lines(series, headers);
    if (lines.empty()) throw;
    std::string left_out;
    for (const std::string& line : lines) left_out += (left_out.empty() ? "" : "; ") + line;
    throw error.with_more(left_out);
  } catch (const InputError&) {
    if (!leave_out_odd_sizes(series, headers)) throw;
  }
  return stack_readable(series, headers, where, uneven);
}

/// Reads the pixels of all slices into `mu`, 1/mm, [iz][row][column]. Returns path and error
/// message of the files that cannot be read; `mu` is complete only where there are none.
std::map<std::string, std::string> read_slices(const Headers& headers, const DicomStack& stack,
                                               const DicomLoadOptions& options,
                                               std::vector<float>& mu,
                                               ValueStatistics& statistics) {
  SliceSource source;
  std::map<std::string, std::string> bad;
  std::vector<std::int32_t> stored;
  for (std::size_t iz = 0; iz < stack.order.size(); ++iz) {
    const auto image_at = [&](std::size_t i) { return &headers.images[stack.order[i]]; };
    const DicomFrame& image = *image_at(iz);
    try {
      source.read(image, stored, iz + 1 < stack.order.size() ? image_at(iz + 1) : nullptr);
      mu.resize(stack.order.size() * stored.size());
      convert_to_mu(stored, image, options.mu_water,
                    std::span(mu).subspan(iz * stored.size(), stored.size()), statistics);
    } catch (const InputError& error) {
      bad.emplace(image.path, error.what());
    }
    if (options.progress)
      options.progress(static_cast<int>(iz) + 1, static_cast<int>(stack.order.size()));
  }
  statistics.decoder_notes = source.notes();
  return bad;
}

/// Returns the stack of all slices whose pixels can be read, and reads the pixels into `mu`.
DicomStack read_stack(const DicomSeriesInfo& series, Headers& headers, const std::string& where,
                      const DicomLoadOptions& options, std::vector<float>& mu,
                      ValueStatistics& statistics) {
  for (;;) {
    DicomStack stack = stack_readable(series, headers, where, options.uneven);
    if (stack.resampling) require_volume_memory(stack, where);
    try {
      const auto bad = read_slices(headers, stack, options, mu, statistics);
      if (bad.empty()) return stack;
      leave_out(bad, series, headers);
    } catch (const std::bad_alloc&) {
      throw too_large(stack, where);
    }
    mu.clear();
    statistics = {};
  }
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
                    " HU, less than air: probably padding without PixelPaddingValue");
}

void add_left_out_notes(const DicomSeriesInfo& series, const Headers& headers,
                        std::vector<std::string>& notes) {
  const std::vector<std::string> lines = left_out_lines(series, headers);
  notes.insert(notes.end(), lines.begin(), lines.end());
  if (headers.localizers > 0)
    notes.push_back(std::to_string(headers.localizers) + " localisers are left out");
  if (headers.copies > 0)
    notes.push_back(std::to_string(headers.copies) + " second copies of images are left out");
  constexpr std::size_t most = 5;
  const std::vector<std::string>& different = headers.different_copies;
  for (std::size_t i = 0; i < std::min(most, different.size()); ++i) notes.push_back(different[i]);
  if (different.size() > most)
    notes.push_back(std::to_string(different.size() - most) +
                    " more second copies differ from the images that are used");
  if (headers.rivals > 0)
    notes.push_back(std::to_string(headers.rivals) +
                    " other images at the position of the chosen one are left out");
}

void add_instances(const Headers& headers, const DicomStack& stack, DicomStudy& study) {
  study.slice_thickness_mm = headers.images[stack.order.front()].thickness_mm;
  if (stack.resampling)
    study.attributes.erase(dicom::gantry_tilt.keyword);  // the new slices are upright
  for (const std::size_t i : stack.order) {
    const std::string& uid = headers.images[i].sop_instance_uid;
    if (uid.empty() || (!study.instance_uids.empty() && study.instance_uids.back() == uid))
      continue;
    study.instance_uids.push_back(uid);
  }
  const auto is_single = [&](std::size_t i) { return headers.images[i].count == 1; };
  if (stack.resampling || !std::ranges::all_of(stack.order, is_single)) return;
  for (const std::size_t i : stack.order) study.slices.push_back(headers.images[i].taken);
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
  const std::vector<std::string>& bad = list.front().unreadable;
  const std::string lacking = bad.empty() ? "" : "; cannot be read: " + without_folder(bad.front());
  throw InputError(what + " (" + known + lacking + ")", path,
                   "choose one by its number or series UID");
}

}  // namespace

bool has_dicom() { return true; }

LoadedVolume load_dicom_series(const DicomSeriesInfo& series, const DicomLoadOptions& options) {
  if (!(options.mu_water > 0) || !std::isfinite(options.mu_water))
    throw UsageError("the attenuation of water must be positive", "mu_water", "give it in 1/mm");
  if (series.files.empty())
    throw InputError("the series holds no files", series.series_uid, "choose another series");
  const std::string where = place_of(series);
  Headers headers = read_headers(series, where);
  leave_out_copies(series, headers);
  if (series.files.size() > 1) leave_out_without_position(series, headers);
  keep_chosen(headers, series);
  LoadedVolume volume;
  ValueStatistics statistics;
  const DicomStack stack = read_stack(series, headers, where, options, volume.mu, statistics);
  volume.grid = stack.grid;
  volume.mu_water = options.mu_water;
  volume.from_hu = true;
  volume.frame = stack.frame;
  volume.source = where;
  volume.notes = stack.notes;
  volume.resampled = stack.resampling.has_value();
  try {
    if (stack.resampling)
      volume.mu = resample_upright(*stack.resampling, volume.mu,
                                   static_cast<float>(mu_from_hu(air_hu, options.mu_water)));
  } catch (const std::bad_alloc&) {
    throw too_large(stack, where);
  }
  add_value_notes(headers.images, statistics, volume.notes);
  add_left_out_notes(series, headers, volume.notes);
  DicomStudy study = study_of(headers);
  study.series_numbers = series.study_series_numbers;
  add_instances(headers, stack, study);
  volume.study = std::make_shared<const DicomStudy>(std::move(study));
  return volume;
}

LoadedVolume load_dicom(const std::string& path, const DicomLoadOptions& options) {
  return load_dicom_series(choose(list_dicom_series(path), options.series, path), options);
}

}  // namespace gantry
