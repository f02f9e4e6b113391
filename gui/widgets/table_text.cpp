#include "gui/widgets/table_text.hpp"

#include <QStringList>
#include <QTreeWidget>

namespace gantry {

namespace {

bool is_number(const QString& word) {
  bool is = false;
  word.toDouble(&is);
  return is;
}

/// Calls line(words) with the titles and with each row.
template <class Line>
void for_each_line(const QTreeWidget& table, const Line& line) {
  const auto words = [&](const QTreeWidgetItem& item) {
    QStringList all;
    for (int column = 0; column < table.columnCount(); ++column)
      all << item.text(column).replace(QLatin1Char('\n'), QLatin1Char(' '));
    return all;
  };
  line(words(*table.headerItem()));
  for (int i = 0; i < table.topLevelItemCount(); ++i) line(words(*table.topLevelItem(i)));
}

QString quoted(const QString& word) {
  QString text = word;
  return QStringLiteral("\"%1\"").arg(text.replace(QLatin1Char('"'), QLatin1String("\"\"")));
}

QString for_latex(const QString& word) {
  if (is_number(word) && word.contains(QLatin1Char('e'))) {
    const QStringList parts = word.split(QLatin1Char('e'));
    return QStringLiteral("$%1 \\cdot 10^{%2}$").arg(parts[0]).arg(parts[1].toInt());
  }
  QString text;
  for (const QChar c : word) {
    if (QStringLiteral("&%$#_{}").contains(c)) text += QLatin1Char('\\');
    if (c == QLatin1Char('\\'))
      text += QStringLiteral("\\textbackslash{}");
    else if (c == QLatin1Char('~') || c == QLatin1Char('^'))
      text += QStringLiteral("\\%1{}").arg(c);
    else
      text += c;
  }
  return text;
}

}  // namespace

QString csv_of(const QTreeWidget& table) {
  QString text;
  for_each_line(table, [&](const QStringList& words) {
    QStringList cells;
    for (const QString& word : words)
      cells << (word.isEmpty() || is_number(word) ? word : quoted(word));
    text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
  });
  return text;
}

QString latex_of(const QTreeWidget& table) {
  QString columns, body;
  for (int column = 0; column < table.columnCount(); ++column) {
    bool numbers = false;
    for (int i = 0; i < table.topLevelItemCount() && !numbers; ++i)
      numbers = is_number(table.topLevelItem(i)->text(column));
    columns += QLatin1Char(numbers ? 'r' : 'l');
  }
  int lines = 0;
  for_each_line(table, [&](const QStringList& words) {
    QStringList cells;
    for (const QString& word : words) cells << for_latex(word);
    body += cells.join(QStringLiteral(" & ")) + QStringLiteral(" \\\\\n");
    if (lines++ == 0) body += QStringLiteral("\\hline\n");
  });
  return QStringLiteral("\\begin{tabular}{%1}\n\\hline\n%2\\hline\n\\end{tabular}\n")
      .arg(columns, body);
}

}  // namespace gantry
