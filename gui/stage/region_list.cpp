#include "gui/stage/region_list.hpp"

#include "core/base/error.hpp"
#include "gui/views/key_list.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPixmap>
#include <QSignalBlocker>

namespace gantry {

namespace {

/// Returns a ring in the colour of a region, unlike the dots of runs.
QIcon ring(Rgb colour) {
  QPixmap pixmap(32, 32);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& [ink, width] : {std::pair(QColor(0x40, 0x40, 0x40), 7),
                                   std::pair(QColor(colour.r, colour.g, colour.b), 4)}) {
    painter.setPen(QPen(ink, width));
    painter.drawEllipse(QRectF(6, 6, 20, 20));
  }
  return QIcon(pixmap);
}

}  // namespace

RegionList::RegionList(Measurements& measurements, QWidget* parent)
    : QTreeWidget(parent), measurements_(measurements) {
  setObjectName(QStringLiteral("regionList"));
  setAccessibleName(tr("Regions, distances and angles"));
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setHeaderLabels({tr("Name"), QString()});
  setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  connect(&measurements_, &Measurements::changed, this, &RegionList::fill);
  connect(&measurements_, &Measurements::selectionChanged, this, &RegionList::showSelection);
  connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
    if (item != nullptr) measurements_.select(item->data(0, Qt::UserRole).toInt());
  });
  connect(this, &QTreeWidget::itemChanged, this, &RegionList::adoptEdit);
  fill();
}

/// Lengths of scans whose cells are of unknown size are in cells.
void RegionList::nameHeader() {
  const QString unit = measurements_.lengthUnit();
  headerItem()->setText(1, tr("Place in %1, or value").arg(unit));
  headerItem()->setToolTip(
      1, tr("X,Y,R for a circle, X0,Y0,X1,Y1 for a rectangle, ellipse:X0,Y0,X1,Y1 for the ellipse "
            "in it, in %1; then ,Z0,Z1 to limit it to some slices. F2 edits")
             .arg(unit));
}

/// Items are kept where they are the same, so that a name that is being edited is not lost.
void RegionList::fill() {
  const QSignalBlocker quiet(this);
  nameHeader();
  struct Line {
    int id;
    QString name, text;
    QIcon icon;
    bool editable;
  };
  std::vector<Line> lines;
  std::size_t colour = 0;
  for (const MeasuredRegion& one : measurements_.regions())
    lines.push_back({one.id, one.name, QString::fromStdString(format_region(one.region)),
                     ring(regionColour(colour++)), true});
  for (const Ruler& ruler : measurements_.rulers())
    lines.push_back({ruler.id, ruler.points.size() == 3 ? tr("angle") : tr("distance"),
                     measurements_.text(ruler), ring(rulerColour()), false});
  while (topLevelItemCount() > static_cast<int>(lines.size()))
    delete takeTopLevelItem(topLevelItemCount() - 1);
  for (int i = 0; i < static_cast<int>(lines.size()); ++i) {
    if (i >= topLevelItemCount()) addTopLevelItem(new QTreeWidgetItem);
    const Line& line = lines[static_cast<std::size_t>(i)];
    QTreeWidgetItem* item = topLevelItem(i);
    item->setData(0, Qt::UserRole, line.id);
    item->setText(0, line.name);
    item->setText(1, line.text);
    item->setIcon(0, line.icon);
    const auto flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    item->setFlags(line.editable ? flags | Qt::ItemIsEditable : flags);
  }
  showSelection();
}

void RegionList::showSelection() {
  const QSignalBlocker quiet(this);
  for (int i = 0; i < topLevelItemCount(); ++i)
    if (topLevelItem(i)->data(0, Qt::UserRole).toInt() == measurements_.selected())
      return setCurrentItem(topLevelItem(i));
  setCurrentItem(nullptr);
}

void RegionList::adoptEdit(QTreeWidgetItem* item, int column) {
  const int id = item->data(0, Qt::UserRole).toInt();
  const QString text = item->text(column).trimmed();
  if (column == 0) {
    measurements_.rename(id, text);
    return fill();  // an empty name is none
  }
  try {
    measurements_.setRegion(id, parse_region(QString(text).remove(QLatin1Char(' ')).toStdString(),
                                             item->text(0).toStdString()));
    emit problem({});
  } catch (const UsageError& error) {
    emit problem(QString::fromUtf8(error.what()));
  }
  fill();
}

void RegionList::removeSelected() {
  if (measurements_.selected() != 0) measurements_.remove(measurements_.selected());
}

void RegionList::keyPressEvent(QKeyEvent* event) {
  if (is_key(*event, "region.delete") && state() != EditingState) return removeSelected();
  QTreeWidget::keyPressEvent(event);
}

}  // namespace gantry
