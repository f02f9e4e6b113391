#pragma once

#include "gui/worker/matrix_probe.hpp"

#include <QWidget>

class QComboBox;
class QLabel;

namespace gantry {

class ImagePlot;

/// Shows which blocks of rays and pixels hold nonzeros, in natural order and in an order with fewer
/// such blocks. These are the blocks that a matrix of blocks stores (Nourazar and Goossens 2021,
/// Fig. 4 and Table 3).
class MatrixBlocksPage : public QWidget {
  Q_OBJECT
 public:
  explicit MatrixBlocksPage(QWidget* parent = nullptr);

  /// Takes block size and order from the format parameters of a run, where they are set.
  void adopt(const Params& format_params);
  BlockQuestion question() const;
  void showBlocks(const MatrixBlocks& blocks);
  void showNothing(const QString& why);

 signals:
  /// Emitted when the page becomes visible, or its choices or size change: blocks for question()
  /// are needed.
  void wanted();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QComboBox* addChoice(const QString& name, const ParamSpec& spec);

  QComboBox* block_;
  QComboBox* order_;
  ImagePlot* before_;
  ImagePlot* after_;
  QLabel* summary_;
};

}  // namespace gantry
