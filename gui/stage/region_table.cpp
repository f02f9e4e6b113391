#include "gui/stage/region_table.hpp"

#include "gui/widgets/palette.hpp"

#include <QFontInfo>
#include <QHeaderView>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

RegionTable::RegionTable(ExperimentModel& model, SliceBoard& board, ViewState& state,
                         QWidget* parent)
    : QTreeWidget(parent), model_(model), board_(board), state_(state) {
  setObjectName(QStringLiteral("regionTable"));
  setAccessibleName(tr("Statistics of the regions in every view"));
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  constexpr int dot_px = 10;
  setIconSize({dot_px, dot_px});
  nameColumns();
  header()->setStretchLastSection(false);
  headerItem()->setToolTip(3, tr("Standard deviation of the values in the region"));
  headerItem()->setToolTip(4, tr("Least value in the region"));
  headerItem()->setToolTip(5, tr("Greatest value in the region"));
  headerItem()->setToolTip(
      7, tr("Contrast-to-noise ratio of the chosen pair: |mean − mean of the background| over the "
            "deviation of the background"));
  header()->setSectionResizeMode(QHeaderView::Interactive);
  connect(&state_, &ViewState::unitChanged, this, [this] {
    nameColumns();
    showRows();
  });
  connect(&model_, &ExperimentModel::changed, this, &RegionTable::fill);
  connect(&board_.measurements(), &Measurements::changed, this, &RegionTable::fill);
  connect(&board_, &SliceBoard::shownImagesChanged, this, &RegionTable::fill);
}

/// Names the columns. Units stand in a second line, so that columns are narrower.
void RegionTable::nameColumns() {
  const QString mu = state_.valueUnit();
  const QString area = state_.lengthsAreKnown() ? tr("mm²") : tr("cells²");
  setHeaderLabels({tr("View"), tr("In"), tr("Mean,\n%1").arg(mu), tr("SD,\n%1").arg(mu),
                   tr("Min,\n%1").arg(mu), tr("Max,\n%1").arg(mu), tr("Area,\n%1").arg(area),
                   tr("CNR")});
}

void RegionTable::showEvent(QShowEvent* event) {
  QTreeWidget::showEvent(event);
  fill();
}

void RegionTable::resizeEvent(QResizeEvent* event) {
  QTreeWidget::resizeEvent(event);
  // Only a new width counts: the font that fitColumns() chooses itself changes the height of the
  // titles, and hence that of the room for rows.
  if (event->size().width() != event->oldSize().width()) fitColumns();
}

/// Makes the letters narrower, or restores their usual width.
void RegionTable::setNarrow(bool narrow) {
  constexpr double size = 0.9;
  QFont letters = parentWidget()->font();
  if (narrow) {
    letters.setPointSizeF(size * QFontInfo(letters).pointSizeF());
    letters.setStretch(QFont::SemiCondensed);
  }
  setFont(letters);
  header()->setFont(letters);
}

/// Makes every column as wide as its contents, and returns their sum.
int RegionTable::fitToContents() {
  int sum = 0;
  for (int column = 0; column < columnCount(); ++column) {
    resizeColumnToContents(column);
    sum += columnWidth(column);
  }
  return sum;
}

/// Makes all columns visible: where they need more room than there is, letters become narrower, and
/// then the columns of names are shortened. Where room remains, it is divided among the columns.
void RegionTable::fitColumns() {
  constexpr int narrowest = 36;
  const int room = viewport()->width();
  setNarrow(false);
  int sum = fitToContents();
  if (sum <= room) {
    for (int column = 0; column < columnCount(); ++column)
      setColumnWidth(column, columnWidth(column) + (room - sum) / columnCount());
    return;
  }
  setNarrow(true);
  sum = fitToContents();
  const int wanted = columnWidth(0) + columnWidth(1),
            names = std::max(2 * narrowest, wanted - std::max(0, sum - room)),
            regions = std::min(columnWidth(1), std::max(names / 2, names - columnWidth(0)));
  setColumnWidth(0, names - regions);
  setColumnWidth(1, regions);
}

/// Returns the rows without their values.
std::vector<RegionTable::Row> RegionTable::rows() const {
  std::vector<Row> all;
  const auto regions = board_.measurements().regions();
  for (const MeasuredImage& one : board_.measuredImages())
    for (const MeasuredRegion& region : regions)
      all.push_back({one.id, one.name, one.colour, region, one.image});
  return all;
}

/// Takes known values from the rows that are shown, and computes the others.
void RegionTable::compute(std::vector<Row>& rows) {
  for (Row& row : rows) {
    const auto known =
        std::ranges::find_if(shown_, [&](const Row& shown) { return shown.isOf(row); });
    if (known != shown_.end()) {
      row.stats = known->stats;
      continue;
    }
    row.stats = region_stats(*row.image, row.region.region);
    ++computations_;
  }
  const int roi = board_.measurements().roi(), background = board_.measurements().background();
  for (Row& row : rows) {
    if (row.region.id != roi || !row.stats) continue;
    const auto other = std::ranges::find_if(rows, [&](const Row& one) {
      return one.id == row.id && one.region.id == background && one.stats;
    });
    if (other != rows.end() && other->stats->values.deviation > 0)
      row.contrast = std::abs(row.stats->values.mean - other->stats->values.mean) /
                     other->stats->values.deviation;
  }
}

void RegionTable::fill() {
  if (!isVisible()) return;
  std::vector<Row> now = rows();
  compute(now);
  const bool same = std::ranges::equal(now, shown_, [](const Row& a, const Row& b) {
    return a.isOf(b) && a.id == b.id && a.name == b.name && a.colour == b.colour &&
           a.region == b.region && a.contrast == b.contrast;
  });
  if (same) return;
  shown_ = std::move(now);
  showRows();
}

void RegionTable::showRows() {
  clear();
  for (const Row& row : shown_)
    if (row.stats) show(row);
  fitColumns();
}

void RegionTable::show(const Row& row) {
  auto* item = new QTreeWidgetItem(this, {row.name, row.region.name});
  if (row.colour >= 0) item->setIcon(0, runIcon(row.colour));
  item->setToolTip(0, row.name);
  item->setToolTip(1, row.region.name);
  const RegionStats& stats = *row.stats;
  int column = 2;
  const auto add = [&](double value, char format, int digits) {
    if (!std::isnan(value)) item->setText(column, QString::number(value, format, digits));
    item->setTextAlignment(column++, Qt::AlignRight | Qt::AlignVCenter);
  };
  // HU are shown with one decimal, because significant digits do not suit values near 0.
  const char format = state_.inHu() ? 'f' : 'g';
  const auto digits = [this](int of_mu) { return state_.inHu() ? 1 : of_mu; };
  // Three digits suffice, because noise changes the third digit of deviation and extremes.
  add(state_.shownValue(stats.values.mean), format, digits(4));
  add(state_.shownDifference(stats.values.deviation), format, digits(3));
  add(state_.shownValue(stats.least), format, digits(3));
  add(state_.shownValue(stats.greatest), format, digits(3));
  add(stats.area_mm2, 'g', 4);
  add(row.contrast.value_or(nan_value), 'g', 4);
}

}  // namespace gantry
