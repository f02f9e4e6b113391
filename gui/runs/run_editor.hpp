#pragma once

#include "core/backend/backend_list.hpp"
#include "core/catalog/catalog.hpp"
#include "gui/worker/run_controller.hpp"

#include <QWidget>

class QAction;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QToolButton;

namespace gantry {

class AlgorithmChoice;
class DeviceChoice;

/// The form for the settings of one run, with its formula and its device. Editing never starts a
/// computation: PendingBar offers to apply what has changed.
class RunEditor : public QWidget {
  Q_OBJECT
 public:
  RunEditor(const Catalog& catalog, const BackendList& backends, ExperimentModel& model,
            RunController& controller, QWidget* parent = nullptr);

  /// Shows this run; -1 for none.
  void setRun(int id);
  /// Returns the switch that also lists the methods for the comparisons of published studies.
  QAction* studiesAction() const { return studies_; }
  /// Returns DeviceChoice::compareAction().
  QAction* compareAction() const;

 signals:
  /// Emitted with the id of the run that compareAction() added.
  void added(int id);
  /// Emitted with the SweepParam::id() of a parameter of the run.
  void sweepWanted(const QString& parameter);

 private:
  QFormLayout* addAdvanced();
  void addIdentity(QFormLayout* form);
  void addMethod(QFormLayout* form);
  AlgorithmChoice* addAlgorithm(const QString& name, std::string RunSpec::*key,
                                Params RunSpec::*params);
  void addStopping(QFormLayout* form, QFormLayout* advanced);
  void addCoarseStart(QFormLayout* form);
  QDoubleSpinBox* addRule(QFormLayout* form, const QString& label, const QString& help,
                          double RunSpec::*rule);
  void addStudies();
  void showRun();
  void showIterations(const RunSpec& spec);
  void showNoise();
  void showWeights(const RunSpec& spec);
  void showRelaxation();
  void disableUnsuitable();
  void showPrior(const RunSpec& spec);
  void edit(const QString& name, const std::function<void(RunSpec&)>& change);

  const Catalog& catalog_;
  const BackendList& backends_;
  ExperimentModel& model_;
  RunController& controller_;
  int id_ = -1;
  QAction* studies_;
  QWidget* advanced_;
  QToolButton* advancedSwitch_;
  QLineEdit* name_;
  QComboBox* colour_;
  AlgorithmChoice* solver_;
  AlgorithmChoice* prior_;
  AlgorithmChoice* projector_;
  AlgorithmChoice* format_;
  DeviceChoice* device_;
  QComboBox* weights_;
  QSpinBox* iterations_;
  QSpinBox* coarseLevels_;
  QSpinBox* coarseIterations_;
  QDoubleSpinBox* relativeUpdate_;
  QDoubleSpinBox* relativeObjective_;
  QDoubleSpinBox* relativeResidual_;
  QDoubleSpinBox* discrepancy_;
  QLabel* formula_;
  QLabel* relaxation_;
};

}  // namespace gantry
