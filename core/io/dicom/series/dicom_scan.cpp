// Finds the image series in a folder tree by the headers of the files.
#include "core/base/error.hpp"
#include "core/io/dicom/series/dicom_frame.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/dicom/series/dicom_slices.hpp"
#include "core/io/dicom/series/dicom_strays.hpp"
#include "core/io/files/disk.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/foreign_file.hpp"
#include "core/io/files/leftovers.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>

namespace gantry {

namespace fs = std::filesystem;

namespace {

constexpr const char* directory_class = "1.2.840.10008.1.3.10";  // Media Storage Directory

bool is_directory_file(const DicomHeader& header) {
  return header.meta.text(dicom::media_storage_sop_class_uid) == directory_class ||
         header.data.text(dicom::sop_class_uid) == directory_class;
}

bool holds_image(const DicomHeader& header) {
  return !is_directory_file(header) &&
         (header.data.has(dicom::rows) || header.data.has(dicom::columns));
}

/// Throws InputError when a CT file, or a file without SOP class, has neither Rows nor Columns: the
/// file was cut short before the attributes of its image. Documents of other classes, such as
/// reports, have no image.
void require_image(const DicomHeader& header) {
  if (holds_image(header) || is_directory_file(header)) return;
  constexpr std::string_view ct_image = "1.2.840.10008.5.1.4.1.1.2";  // Enhanced CT adds .1 or .2
  std::string sop_class = header.data.text(dicom::sop_class_uid);
  if (sop_class.empty()) sop_class = header.meta.text(dicom::media_storage_sop_class_uid);
  const bool is_ct = sop_class == ct_image || sop_class.starts_with(std::string(ct_image) + ".");
  if (is_ct || sop_class.empty())
    throw InputError(std::string(is_ct ? "says that it is a CT image, but holds none"
                                       : "does not say what it is") +
                         ": it is damaged or cut short",
                     header.path, "copy it again from where it came");
}

std::vector<std::string> entries_of(const fs::path& folder) {
  try {
    return names_in(folder);
  } catch (const fs::filesystem_error& error) {
    throw InputError("the folder cannot be read (" + error.code().message() + ")", folder.string(),
                     "make it readable or choose another folder");
  }
}

/// Adds the regular files of a folder to `files`; opening a pipe would wait for ever. The hidden,
/// unfinished files that an interrupted save left behind are skipped.
void add_files(const fs::path& folder, bool recursive, std::vector<std::string>& files) {
  for (const std::string& name : entries_of(folder)) {
    if (is_unfinished_name(name)) continue;
    const fs::path path = folder / name;
    std::error_code ignored;  // a dangling link is neither file nor folder
    if (fs::is_regular_file(path, ignored))
      files.push_back(path.string());
    else if (recursive && fs::is_directory(fs::symlink_status(path, ignored)))
      add_files(path, true, files);
  }
}

std::vector<std::string> files_below(const fs::path& folder, bool recursive) {
  std::vector<std::string> files;
  add_files(folder, recursive, files);
  std::sort(files.begin(), files.end());
  return files;
}

DicomSeriesInfo describe_series(const DicomHeader& header) {
  const DicomAttributes& data = header.data;
  DicomSeriesInfo info;
  info.series_uid = data.text(dicom::series_instance_uid);
  info.study_uid = data.text(dicom::study_instance_uid);
  info.description = data.text(dicom::series_description);
  info.modality = data.text(dicom::modality);
  info.patient_name = data.text(dicom::patient_name);
  info.study_date = data.text(dicom::study_date);
  try {
    info.series_number = data.integer(dicom::series_number, {}, -(1 << 30), 1 << 30).value_or(0);
  } catch (const InputError&) {
    info.series_number = 0;  // only determines the order of the list
  }
  info.rows = data.integer(dicom::rows, header.path, 0, 65535).value_or(0);
  info.columns = data.integer(dicom::columns, header.path, 0, 65535).value_or(0);
  info.localizer = true;
  return info;
}

/// Groups images into series.
class SeriesList {
 public:
  void add(const DicomHeader& header) {
    if (!holds_image(header)) return;
    const int images = frame_count(header);
    const std::string uid = header.data.text(dicom::series_instance_uid);
    // A multi-frame file is an entry of its own, even if other files belong to the same series.
    const std::string key = images > 1 ? uid + "\n" + header.path : uid;
    const auto [entry, is_new] = series_.try_emplace(key);
    if (is_new) entry->second = describe_series(header);
    const bool is_scout = is_localizer(header.data.text(dicom::image_type));
    if (images > 1 || is_another(key, header))
      (is_scout ? scouts_[key] : entry->second.images) += images;
    entry->second.files.push_back(header.path);
    entry->second.localizer &= is_scout;
  }

