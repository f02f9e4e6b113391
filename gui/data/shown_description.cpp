#include "gui/data/shown_description.hpp"

#include <QStringList>

#include <algorithm>

namespace gantry {

QString shown_description(const ExperimentData& data, const Catalog& catalog) {
  const QString all = QString::fromStdString(data.description),
                corrected = QStringLiteral(", corrected: "), comma = QStringLiteral(", ");
  const qsizetype at = all.lastIndexOf(corrected);
  if (at < 0) return all;
  const qsizetype keys = at + corrected.size();
  QStringList names;
  for (const QString& key : all.mid(keys).split(comma)) {
    const auto& known = catalog.corrections.entries();
    const auto found = std::ranges::find_if(
        known, [&](const auto& entry) { return entry.key == key.toStdString(); });
    names << (found == known.end() ? key : QString::fromStdString(found->label));
  }
  return all.left(keys) + names.join(comma);
}

}  // namespace gantry
