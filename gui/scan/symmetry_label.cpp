#include "gui/scan/symmetry_label.hpp"

#include "core/geometry/symmetry.hpp"

#include <QStringList>

#include <algorithm>
#include <utility>
#include <vector>

namespace gantry {

namespace {

/// Groups the failing elements by reason; reasons are in the order in which they first occur.
std::vector<std::pair<QString, QStringList>> by_reason(const ScanSymmetry& symmetry) {
  std::vector<std::pair<QString, QStringList>> groups;
  for (const ScanSymmetry::Failure& failure : symmetry.failures()) {
    const QString reason = QString::fromStdString(failure.reason);
    auto group = std::ranges::find(groups, reason, &std::pair<QString, QStringList>::first);
    if (group == groups.end()) group = groups.insert(group, {reason, {}});
    group->second.push_back(QString::fromStdString(describe(failure.element)));
  }
  return groups;
}

}  // namespace

SymmetryLabel::SymmetryLabel(QWidget* parent) : QLabel(parent) {
  setObjectName(QStringLiteral("symmetry"));
  setWordWrap(true);
  setTextFormat(Qt::PlainText);
}

void SymmetryLabel::showSymmetry(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const ScanSymmetry symmetry = analyse_symmetry(geometry, grid);
  setText(tr("Symmetry: %1").arg(QString::fromStdString(describe(symmetry))));
  QStringList held;
  for (const SymmetryElement& g : symmetry.elements())
    held.push_back(QString::fromStdString(describe(g)));
  QString help = QStringLiteral("<p><b>%1</b> %2</p>")
                     .arg(tr("Maps the scan onto itself:"), held.join(QStringLiteral("; ")));
  for (const auto& [reason, elements] : by_reason(symmetry))
    help += QStringLiteral("<p><b>%1.</b> %2 %3</p>")
                .arg(reason.toHtmlEscaped(), tr("Not:"),
                     elements.join(QStringLiteral("; ")).toHtmlEscaped());
  setToolTip(help);
}

}  // namespace gantry
