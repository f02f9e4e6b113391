#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <QAbstractTableModel>

#include <vector>

namespace gantry {

/// The poses of a scan as a table: a row for each view, and columns for the coordinates of source
/// and detector and of the steps to the next column and row, mm. Cells can be edited.
class PoseTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit PoseTable(std::vector<View> poses, QObject* parent = nullptr);

  const std::vector<View>& poses() const { return poses_; }
  void setPoses(std::vector<View> poses);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 private:
  std::vector<View> poses_;
};

}  // namespace gantry
