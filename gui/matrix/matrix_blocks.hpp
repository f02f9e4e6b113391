#pragma once

#include "gui/worker/matrix_probe.hpp"

#include <QWidget>

class QComboBox;
class QLabel;

namespace gantry {

class ImagePlot;

/// Where blocks of rays and pixels hold nonzeros, in natural order and in one that fills them: what
/// a matrix of blocks stores (Nourazar and Goossens 2021, Fig. 4 and Table 3).
class MatrixBlocksPage : public QWidget {
  Q_OBJECT
 public:
  explicit MatrixBlocksPage(QWidget* parent = nullptr);

  /// As a run's format is set, where it has blocks.
  void adopt(const Params& format_params);
  BlockQuestion question() const;
  void showBlocks(const MatrixBlocks& blocks);
  void showNothing(const QString& why);

 signals:
  /// Seen and without an answer to what is chosen now.
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
