#pragma once

#include "core/data/slice.hpp"
#include "gui/worker/latest_job.hpp"
#include "gui/worker/run_controller.hpp"

#include <QObject>

#include <memory>
#include <vector>

namespace gantry {

/// A quick reconstruction of new data, on few voxels and with cells binned accordingly, by the
/// first direct method that suits the scan. Views of runs that have not been started show it, so
/// that nobody looks at empty views.
class Preview : public QObject {
  Q_OBJECT
 public:
  struct Image {
    VolumeGrid grid;
    std::vector<float> mu;  ///< 1/mm, [iz][iy][ix]
    std::string method;     ///< "FBP"
  };

  Preview(const Catalog& catalog, const BackendList& backends, RunController& controller,
          QObject* parent = nullptr);

  /// Returns the image; null while there is none, or if no direct method suits the data.
  std::shared_ptr<const Image> image() const { return image_; }
  /// Returns the slice of the image nearest to a slice of the data's grid; null if there is none.
  std::shared_ptr<const SliceImage> slice(Axis axis, int index) const;
  /// Returns whether the image is being computed.
  bool isBusy() const { return job_.isBusy(); }
  /// Returns why there is no image; empty if there is one, or if it is being computed.
  const QString& problem() const { return problem_; }
  /// Returns "Preview: FBP, 128 x 128"; empty without an image.
  QString text() const;

 signals:
  void changed();

 private:
  void begin();

  const Catalog& catalog_;
  const BackendList& backends_;
  RunController& controller_;
  std::shared_ptr<const Image> image_;
  mutable std::vector<std::shared_ptr<const SliceImage>> slices_;
  QString problem_;
  LatestJob job_;
};

/// Returns a quick reconstruction of data. Throws UsageError if no direct method suits them, and
/// Interrupted.
Preview::Image reconstruct_quickly(std::shared_ptr<const ExperimentData> data,
                                   const Catalog& catalog, const BackendList& backends,
                                   const Interrupt& interrupt);

}  // namespace gantry
