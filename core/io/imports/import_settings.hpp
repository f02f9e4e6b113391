#pragma once

#include "core/corrections/padding/padding.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// How several flats, or several darks, become one frame. Interpolated: flats that were taken at
/// the same time by their mean, and each view gets what lies on the line between those before and
/// after it; darks by their mean.
enum class FrameAverage { mean, median, interpolated };

struct NormaliseOptions {
  FrameAverage average = FrameAverage::median;
  /// Columns at the left and the right end of a view that see air: the mean transmission there is
  /// made 1 in each view, which removes a drift of the source. 0: off.
  int air_columns = 0;
  /// What a cell shows without an object, in the place of flats; 0: as the flats or the files say,
  /// else assumed.
  double white_level = 0;
  bool are_line_integrals = false;  ///< the frames hold line integrals already

  friend bool operator==(const NormaliseOptions&, const NormaliseOptions&) = default;
};

/// What the images of a scan show. Projections: one view each. Sinograms: one row of the detector
/// each, a view per row of the image, the first image the uppermost row.
enum class ImageContent { as_found, projections, sinograms };

/// What the elements along an axis of an array of projections are.
enum class ArrayAxis { views, rows, columns };
/// The axes of an array in the order of its sizes, as the program that wrote it counts them: in
/// NumPy and HDF5 the last one is the fastest, in MATLAB the first one. Empty: concluded.
using AxisOrder = std::vector<ArrayAxis>;

/// The axes along which the translations of a sample are given. NeXus: x to the left along the
/// beam, y upwards, z along the beam (those of McStas). ESRF, as its files before the version 2 of
/// NXtomo: x along the beam, y to the left, z upwards.
enum class TranslationAxes { as_stated, nexus, esrf };

/// Columns or rows of images, from 0, both ends included.
struct CellRange {
  int first = 0;
  std::optional<int> last;  ///< empty: the last one of the images

  friend bool operator==(const CellRange&, const CellRange&) = default;
};

/// How images are put right before anything else of a scan is looked at.
struct FrameTurn {
  int clockwise_deg = 0;     ///< 0, 90, 180 or 270
  bool is_mirrored = false;  ///< left and right are exchanged, after the turn
  bool is_reversed = false;  ///< the last frame belongs to the first angle, or the first vectors

  friend bool operator==(const FrameTurn&, const FrameTurn&) = default;
};

/// The part of a scan that is imported. Rows are counted as in the images, whose first row is the
/// uppermost.
struct FramePart {
  CellRange columns, rows;
  /// Cells along both sides of the groups that are joined to one cell; a single row stays one.
  int bin = 1;
  int every = 1;  ///< of this many projections one is taken, from the first on

  friend bool operator==(const FramePart&, const FramePart&) = default;
};

/// Paths of data sets in an HDF5 file, "/entry/data"; empty: concluded from the file.
struct DataSetPaths {
  /// Frames [view][row][column], or a sinogram [view][column]; with ImageContent::sinograms frames
  /// [row][view][column].
  std::string projections;
  std::string flats, darks;  ///< in the file that is given for them, else in that of projections
  std::string angles;        ///< degrees, unless their attribute "units" says radians

  friend bool operator==(const DataSetPaths&, const DataSetPaths&) = default;
};

/// What a user says of a scan of another program. Everything that is left open is concluded from
/// the files, or taken for granted with a word (RawScan::assumptions).
struct ImportSettings {
  ImageContent images = ImageContent::as_found;
  AxisOrder axes = {};  ///< of an array or a data set; then `images` is left as found
  /// Empty: images stay as they are, but for formats that know better.
  std::optional<FrameTurn> turn = {};
  /// Files of images that are damaged are left out with a note, the others keep the angles of their
  /// numbers; else one of them refuses the scan.
  bool leaves_out_damaged = false;
  DataSetPaths data_sets = {};
  /// Files, or folders of images, with HDF5 also "scan.h5:/entry/flats"; empty: those found by
  /// their names.
  std::vector<std::string> flats;
  std::vector<std::string> darks;  ///< likewise
  /// Flats and darks among the frames of the projections' files, which are counted from 0.
  std::vector<CellRange> flat_frames, dark_frames;
  std::string angles;             ///< file with one angle per line; empty: a text file beside
  std::string angle_column;       ///< of that file, its name or number from 1; empty: as found
  std::optional<double> arc_deg;  ///< angle from the first to the last projection
  bool arc_is_open = false;       ///< the last projection lies a step before the end of the arc
  /// Where nothing tells the angles, half a turn is taken for granted, instead of refusing the
  /// scan.
  bool assumes_half_turn = false;
  /// File with the geometry of all views, in any of geometry_formats() or a scan file. Empty: the
  /// geometry that the files state, in which the numbers below take the place of theirs; or a
  /// circle with these numbers, where the files state none.
  std::string geometry;
  TranslationAxes translations = TranslationAxes::as_stated;
  bool only_turns = false;  ///< leaves out translations of the object and tilts of the axis
  double pixel_mm = 0;      ///< distance of detector cells, mm; 0: not known
  double source_to_axis_mm = 0, source_to_detector_mm = 0;  ///< mm; 0: a parallel beam
  std::optional<double> centre;  ///< column of the axis of rotation, from 0; empty: found from
                                 ///< views half a turn apart, else the middle
  NormaliseOptions normalise = {};
  /// The numbers of the geometry above are of the whole images, air columns are those of the part.
  FramePart part = {};
  /// Added to the part, after all corrections of the scan: import_scan() does not.
  Padding padding = {};

  /// Returns the files that are given as flats and darks, which are no projections.
  std::vector<std::string> files_beside() const {
    std::vector<std::string> all = flats;
    all.insert(all.end(), darks.begin(), darks.end());
    return all;
  }

  friend bool operator==(const ImportSettings&, const ImportSettings&) = default;
};

}  // namespace gantry
