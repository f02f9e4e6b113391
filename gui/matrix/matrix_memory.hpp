#pragma once

#include "gui/worker/matrix_probe.hpp"

#include <QWidget>

#include <optional>
#include <utility>

class QLabel;
class QTreeWidget;

namespace gantry {

/// What the matrix takes in each format, before anything is built: how many bytes, whether they are
/// free, or why the format cannot be; and, part by part, what a run has built.
class MatrixMemory : public QWidget {
  Q_OBJECT
 public:
  explicit MatrixMemory(QWidget* parent = nullptr);

  void showNothing(const QString& why);
  void showOverview(const MatrixOverview& overview, const QString& device, std::size_t free_bytes,
                    const std::string& chosen);
  /// Below the formats; none takes it away.
  void showBuilt(const QString& label, const std::optional<MatrixStorage>& storage);

 private:
  QLabel* summary_;
  QTreeWidget* formats_;
  QTreeWidget* parts_;
  std::pair<QString, std::size_t> shown_;  // in parts_
};

}  // namespace gantry
