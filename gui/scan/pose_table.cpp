#include "gui/scan/pose_table.hpp"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

struct Coordinate {
  const char* name;
  Vec3 View::*vector;
  double Vec3::*axis;
};

constexpr std::array<Coordinate, 12> coordinates{{
    {"source x", &View::source_mm, &Vec3::x},
    {"source y", &View::source_mm, &Vec3::y},
    {"source z", &View::source_mm, &Vec3::z},
    {"detector x", &View::detector_mm, &Vec3::x},
    {"detector y", &View::detector_mm, &Vec3::y},
    {"detector z", &View::detector_mm, &Vec3::z},
    {"column step x", &View::u_mm, &Vec3::x},
    {"column step y", &View::u_mm, &Vec3::y},
    {"column step z", &View::u_mm, &Vec3::z},
    {"row step x", &View::v_mm, &Vec3::x},
    {"row step y", &View::v_mm, &Vec3::y},
    {"row step z", &View::v_mm, &Vec3::z},
}};

constexpr int shown_digits = 8;
constexpr double rounding = 1e-9;  // of the greatest length of a pose: what is less is shown as 0

double coordinate(const View& pose, const Coordinate& one) { return pose.*one.vector.*one.axis; }

double greatest(const View& pose) {
  double found = 0;
  for (const Coordinate& one : coordinates)
    found = std::max(found, std::abs(coordinate(pose, one)));
  return found;
}

}  // namespace

PoseTable::PoseTable(std::vector<View> poses, QObject* parent)
    : QAbstractTableModel(parent), poses_(std::move(poses)) {}

void PoseTable::setPoses(std::vector<View> poses) {
  beginResetModel();
  poses_ = std::move(poses);
  endResetModel();
}

int PoseTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(poses_.size());
}

int PoseTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(coordinates.size());
}

QVariant PoseTable::data(const QModelIndex& index, int role) const {
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  const Coordinate& one = coordinates.at(static_cast<std::size_t>(index.column()));
  const View& pose = poses_.at(static_cast<std::size_t>(index.row()));
  const double value = coordinate(pose, one);
  if (role == Qt::EditRole) return QString::number(value, 'g', QLocale::FloatingPointShortest);
  const bool is_zero = std::abs(value) < rounding * greatest(pose) || value == 0;
  return QString::number(is_zero ? 0 : value, 'g', shown_digits);
}

QVariant PoseTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return tr("view %1").arg(section);
  return tr("%1, mm").arg(QLatin1String(coordinates.at(static_cast<std::size_t>(section)).name));
}

Qt::ItemFlags PoseTable::flags(const QModelIndex& index) const {
  return QAbstractTableModel::flags(index) | Qt::ItemIsEditable;
}

/// Returns whether the text is a number; another text changes nothing.
bool PoseTable::setData(const QModelIndex& index, const QVariant& value, int role) {
  bool is_number = false;
  const double number = value.toString().trimmed().toDouble(&is_number);
  if (role != Qt::EditRole || !is_number || !std::isfinite(number)) return false;
  const Coordinate& one = coordinates.at(static_cast<std::size_t>(index.column()));
  poses_.at(static_cast<std::size_t>(index.row())).*one.vector.*one.axis = number;
  emit dataChanged(index, index);
  return true;
}

}  // namespace gantry
