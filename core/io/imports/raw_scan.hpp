#pragma once

#include "core/base/params.hpp"
#include "core/geometry/detector_move.hpp"
#include "core/geometry/object_move.hpp"
#include "core/io/geometries/stated_geometry.hpp"
#include "core/io/imports/checks/axes_to_try.hpp"
#include "core/io/imports/checks/geometry_views.hpp"
#include "core/io/scans/projection_format.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Cells first to first + count - 1 along one direction, joined in groups.
struct CellSpan {
  int first = 0, count = 0;
  int group = 1;  ///< cells of a group, which divide `count`

  int groups() const { return count / group; }
};

/// Cells of every so many frames from the first on, whose groups become one cell, their mean.
struct PartOfCells {
  CellSpan columns, rows;
  int every = 1;
};

/// Frames of a detector as another program stored them, all of one size, read when they are asked
/// for, so that a scan larger than the memory can be imported.
class FrameSource {
 public:
  static constexpr std::size_t most_frames = 10'000'000;  ///< of a scan

  virtual ~FrameSource() = default;
  FrameSource() = default;
  FrameSource(const FrameSource&) = delete;
  FrameSource& operator=(const FrameSource&) = delete;

  virtual int frames() const = 0;
  virtual int rows() const = 0;
  virtual int columns() const = 0;
  /// Reads a frame to `values`, [row][column] in the order of the file, whose first row is the
  /// uppermost; values as stored, without a unit. Several threads may call it at once. Throws
  /// InputError.
  virtual void read(int frame, std::span<float> values) const = 0;
  /// Returns the name of a frame for messages: "raw_00012.tiff".
  virtual std::string name(int frame) const = 0;
  /// Returns the place of a frame, from 0, among all that the files of the scan hold.
  virtual int place(int frame) const { return frame; }
  /// Returns the part of the frames where the source can read it without holding all in memory, as
  /// reading whole frames one after the other would; null where that holds no more than one.
  virtual std::shared_ptr<const FrameSource> part(const PartOfCells&) const { return nullptr; }
};

/// What the files of a scan say that makes it no circle.
struct OffCircle {
  AxisLean lean;
  /// A move of the object for each projection, against the mean of all, as with_moved_object()
  /// takes them. Empty: it only turned.
  std::vector<Vec3> moves_mm;
  /// A shift of the detector for each projection, of which the files have no moves. Empty: none.
  std::vector<CellShift> shifts;
  std::vector<Assumption> assumptions;  ///< that are said where it counts
};

/// By how many columns a program moved the axis of rotation from the middle, where the files do not
/// tell to which side.
struct AxisShift {
  double columns = 0;  ///< 0: not stated; of the part that is imported, if that is one
  std::string field;   ///< that states it, for messages
  /// The shift and the middle in columns of the files, which options count.
  double columns_of_files = 0, middle_of_files = 0;
};

