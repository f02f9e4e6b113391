// Texts on the outcome of a race.
#include "gui/stage/sweep/race_board.hpp"

#include <algorithm>

namespace gantry {

QString RaceBoard::levelText(double level) const {
  return QStringLiteral("%1 %2%3")
      .arg(QString::fromStdString(shown_.race.criterion.label))
      .arg(level, 0, 'g', 3)
      .arg(unitAfter(shown_.race.criterion));
}

/// Returns "; measured over: all voxels", if the metrics of the runs now have another mask.
QString RaceBoard::maskText() const {
  const QString other =
      shown_.results.empty() ? QString() : controller_.otherMask(shown_.results[0].reference);
  return other.isEmpty() ? other : tr("; measured over: %1").arg(other);
}

/// Returns "RMSE 0.0021 1/mm: first “SART, λ 0.5” after 0.31 s; fewest products “CGLS” with 18".
/// All methods with the fewest products are named.
QString RaceBoard::verdict() const {
  const auto level = level_of(shown_.race, shown_.results);
  std::vector<Arrival> all = order();
  std::erase_if(all, [](const Arrival& arrival) { return !arrival.entry; });
  if (!level || all.empty())
    return level ? tr("%1: no method reached it").arg(levelText(*level))
                 : tr("No method has a value of %1")
                       .arg(QString::fromStdString(shown_.race.criterion.label));
  const auto name = [this](const Arrival& one) {
    return QString::fromStdString(shown_.labels[one.run]);
  };
  const auto made = [](const Arrival& one) { return one.entry->report.applications; };
  const double fewest = made(*std::ranges::min_element(all, {}, made));
  QStringList sparing;
  for (const Arrival& one : all)
    if (made(one) == fewest) sparing << QStringLiteral("“%1”").arg(name(one));
  const QString text = tr("%1: first “%2” after %3 s; fewest products %4 with %5")
                           .arg(levelText(*level), name(all.front()))
                           .arg(all.front().entry->report.seconds, 0, 'g', 3)
                           .arg(sparing.join(tr(" and ")))
                           .arg(fewest, 0, 'g', 4) +
                       maskText();
  return shown_.is_disturbed ? tr("%1. A run computed during the race: so the seconds are not "
                                  "comparable")
                                   .arg(text)
                             : text;
}

}  // namespace gantry
