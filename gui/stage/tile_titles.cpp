#include "gui/stage/tile_titles.hpp"

#include <algorithm>

namespace gantry {

namespace {

const QString between = QStringLiteral(", "), left_out = QStringLiteral("…"),
              space = QStringLiteral(" ");

/// Returns the settings in a title that at least one other title of the same method lacks.
QStringList telling_settings(const QStringList& parts, const std::vector<QStringList>& same) {
  QStringList telling;
  for (const QString& setting : parts.mid(1))
    if (std::ranges::any_of(same,
                            [&](const QStringList& other) { return !other.contains(setting); }))
      telling << setting;
  return telling;
}

QStringList forms_of(const QStringList& parts, const std::vector<QStringList>& same) {
  const QStringList telling = telling_settings(parts, same);
  QStringList forms;
  if (telling.size() + 1 < parts.size())
    forms << (parts.mid(0, 1) + telling).join(between) + space + left_out;
  if (!telling.isEmpty()) forms << left_out + space + telling.join(between);
  return forms;
}

}  // namespace

std::vector<QStringList> short_forms(const QStringList& titles) {
  std::vector<QStringList> parts, forms;
  for (const QString& title : titles) parts.push_back(title.split(between));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::vector<QStringList> same;
    for (std::size_t j = 0; j < parts.size(); ++j)
      if (j != i && parts[j].front() == parts[i].front()) same.push_back(parts[j]);
    forms.push_back(forms_of(parts[i], same));
  }
  return forms;
}

}  // namespace gantry