/// A scan as it lies on the disk: intensities, mostly, and not yet line integrals.
struct RawScan {
  std::shared_ptr<const FrameSource> projections;  ///< never null
  std::shared_ptr<const FrameSource> flats;        ///< frames without the object; null: none
  std::shared_ptr<const FrameSource> darks;        ///< frames without the beam; null: none
  /// The place of each projection among all that were taken, rising from 0, as the numbers of their
  /// files tell; empty: none is missing.
  std::vector<int> positions;
  int first_number = 0;  ///< of position 0, by the names of the files; 0: or not known
  /// When each flat was taken, as an index of projections: -0.5 before the first one, 8.5 between
  /// those of index 8 and 9, as many as there are less 0.5 after the last. Empty: not known.
  std::vector<double> flat_views;
  /// Flats and darks among the frames of the projections' files, as the user marks them, with
  /// `flat_views` of these; null: none. See join_marked_frames().
  std::shared_ptr<const FrameSource> marked_flats = {}, marked_darks = {};
  std::vector<double> marked_flat_views = {};
  int marked_at_end_of_flats = 0, marked_at_end_of_darks = 0;  ///< after join_marked_frames()
  bool takes_marks = false;        ///< the format does not tell which frames are projections
  std::vector<double> angles_deg;  ///< one per projection; empty: not known
  std::string angles_where;        ///< the list of these in the files; empty: from elsewhere
  /// Why lists of the files that are, or may be, angles were not taken; empty: there are none.
  std::string unfit_angles;
  /// What the files state of source, detector and axis. On a circle, `angles_deg`, where there are
  /// some, take the place of its angles. Nothing: a circle, by the angles and the request.
  std::optional<ScanSpec> geometry;
  /// A file of another program beside the images that states the geometry, as one that the user
  /// gives (ImportRequest::geometry), which comes first; empty: there is none.
  std::string geometry_file;
  bool is_centre_open = false;      ///< `geometry` is a circle whose central column is only assumed
  OtherAxes other_axes;             ///< of the array that holds the projections
  OffCircle off_circle;             ///< beside the circle of `geometry` or of the request
  AxisShift axis_shift;             ///< that another program made
  bool are_line_integrals = false;  ///< the frames hold line integrals already
  double pixel_mm = 0;      ///< distance of detector cells as the files state it, mm; 0: not stated
  double row_pixel_mm = 0;  ///< that of rows, mm; 0: as `pixel_mm`
  std::optional<CellPlace> zero_cell = {};  ///< as KnownDetector::zero
  /// How far the source is from axis and detector as the files state it, mm, where they state no
  /// `geometry`; 0: not stated.
  double source_to_axis_mm = 0, source_to_detector_mm = 0;
  /// What a cell shows without an object, as the files state it, where there are no flats; 0: not
  /// stated.
  double white_level = 0;
  bool is_white_level_given = false;  ///< by the user, and not as a correction of the files
  double mu_water = 0;         ///< attenuation of water that the files state, 1/mm; 0: not stated
  bool begins_lowest = false;  ///< the first row of a frame is the lowest, not the uppermost
  /// What one of Gantry's own scan files says besides its geometry: counting, description, how the
  /// scan was simulated. The counting is that of single cells.
  LoadedScan stated = {};
  /// Images beside the projections that are no flats or darks by their names: "blank_#.tif (5
  /// files)"; empty: there are none.
  std::string left_out_images;
  std::vector<Assumption> assumptions;
  std::vector<std::string> notes;  ///< what a user should know, one line each

  CountedProjections counted_projections() const {
    return {static_cast<std::size_t>(projections->frames()), positions, first_number};
  }
  /// Whether the files state a source so near that the beam diverges; that of a synchrotron is tens
  /// of metres away.
  bool has_near_source() const {
    constexpr double farthest_mm = 1e4;
    return source_to_axis_mm > 0 && source_to_axis_mm < farthest_mm;
  }
  /// Takes the beam that a field of the files states, unless there are flats or it is none.
  void take_white_level(double level, const std::string& field) {
    if (flats != nullptr || !(level > 0)) return;
    white_level = level;
    assumptions.push_back({the_beam, format_param(level) + " in each cell", field});
  }
  /// Takes the beam that the user states, if any, instead of flats and of what the files state.
  void give_white_level(double level) {
    if (!(level > 0)) return;
    const std::string given = "the beam that was given, " + format_param(level) + ", ";
    if (are_line_integrals) {
      notes.push_back(given + "was left out: the files hold line integrals");
      return;
    }
    is_white_level_given = !(white_level > 0);
    if (flats != nullptr)
      notes.push_back(given + "took the place of the flats");
    else if (white_level > 0)
      notes.push_back(given + "took the place of " + format_param(white_level) +
                      ", which the files state");
    std::erase_if(assumptions, [](const Assumption& one) { return one.what == the_beam; });
    flats.reset();
    flat_views.clear();
    white_level = level;
  }

  static constexpr const char* the_beam = "the beam";  ///< Assumption::what
};

}  // namespace gantry
