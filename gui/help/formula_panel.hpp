#pragma once

#include "gui/worker/run_controller.hpp"

#include <QTextBrowser>

#include <string>
#include <utility>
#include <vector>

namespace gantry {

/// Shows the method of the selected run: what it computes, its prior, the symbols with their
/// meaning, and its parameters with their present values. Formulas and parameters come from the
/// catalogue; the notation is the same in all formulas and is explained here.
class FormulaPanel : public QTextBrowser {
  Q_OBJECT
 public:
  FormulaPanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
               QWidget* parent = nullptr);

  void setRun(int id);
  /// Returns the page of a run; empty for an unknown run.
  QString page(int id) const;
  /// Returns name and formula of a run in one line, as HTML, with the formulas that it refers to;
  /// empty for an unknown run.
  QString line(int id) const;

 private:
  void refresh();
  std::vector<std::pair<QString, std::string>> formulas(const RunSpec& run) const;
  QString symbols(const QString& formulas) const;

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  int run_ = -1;
  QString shown_;
};

/// Returns a formula of the catalogue as HTML: what follows a letter and "_" becomes a subscript.
QString typeset(const QString& formula);

}  // namespace gantry