  std::vector<DicomSeriesInfo> sorted() const {
    std::vector<DicomSeriesInfo> list;
    for (const auto& [key, info] : series_) {
      list.push_back(info);
      if (const auto scouts = scouts_.find(key); info.localizer && scouts != scouts_.end())
        list.back().images = scouts->second;
      for (const auto& [other_key, other] : series_)
        if (other.study_uid == info.study_uid)
          list.back().study_series_numbers.push_back(other.series_number);
    }
    const auto rank = [](const DicomSeriesInfo& s) {
      return std::tie(s.patient_name, s.study_date, s.study_uid, s.series_number, s.series_uid);
    };
    std::stable_sort(list.begin(), list.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    return list;
  }

 private:
  /// Whether a file of one image adds a slice to its series: a second copy is left out when the
  /// series is loaded, and so is another image at the position of a chosen one.
  bool is_another(const std::string& series, const DicomHeader& header) {
    bool is_new = true;
    for (const DicomTag& tag : {dicom::sop_instance_uid, dicom::image_position})
      if (const std::string value = header.data.text(tag); !value.empty())
        is_new &= known_.insert(series + "\n" + value).second;
    return is_new;
  }

  std::map<std::string, DicomSeriesInfo> series_;
  std::map<std::string, int> scouts_;  // images of each series that are scout views
  std::set<std::string> known_;        // UIDs and positions, each after the key of the series
};

/// Returns whether a series holds an image that can be read; adds to `unreadable` why the images
/// before it cannot be read.
bool has_usable_image(const DicomSeriesInfo& series, std::vector<std::string>& unreadable) {
  for (const std::string& file : series.files) {
    try {
      if (const auto header = read_dicom_header(file)) {
        require_usable_pixels(read_frames(*header).front());
        return true;
      }
    } catch (const InputError& error) {
      unreadable.emplace_back(error.what());
    }
  }
  return false;
}

/// Removes the series without a readable image. Otherwise the user would have to choose between
/// several series only because one file is damaged.
void drop_unreadable(std::vector<DicomSeriesInfo>& found, std::vector<std::string>& unreadable) {
  std::erase_if(found, [&](const DicomSeriesInfo& series) {
    std::vector<std::string> reasons;
    if (has_usable_image(series, reasons)) return false;
    unreadable.insert(unreadable.end(), reasons.begin(), reasons.end());
    return true;
  });
}

std::vector<DicomSeriesInfo> list_folder(const fs::path& folder) {
  SeriesList list;
  const std::vector<std::string> files = files_below(folder, true);
  std::vector<std::string> unreadable, foreign;
  for (const std::string& file : files) {
    try {
      if (const auto header = read_dicom_header(file)) {
        require_image(*header);
        list.add(*header);
      } else {
        foreign.push_back(file);
      }
    } catch (const InputError& error) {
      unreadable.emplace_back(error.what());
    }
  }
  std::vector<DicomSeriesInfo> found = list.sorted();
  if (found.size() > 1) drop_unreadable(found, unreadable);
  for (DicomSeriesInfo& series : found) {
    series.unreadable = unreadable;
    series.strays = stray_slices(foreign, series.files);
  }
  if (found.empty() && !unreadable.empty()) throw InputError(unreadable.front());
  if (found.empty() && files.empty())
    throw InputError("the folder is empty", folder.string(),
                     "choose one that holds projections or a CT series");
  if (found.empty())
    throw InputError("no DICOM images among its " + std::to_string(files.size()) +
                         (files.size() == 1 ? " file" : " files"),
                     folder.string(), "choose a folder that holds a CT series");
  return found;
}

/// The files in the folder of a chosen file that are not images of its series.
struct Neighbours {
  std::vector<std::string> unreadable;  // error messages
  std::vector<std::string> foreign;     // paths of files that are not DICOM
};

/// Adds the other images of the chosen file's series to `list`; returns the other files.
Neighbours add_neighbours(const fs::path& path, const DicomHeader& chosen, SeriesList& list) {
  const std::string uid = chosen.data.text(dicom::series_instance_uid);
  Neighbours others;
  if (uid.empty()) return others;
  for (const std::string& file : files_below(folder_of(path), false)) {
    std::error_code ignored;
    if (fs::equivalent(file, path, ignored)) continue;
    try {
      const auto header = read_dicom_header(file);
      if (!header) {
        others.foreign.push_back(file);
        continue;
      }
      const std::string its_uid = header->data.text(dicom::series_instance_uid);
      if (its_uid.empty() || its_uid == uid) require_image(*header);
      if (its_uid == uid && frame_count(*header) == 1) list.add(*header);
    } catch (const InputError& error) {
      others.unreadable.emplace_back(error.what());
    }
  }
  return others;
}

std::vector<DicomSeriesInfo> list_file(const fs::path& path) {
  const auto chosen = read_dicom_header(path.string());
  if (!chosen)
    refuse_foreign_file(path.string(), "is not a DICOM file", "choose a DICOM image or its folder");
  if (is_directory_file(*chosen)) return list_folder(folder_of(path));
  if (!holds_image(*chosen))
    throw InputError("is a DICOM file without an image", path.string(), "choose a CT image");
  SeriesList list;
  list.add(*chosen);
  if (frame_count(*chosen) > 1) return list.sorted();
  const Neighbours others = add_neighbours(path, *chosen, list);
  std::vector<DicomSeriesInfo> found = list.sorted();
  found.front().file_chosen = true;
  found.front().unreadable = others.unreadable;
  found.front().strays = stray_slices(others.foreign, found.front().files);
  return found;
}

}  // namespace

std::string DicomSeriesInfo::label() const {
  std::string text = "\"" + description + "\" " + (modality.empty() ? "?" : modality) + ", ";
  text += std::to_string(images) + (images == 1 ? " image of " : " images of ");
  text += std::to_string(columns) + " x " + std::to_string(rows);
  if (localizer) text += " (localiser)";
  return text + ", UID " + (series_uid.empty() ? "none" : series_uid);
}

std::vector<DicomSeriesInfo> list_dicom_series(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    throw InputError("does not exist or cannot be reached", path, "check the path");
  if (fs::is_directory(status)) return list_folder(path);
  if (fs::is_regular_file(status)) return list_file(path);
  throw InputError("is neither a file nor a folder", path, "choose a DICOM image or its folder");
}

}  // namespace gantry
