#pragma once

#include "core/base/interrupt.hpp"
#include "core/io/imports/import_settings.hpp"
#include "core/io/imports/raw_scan.hpp"
#include "core/io/scans/projection_format.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gantry {

/// A scan to import: where its projections are, and what the user says of them.
struct ImportRequest : ImportSettings {
  std::string path;  ///< folder or file with the projections
  /// Ends the reading by another process, which can hang; may be null. import_scan() sets it.
  const Interrupt* interrupt = nullptr;
};

/// A data set of numbers that may be projections, flats, darks or angles.
struct DataSetEntry {
  std::string path, size;  ///< "/entry/data", "91 x 135 x 160"
  /// Several may be the projections, so that the file is refused unless one is named; of these it
  /// is the largest.
  bool is_largest_of_several = false;
};

enum class FrameRole { flats, darks };

/// A file of flats or darks, beside projections that may be of another format.
struct FramesBeside {
  std::string path;
  std::string data_set;  ///< in HDF5, "/entry/flats"; empty: by convention
  FrameRole role;
  const Interrupt* interrupt;  ///< as in ImportRequest
  std::vector<std::string>& notes;
};

/// A format of projections as other programs store them: images or containers of intensities.
struct ImportFormat : FileFormat {
  /// Opens a folder or file without reading the frames. Throws InputError.
  std::function<RawScan(const ImportRequest&)> read = {};
  /// The files do not state whether images are projections or sinograms: ImportSettings::images
  /// tells.
  bool has_open_images = false;
  bool has_open_axes = false;  ///< ImportSettings::axes may tell those of its arrays
  /// Lists the data sets that ImportSettings::data_sets may name; throws InputError. Empty: files
  /// of the format have no such paths.
  std::function<std::vector<DataSetEntry>(const std::string& path, const Interrupt* interrupt)>
      data_sets = {};
  /// Opens a file of flats or darks. Throws InputError. Empty: files of the format hold none alone.
  std::function<std::shared_ptr<const FrameSource>(const FramesBeside&)> frames = {};
  /// Whether a folder of images holds some beside the files that are given as flats or darks.
  /// Empty: the format has no folders of images.
  std::function<bool(const std::string& folder, const std::vector<std::string>& given)>
      has_projections = {};
  /// A file of the format is a header: the frames lie in other files, usually of the same folder.
  bool is_header = false;
  /// What the name of a header has before its extension if it lies beside another one, of which it
  /// is a copy with further fields: "_rec". Empty: there are no such copies.
  std::string end_of_copies = {};
};

/// Returns every format that can be imported, in the order in which help texts list them.
const FormatRegistry<ImportFormat>& import_formats();

/// A scan that was imported.
struct ImportedScan {
  LoadedScan scan;
  std::vector<Assumption> assumptions;
};

/// Returns whether a file or folder is to be imported: it has one of these formats more certainly
/// than one of the formats of scans that Gantry itself writes.
bool is_importable(const std::string& path);

/// Returns the access for files that are made of an imported scan: `owner` where it comes from
/// patients, else that to the file or folder.
FileAccess access_for_import(const std::string& path);

/// Imports a scan. Throws InputError: an unknown format, a damaged file, angles that are not known
/// or do not fit, a geometry of another size. May throw Interrupted.
ImportedScan import_scan(const ImportRequest& request,
                         const std::function<void(double)>& progress = {},
                         const Interrupt* interrupt = nullptr);

}  // namespace gantry
