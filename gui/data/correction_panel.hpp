#pragma once

#include "core/catalog/catalog.hpp"
#include "gui/models/experiment_model.hpp"

#include <QWidget>

#include <functional>
#include <string>
#include <vector>

class QCheckBox;
class QMenu;
class QToolButton;
class QVBoxLayout;

namespace gantry {

class ParameterForm;

/// The corrections of a measured scan, in the order in which they are applied: each with its
/// parameters, a box that switches it off without losing these, and buttons that move or remove it.
/// Below them, a menu of the catalogue's corrections adds one. While a slider is dragged, the slice
/// of the preview follows; every change, undo and redo included, prepares the data anew. Hidden for
/// simulated data.
class CorrectionPanel : public QWidget {
  Q_OBJECT
 public:
  CorrectionPanel(const Catalog& catalog, ExperimentModel& model, QWidget* parent = nullptr);

 signals:
  /// The experiment has other corrections than before: the data may have to be prepared.
  void correctionsChanged();
  void sweepWanted(const QString& parameter);  ///< by SweepParam::id()

 private:
  struct Card {
    QWidget* frame;
    QCheckBox* on;
    ParameterForm* form;
    QToolButton *earlier, *later, *remove;
  };
  using Steps = std::vector<CorrectionSpec>;

  QToolButton* makeAddButton();
  QToolButton* addButton(QWidget* card, const QString& icon, const QString& name,
                         const QString& help);
  /// Makes the card of the step of this index.
  Card makeCard(std::size_t index, const AlgorithmInfo& info);
  void edit(const QString& what, const std::function<void(Steps&)>& change);
  void move(std::size_t index, bool later);
  void showModel();
  void showNewest();
  void rebuild(const Steps& steps);

  const Catalog& catalog_;
  ExperimentModel& model_;
  QVBoxLayout* column_;  // of the cards
  std::vector<Card> cards_;
  Steps shown_;
};

}  // namespace gantry
