#pragma once

#include "gui/stage/slice_board.hpp"

#include <QWidget>

#include <functional>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QToolButton;
class QTreeWidget;

namespace gantry {

class RegionTable;
class SliceBoard;

/// The form for the measurement regions (region of interest, background, edge), which can be drawn
/// or typed, and a table of the metrics that they give for every run.
class MeasurePanel : public QWidget {
  Q_OBJECT
 public:
  MeasurePanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
               ViewState& state, SliceBoard& board, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeRow(QLineEdit* field, QToolButton* button);
  QToolButton* makeDrawButton(DrawMode mode, const QString& tip);
  QLineEdit* makeField(const QString& name, const QString& form,
                       const std::function<void(MeasurementRegions&, const std::string&)>& set);
  void takeProfile();
  void showRegions();
  void showValues();
  void showProblem(const QString& problem);

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  ViewState& state_;
  QLineEdit* roi_;
  QLineEdit* background_;
  QLineEdit* edge_;
  QToolButton* drawRoi_;
  QToolButton* drawBackground_;
  QToolButton* takeProfile_;
  QComboBox* shape_;
  QLabel* problem_;
  QTreeWidget* values_;
  RegionTable* table_;
};

}  // namespace gantry
