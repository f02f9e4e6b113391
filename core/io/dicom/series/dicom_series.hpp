#pragma once

#include "core/data/loaded_volume.hpp"
#include "core/io/dicom/series/uneven_slices.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// One series of images found on disk; a multi-frame file is a series of its own.
struct DicomSeriesInfo {
  std::string series_uid, study_uid;
  std::string description, modality, patient_name, study_date;  ///< as in the file, UTF-8
  int series_number = 0;
  std::vector<int> study_series_numbers;  ///< of all series of the study that were found
  int images = 0, rows = 0, columns = 0;
  bool localizer = false;    ///< every image is a scout view
  bool file_chosen = false;  ///< files[0] was asked for: it wins over others at its place
  std::vector<std::string> unreadable;  ///< damaged DICOM files beside these, with why
  std::vector<std::string> strays;      ///< no DICOM files, which may have been slices of these
  std::vector<std::string> files;       ///< sorted by path, a file that was asked for first

  /// "\"Scout\" CT, 2 images of 512 x 512, UID 1.2.3"
  std::string label() const;
};

/// Called with the images done and in all; may throw Interrupted to give up.
using DicomProgress = std::function<void(int done, int total)>;

struct DicomLoadOptions {
  double mu_water = default_mu_water;  ///< 1/mm, turns HU into attenuation
  std::string series = {};             ///< load_dicom: number in the list (from 1) or series UID
  UnevenSlices uneven = UnevenSlices::refuse;
  DicomProgress progress = {};
};

/// The image series below `path`, by patient, study and series number.
/// A folder is searched recursively, whatever its files are called; what is not DICOM or not an
/// image is passed over, and so is a DICOMDIR. A file stands for the series that it belongs to, as
/// far as that lies in the same folder; a multi-frame file stands alone; a DICOMDIR stands for its
/// folder. A file that cannot be read or is damaged is left out and noted in `unreadable` where
/// there are others, and so is, among several series, one without an image whose pixels can be
/// read. What is not DICOM but may have been a slice is noted in `strays`. What an interrupted save
/// left behind is passed over. Throws InputError when path or a
/// folder cannot be read, when the chosen file or all images of a folder are damaged, or there is
/// no image; UsageError when this build has no DICOM support.
std::vector<DicomSeriesInfo> list_dicom_series(const std::string& path);

/// Loads one series as attenuation (HU turned into 1/mm). See DicomStack for the grid and the
/// frame. Values outside the scan field (PixelPaddingValue) become air. Localisers among slices and
/// second copies of an image (same SOP instance; a sound file is taken, the first of several) are
/// left out, with a note, and so are files whose attributes or pixels are damaged, unless the
/// series is one file or the file was asked for. Throws InputError naming the file and what is
/// wrong with it; UnevenSeries where options.uneven would open it; UsageError for mu_water and for
/// a build without DICOM support.
LoadedVolume load_dicom_series(const DicomSeriesInfo& series, const DicomLoadOptions& options = {});

/// list, choose, load. Throws InputError when there are several series and options.series names
/// none of them; the message lists them.
LoadedVolume load_dicom(const std::string& path, const DicomLoadOptions& options = {});

}  // namespace gantry
