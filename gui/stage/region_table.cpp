#include "gui/stage/region_table.hpp"

#include "gui/stage/region_stats.hpp"
#include "gui/widgets/palette.hpp"

#include <QHeaderView>

namespace gantry {

RegionTable::RegionTable(const Catalog& catalog, ExperimentModel& model, SliceBoard& board,
                         ViewState& state, QWidget* parent)
    : QTreeWidget(parent), catalog_(catalog), model_(model), board_(board), state_(state) {
  setObjectName(QStringLiteral("regionTable"));
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setHeaderLabels({tr("View"), tr("In"), tr("Mean, 1/mm"), tr("Deviation"), tr("Least"),
                   tr("Greatest"), tr("Area, mm²")});
  header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  connect(&model_, &ExperimentModel::changed, this, &RegionTable::fill);
  connect(&board_, &SliceBoard::shownImagesChanged, this, &RegionTable::fill);
}

void RegionTable::showEvent(QShowEvent* event) {
  QTreeWidget::showEvent(event);
  fill();
}

void RegionTable::fill() {
  if (!isVisible()) return;
  clear();
  const MeasurementRegions& regions = model_.experiment().metrics.regions;
  const auto add = [&](int id, const QString& name, const QIcon& icon, const QString& where,
                       const std::optional<Region>& region) {
    const auto slice = board_.slice(id, state_.axis(), state_.slice());
    const auto stats = region && slice != nullptr ? region_stats(*slice, *region) : std::nullopt;
    if (!stats) return;
    auto* item = new QTreeWidgetItem(this, {name, where});
    item->setIcon(0, icon);
    int column = 2;
    for (const double value : {stats->values.mean, stats->values.deviation, stats->least,
                               stats->greatest, stats->area_mm2}) {
      item->setText(column, QString::number(value, 'g', 4));
      item->setTextAlignment(column++, Qt::AlignRight | Qt::AlignVCenter);
    }
  };
  const auto add_both = [&](int id, const QString& name, const QIcon& icon) {
    add(id, name, icon, tr("region"), regions.roi);
    add(id, name, icon, tr("background"), regions.background);
  };
  add_both(SliceTile::referenceId, tr("reference"), {});
  for (const int id : model_.runIds())
    add_both(id, QString::fromStdString(run_label(board_.computed(id), catalog_)),
             runIcon(model_.run(id)->colour));
}

QString RegionTable::csv() const {
  QString text;
  const auto line = [&](const auto& cell) {
    for (int column = 0; column < columnCount(); ++column) {
      const QString word = cell(column);
      const bool is_number = column >= 2 && !word.contains(QLatin1Char(' '));
      text += column == 0 ? QString() : QStringLiteral(",");
      text += is_number ? word : QStringLiteral("\"%1\"").arg(word);
    }
    text += QLatin1Char('\n');
  };
  line([this](int column) { return headerItem()->text(column); });
  for (int i = 0; i < topLevelItemCount(); ++i)
    line([&](int column) { return topLevelItem(i)->text(column); });
  return text;
}

}  // namespace gantry
