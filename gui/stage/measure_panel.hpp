#pragma once

#include "gui/stage/slice_board.hpp"

#include <QWidget>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QToolButton;
class QTreeWidget;

namespace gantry {

class RegionList;
class RegionTable;

/// Measuring in the views: tools that draw regions, distances and angles; the list of them; the
/// pair of regions of the contrast-to-noise ratio and the edge, which can be typed as well; and
/// tables of what they give for every run.
class MeasurePanel : public QWidget {
  Q_OBJECT
 public:
  MeasurePanel(const Catalog& catalog, ExperimentModel& model, RunController& controller,
               ViewState& state, SliceBoard& board, QWidget* parent = nullptr);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeTools();
  QWidget* makePair();
  QWidget* makeExports();
  void makeValues();
  QWidget* makeRow(QWidget* first, QWidget* second);
  static QString drawHelp();
  QToolButton* makeDrawButton(DrawMode mode, const QString& text, const QString& tip);
  QComboBox* makeChoice(const QString& name, const QString& tip);
  QLineEdit* makeField(const QString& name, const QString& label, const QString& form,
                       const std::function<void(MeasurementRegions&, const std::string&)>& set);
  void takeProfile();
  void takeWater();
  std::shared_ptr<const SliceImage> activeSlice() const;
  void showRegions();
  void showTools();
  void showWater();
  void showChoices();
  void showHeader();
  void showValues();
  void showExtent();
  void showProblem(const QString& problem);

  const Catalog& catalog_;
  ExperimentModel& model_;
  RunController& controller_;
  ViewState& state_;
  SliceBoard& board_;
  Measurements& measurements_;
  QComboBox* roiChoice_;
  QComboBox* backgroundChoice_;
  QLineEdit* roi_;
  QLineEdit* background_;
  QLineEdit* edge_;
  std::vector<std::pair<DrawMode, QToolButton*>> drawButtons_;
  QLabel* hint_;  // shown while regions are drawn
  QToolButton* takeProfile_;
  QToolButton* delete_;
  QToolButton* water_;
  QComboBox* shape_;
  RegionList* list_;
  QLabel* problem_;
  std::map<QLineEdit*, std::string> shownValues_;  ///< of the experiment, by field
  bool isTyped_ = false;  ///< the present edit of the experiment comes from a field
  QString said_;          ///< in the place of a problem: what was done last
  QLabel* extent_;        ///< says over which slices the metrics are
  QTreeWidget* values_;
  RegionTable* table_;
};

}  // namespace gantry
