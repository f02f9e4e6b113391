#pragma once

#include "gui/worker/matrix_probe.hpp"

#include <QWidget>

#include <optional>
#include <utility>

class QLabel;
class QTreeWidget;

namespace gantry {

/// Shows how many bytes the matrix takes in each format before anything is built, and whether they
/// are free, or why a format is not possible; and the parts of the matrix that a run has built,
/// with their bytes.
class MatrixMemory : public QWidget {
  Q_OBJECT
 public:
  explicit MatrixMemory(QWidget* parent = nullptr);

  void showNothing(const QString& why);
  void showOverview(const MatrixOverview& overview, const QString& device, std::size_t free_bytes,
                    const std::string& chosen);
  /// Shows the parts of a built matrix below the formats; none hides them.
  void showBuilt(const QString& label, const std::optional<MatrixStorage>& storage);

 private:
  QLabel* summary_;
  QTreeWidget* formats_;
  QTreeWidget* parts_;
  std::pair<QString, std::size_t> shown_;  // label and bytes shown in parts_
};

}  // namespace gantry
