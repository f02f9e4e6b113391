#pragma once

#include "core/data/loaded_volume.hpp"
#include "core/io/dicom/series/uneven_slices.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// Returns whether this build reads and writes DICOM.
bool has_dicom();

/// A series of images found on disk; a multi-frame file is listed as a series of its own.
struct DicomSeriesInfo {
  std::string series_uid, study_uid;
  std::string description, modality, patient_name, study_date;  ///< as in the file, UTF-8
  int series_number = 0;
  std::vector<int> study_series_numbers;  ///< of all series of the study that were found
  int images = 0, rows = 0, columns = 0;
  bool localizer = false;    ///< every image is a scout view
  bool file_chosen = false;  ///< the user chose files[0]: preferred to others at its position
  std::vector<std::string> unreadable;  ///< errors of damaged DICOM files beside these files
  std::vector<std::string> strays;      ///< files not DICOM that may have been slices of this
  std::vector<std::string> files;       ///< sorted by path, a chosen file first

  /// Returns one line about the series: "\"Scout\" CT, 2 images of 512 x 512, UID 1.2.3".
  std::string label() const;
};

/// Called with the number of images read and of all images; may throw Interrupted to stop.
using DicomProgress = std::function<void(int done, int total)>;

/// How a series is loaded.
struct DicomLoadOptions {
  double mu_water = default_mu_water;  ///< of water, 1/mm; converts HU to attenuation
  std::string series = {};             ///< load_dicom(): number in the list (from 1) or series UID
  UnevenSlices uneven = UnevenSlices::refuse;
  DicomProgress progress = {};
};

/// Returns the image series at `path`, sorted by patient, study and series number.
/// If `path` is a folder, all files below it are read, whatever their names are; skipped are files
/// that are not DICOM, DICOM files without an image, DICOMDIR files and what an interrupted save
/// left behind. If `path` is an image, its series is returned, as far as the images lie in the same
/// folder; if `path` is a multi-frame file, that file alone; if `path` is a DICOMDIR, the series
/// below its folder.
/// Where there are other files, a damaged or unreadable file is left out and noted in `unreadable`.
/// Where there are several series, a series without an image whose pixels can be read is left out
/// and its files are noted in `unreadable`. Files that are not DICOM but may have been slices are
/// noted in `strays`.
/// Throws InputError when `path` or a folder cannot be read, when the chosen file or all images of
/// a folder are damaged, or when there is no image; UsageError when this build has no DICOM
/// support.
std::vector<DicomSeriesInfo> list_dicom_series(const std::string& path);

/// Loads one series and converts HU to attenuation, 1/mm, [iz][iy][ix]. DicomStack describes grid
/// and patient frame. Values outside the scan field (PixelPaddingValue) become air. Left out, with
/// a note, are localisers among slices; second copies of an image (same SOP instance UID; the first
/// undamaged file is used); and files whose attributes or pixels are damaged, unless such a file is
/// the only one or was chosen by the user.
/// Throws InputError naming the file and its defect; UnevenSeries where another value of
/// options.uneven would load the series; UsageError when mu_water is not positive, and when this
/// build has no DICOM support.
LoadedVolume load_dicom_series(const DicomSeriesInfo& series, const DicomLoadOptions& options = {});

/// Lists the series at `path`, chooses one and loads it. Throws as list_dicom_series() and
/// load_dicom_series(), and InputError when options.series names none of the series or several, or
/// is empty and there are several series; the message then lists them.
LoadedVolume load_dicom(const std::string& path, const DicomLoadOptions& options = {});

}  // namespace gantry
