#pragma once

#include "core/data/loaded_volume.hpp"
#include "core/data/slice.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "core/job/experiment.hpp"
#include "gui/worker/latest_job.hpp"

#include <QObject>
#include <QString>

#include <array>
#include <memory>
#include <optional>

namespace gantry {

/// The volume or DICOM series of a source, read for looking at it: nothing has to be simulated
/// first. Where the format allows single slices, the middle one is there at once, while the rest of
/// the file is read in the background.
class VolumeLook : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  /// Sets what start() reads; another kind of source than a volume closes the look. A source that
  /// differs only in how it is simulated changes nothing.
  void setSource(const SourceSpec& source);
  /// Begins to read the source, unless it has been read or is being read.
  void start();

  bool isOpen() const { return source_.has_value(); }
  /// Returns whether this is what setSource() has set.
  bool shows(const SourceSpec& source) const;
  /// Returns the grid of the whole file, with its centre on the axis of rotation as in the scan
  /// that is simulated from it; none until it is known.
  const std::optional<VolumeGrid>& grid() const { return grid_; }
  /// Returns the whole volume; null until it has been read.
  std::shared_ptr<const LoadedVolume> volume() const { return volume_; }
  /// Returns why the file cannot be read; empty if it can.
  const QString& problem() const { return problem_; }
  /// Returns "head.mha", or the description of a DICOM series.
  QString name() const;
  /// Returns a slice; null while it has not been read, and then begins to read it if the format
  /// allows that.
  std::shared_ptr<const SliceImage> slice(Axis axis, int index);

 signals:
  void changed();  ///< the grid, a slice, the volume or the problem

 private:
  void readWhole();
  void readSlice(int index);
  VolumeReadOptions options() const;

  std::optional<SourceSpec> source_;
  bool started_ = false;
  std::optional<VolumeGrid> grid_;
  std::optional<VolumeSlices> slices_;  // none where single slices cannot be read
  std::shared_ptr<const LoadedVolume> volume_;
  std::array<std::shared_ptr<const SliceImage>, 3> latest_;  // by Axis
  QString problem_;
  int wanted_ = -1;  // axial slice that is being read
  LatestJob first_, one_, whole_;
};

}  // namespace gantry
