#include "gui/help/formula_panel.hpp"

#include "core/base/error.hpp"
#include "core/job/run_prior.hpp"

#include <QCoreApplication>
#include <QRegularExpression>

#include <array>

namespace gantry {

namespace {

/// A symbol that formulas of the catalogue share, as a regular expression, and what it means.
struct Symbol {
  const char* pattern;
  const char* shown;
  const char* meaning;
};
constexpr std::array symbols_of_formulas = {
    Symbol{"\\bA\\b|Aᵀ", "A",
           QT_TRANSLATE_NOOP("Formula", "the system matrix: %1 rays, %2 voxels")},
    Symbol{"Aᵀ", "Aᵀ", QT_TRANSLATE_NOOP("Formula", "its transpose, the backprojection")},
    Symbol{"\\bb\\b", "b", QT_TRANSLATE_NOOP("Formula", "the measured line integrals")},
    Symbol{"\\bp\\b", "p", QT_TRANSLATE_NOOP("Formula", "the measured line integrals, corrected")},
    Symbol{"C Aᵀ R", "C",
           QT_TRANSLATE_NOOP("Formula", "the inverse sums of A's columns, on a diagonal")},
    Symbol{"C Aᵀ R", "R",
           QT_TRANSLATE_NOOP("Formula", "the inverse sums of A's rows, on a diagonal")},
    Symbol{"\\bx\\b|xⱼ", "x", QT_TRANSLATE_NOOP("Formula", "the image: attenuation, 1/mm")},
    Symbol{"aᵢ", "aᵢ", QT_TRANSLATE_NOOP("Formula", "row i of A: the weights of one ray")},
    Symbol{"bᵢ", "bᵢ", QT_TRANSLATE_NOOP("Formula", "the line integral along ray i")},
    Symbol{"_W\\b|\\bW\\b", "W", QT_TRANSLATE_NOOP("Formula", "the weights of the rays")},
    Symbol{"\\bR\\(x\\)|∇R|∂R", "R(x)",
           QT_TRANSLATE_NOOP("Formula", "the prior: a penalty on the image")},
    Symbol{"s_v", "s<sub>v</sub>", QT_TRANSLATE_NOOP("Formula", "the weight of view v")},
    Symbol{"Q_v", "Q<sub>v</sub>",
           QT_TRANSLATE_NOOP("Formula", "the filtered view v, backprojected")}};

QString text_of(const std::string& text) { return QString::fromStdString(text); }

QString row(const QString& first, const QString& second) {
  return QStringLiteral("<tr><td style=\"padding-right:12px\"><b>%1</b></td><td>%2</td></tr>")
      .arg(first, second);
}

QString displayed(const std::string& formula) {
  return QStringLiteral("<p style=\"font-family:serif; font-size:large\">%1</p>")
      .arg(typeset(text_of(formula)));
}

/// Returns rows of the parameters with their present values.
QString parameters(const std::vector<ParamSpec>& specs, const Params& given,
                   const std::string& owner) {
  QString rows;
  const Params values = resolve_params(given, specs, owner);
  for (const ParamSpec& spec : specs) {
    const ParamValue& value = values.values().at(spec.key);
    QString text = text_of(format_param(value)).toHtmlEscaped();
    if (!spec.unit.empty()) text += QLatin1Char(' ') + text_of(spec.unit).toHtmlEscaped();
    if (!spec.help.empty())
      text += QStringLiteral("<br/><small>%1</small>").arg(text_of(spec.help).toHtmlEscaped());
    rows += row(text_of(spec.label).toHtmlEscaped(), text);
  }
  return rows;
}

QString table(const QString& title, const QString& rows) {
  return rows.isEmpty()
             ? QString()
             : QStringLiteral("<h4>%1</h4><table cellspacing=\"4\">%2</table>").arg(title, rows);
}

}  // namespace

QString typeset(const QString& formula) {
  static const QRegularExpression subscript(QStringLiteral("(\\S)_(\\w+)"));
  return formula.toHtmlEscaped().replace(subscript, QStringLiteral("\\1<sub>\\2</sub>"));
}

FormulaPanel::FormulaPanel(const Catalog& catalog, ExperimentModel& model,
                           RunController& controller, QWidget* parent)
    : QTextBrowser(parent), catalog_(catalog), model_(model), controller_(controller) {
  setObjectName(QStringLiteral("formulaText"));
  setAccessibleName(tr("The method of the selected run"));
  setFrameShape(QFrame::NoFrame);
  connect(&model_, &ExperimentModel::changed, this, &FormulaPanel::refresh);
  connect(&controller_, &RunController::dataChanged, this, &FormulaPanel::refresh);
  refresh();
}

void FormulaPanel::setRun(int id) {
  run_ = id;
  refresh();
}

void FormulaPanel::refresh() {
  QString html = page(run_);
  if (html.isEmpty()) html = QStringLiteral("<p>%1</p>").arg(tr("Select a run."));
  if (html == shown_) return;  // setHtml would lose the scroll position
  shown_ = html;
  setHtml(html);
}

/// Returns the formulas of a method: its own and, where that names another method, that method's.
QString FormulaPanel::line(int id) const {
  if (model_.run(id) == nullptr) return {};
  QString line = QStringLiteral("<b>%1</b>").arg(text_of(controller_.label(id)).toHtmlEscaped());
  for (const auto& [of, formula] : formulas(controller_.computed(id)))
    line += QStringLiteral(" &nbsp; ") +
            (of.isEmpty() ? QString() : QStringLiteral("%1: ").arg(of.toHtmlEscaped())) +
            typeset(text_of(formula));
  return line;
}

std::vector<std::pair<QString, std::string>> FormulaPanel::formulas(const RunSpec& run) const {
  const auto& solver = catalog_.solvers.at(run.solver);
  std::vector<std::pair<QString, std::string>> all{{QString(), solver.formula}};
  for (const auto& other : catalog_.solvers.entries())
    if (other.key != solver.key && solver.formula.find(other.label + "'s") != std::string::npos)
      all.emplace_back(text_of(other.label), other.formula);
  return all;
}

QString FormulaPanel::symbols(const QString& formulas) const {
  QString rows;
  const auto prepared = controller_.data();
  for (const Symbol& symbol : symbols_of_formulas) {
    const QRegularExpression occurs(QString::fromUtf8(symbol.pattern),
                                    QRegularExpression::UseUnicodePropertiesOption);
    if (!formulas.contains(occurs)) continue;
    QString meaning = QCoreApplication::translate("Formula", symbol.meaning);
    if (meaning.contains(QLatin1String("%1"))) {
      if (prepared == nullptr) continue;
      const double rays = static_cast<double>(prepared->geometry->cells()) *
                          static_cast<double>(prepared->geometry->views());
      meaning = meaning.arg(rays, 0, 'f', 0).arg(prepared->grid.voxels());
    }
    rows += row(QString::fromUtf8(symbol.shown), meaning);
  }
  return table(tr("Symbols"), rows);
}

QString FormulaPanel::page(int id) const {
  const RunSpec* run = model_.run(id);
  if (run == nullptr) return {};
  const auto& solver = catalog_.solvers.at(run->solver);
  QString html = QStringLiteral("<h3>%1</h3>").arg(text_of(solver.label)), all;
  for (const auto& [of, formula] : formulas(*run)) {
    if (!of.isEmpty()) html += QStringLiteral("<p>%1:</p>").arg(of);
    html += displayed(formula);
    all += text_of(formula) + QLatin1Char('\n');
  }
  try {
    QString rows = parameters(solver.params, run->solver_params, solver.key);
    const std::string key = prior_of(*run, catalog_);
    if (!key.empty()) {
      const auto& prior = catalog_.priors.at(key);
      html += QStringLiteral("<h4>%1: %2</h4>").arg(tr("Prior R(x)"), text_of(prior.label)) +
              displayed(prior.formula);
      all += text_of(prior.formula);
      rows += parameters(prior.params, run->prior_params, key);
    }
    html += symbols(all) + table(tr("Parameters"), rows);
  } catch (const Error& error) {
    html += QStringLiteral("<p>%1</p>").arg(QString::fromUtf8(error.what()).toHtmlEscaped());
  }
  if (!solver.references.empty())
    html += QStringLiteral("<p><small>%1</small></p>").arg(text_of(solver.references));
  return html;
}

}  // namespace gantry
