#include "gui/track/chart_csv.hpp"

#include "gui/render/chart_scene.hpp"

#include <QStringList>

namespace gantry {

namespace {

QString quoted(const std::string& text) {
  return QStringLiteral("\"%1\"").arg(
      QString::fromStdString(text).replace(QLatin1Char('"'), QLatin1String("\"\"")));
}

QString line(std::initializer_list<double> numbers) {
  QStringList words;
  for (const double number : numbers) words << QString::number(number, 'g', 9);
  return words.join(QLatin1Char(',')) + QLatin1Char('\n');
}

}  // namespace

QString chart_csv(const ChartScene& chart, const QString& caption) {
  QString text = caption.isEmpty() ? QString() : QStringLiteral("# %1\n").arg(caption);
  if (const auto& histogram = chart.model().histogram()) {
    text += QStringLiteral("%1,,\"pixels\"\n").arg(quoted(chart.titleX().text()));
    for (std::size_t i = 0; i < histogram->counts.size(); ++i)
      text += line({histogram->edges[i], histogram->edges[i + 1], histogram->counts[i]});
    return text;
  }
  text += QStringLiteral("\"curve\",%1,%2\n")
              .arg(quoted(chart.titleX().text()), quoted(chart.titleY().text()));
  for (const ChartSeries& curve : chart.model().series())
    for (std::size_t i = 0; i < curve.xs.size(); ++i)
      text += quoted(curve.style.label) + QLatin1Char(',') + line({curve.xs[i], curve.ys[i]});
  return text;
}

}  // namespace gantry
