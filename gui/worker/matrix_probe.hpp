#pragma once

#include "core/catalog/catalog.hpp"
#include "core/catalog/format_sizes.hpp"
#include "core/job/experiment.hpp"
#include "core/matrix/inspect/block_occupancy.hpp"
#include "core/matrix/inspect/row_lengths.hpp"
#include "core/matrix/inspect/symmetric_row.hpp"
#include "core/matrix/inspect/view_sparsity.hpp"
#include "core/matrix/inspect/voxel_column.hpp"
#include "gui/worker/latest_job.hpp"

#include <QObject>
#include <QSize>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// The run and the scan whose matrix is examined.
struct MatrixSource {
  std::shared_ptr<const ScanGeometry> geometry;
  VolumeGrid grid;
  std::string projector, format, backend_key;  ///< backend_key: where the formats would be stored
  Params projector_params, format_params;

  friend bool operator==(const MatrixSource&, const MatrixSource&) = default;
};

/// What is known of a matrix before the matrix is built.
struct MatrixOverview {
  NonzeroEstimate estimate;
  RowLengths lengths;
  std::vector<FormatSize> sizes;
  /// Nonzeros of every ray of the middle detector row, for some of the stored views.
  std::vector<std::pair<int, std::vector<std::uint32_t>>> profiles;
};

/// Asks which blocks of `block_rays` rays hold nonzeros, in natural order and in `order`. `dots` is
/// the approximate size of the picture.
struct BlockQuestion {
  BlockOrderKind order = BlockOrderKind::folded;
  int block_rays = 8;
  QSize dots;
};

struct BlocksInOrder {
  BlockOccupancy occupancy;
  BlockCount count;
};

struct MatrixBlocks {
  BlockQuestion question;
  BlocksInOrder natural, ordered;
};

/// Examines a system matrix on threads of its own, without building the matrix. Knows no widget. A
/// new question interrupts an earlier one of the same kind.
class MatrixProbe : public QObject {
  Q_OBJECT
 public:
  explicit MatrixProbe(const Catalog& catalog, QObject* parent = nullptr);
  ~MatrixProbe() override;

  /// Sets the matrix to examine. Returns true, and discards all answers, if it is another one than
  /// before.
  bool setSource(const std::optional<MatrixSource>& source);
  const std::optional<MatrixSource>& source() const { return source_; }
  bool isBusy() const;

  void askOverview();
  void askView(int view, int detector_row, int slice, QSize dots);
  void askRay(RayIndex ray);
  void askVoxel(VoxelIndex voxel);
  void askBlocks(BlockQuestion question);

  const std::optional<MatrixOverview>& overview() const { return overview_; }
  const std::optional<ViewSparsity>& view() const { return view_; }
  /// Returns the weights of the ray that was asked for, and its symmetric copies.
  const std::vector<RayCopy>& rays() const { return rays_; }
  const std::optional<std::vector<RayWeight>>& column() const { return column_; }
  const std::optional<MatrixBlocks>& blocks() const { return blocks_; }

 signals:
  void overviewReady();
  void viewReady();
  void rayReady();
  void voxelReady();
  void blocksReady();
  /// Emitted with the reason, in one line, why the matrix cannot be examined.
  void failed(const QString& message);
  /// Emitted with the reason, in one line, why this matrix has no blocks.
  void blocksFailed(const QString& message);

 private:
  class Weights;
  template <class Result>
  void ask(LatestJob& job, std::function<Result(const Projector&, const Interrupt&)> work,
           std::function<void(Result)> take,
           void (MatrixProbe::*fail)(const QString&) = &MatrixProbe::failed);

  const Catalog& catalog_;
  std::optional<MatrixSource> source_;
  std::shared_ptr<Weights> weights_;
  std::optional<MatrixOverview> overview_;
  std::optional<ViewSparsity> view_;
  std::vector<RayCopy> rays_;
  std::optional<std::vector<RayWeight>> column_;
  std::optional<MatrixBlocks> blocks_;
  // Declared last: their threads are joined before the answers are destroyed.
  LatestJob overviewJob_, viewJob_, rayJob_, voxelJob_, blocksJob_;
};

}  // namespace gantry
