#pragma once

#include "core/job/value_range.hpp"
#include "gui/models/experiment_model.hpp"

#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace gantry {

class Knob;
class PresetBox;
class SymmetryLabel;

/// Forms for the scan geometry and the reconstruction grid. They show the values of the experiment,
/// or, where the experiment sets none, those of the prepared data.
class GeometryPanel : public QWidget {
  Q_OBJECT
 public:
  explicit GeometryPanel(ExperimentModel& model, QWidget* parent = nullptr);

  /// Sets geometry and grid of the prepared data, and whether their lengths are known or in cells;
  /// the geometry is that before rebinning.
  void setPrepared(std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
                   bool lengthsAreKnown);
  /// Sets the fractional column of the ray through the axis, as an edit of the user.
  void setCentralColumn(double column);

 signals:
  /// Emitted when the geometry shown has changed, for the sketch.
  void shown(std::shared_ptr<const gantry::ScanGeometry> geometry, const gantry::VolumeGrid& grid);
  /// Emitted with the reason when the values in the forms are not a valid geometry; empty when they
  /// are valid.
  void problem(const QString& message);
  void sweepWanted(const QString& parameter);  ///< by SweepParam::id()

 private:
  /// One number of the geometry or grid.
  struct Field {
    QDoubleSpinBox* box;
    QLabel* label;
    std::function<double(const ScanSpec&, const VolumeGrid&)> get;
    std::function<bool(const ScanSpec&, const VolumeGrid&)> visible;
    QWidget* cell = nullptr;  // the box, or a row that holds it
    Knob* knob = nullptr;     // null: none
    /// Returns the range of the knob; nothing where the knob cannot be turned.
    std::function<std::optional<ValueRange>()> values = {};
    QToolButton* sweep = nullptr;  // null: none
    bool sweptIfMeasured = false;  // sweeps vary it in measured scans, or in simulated ones
  };
  struct Range {
    double low, high, step;
    int decimals;
    const char* knob = "";                                   // object name of its slider
    std::function<std::optional<ValueRange>()> values = {};  // of the slider; empty: none
    const char* sweep = "";                                  // SweepParam::id(); empty: no button
    bool sweptIfMeasured = false;  // whether measured scans are swept, or simulated ones
  };
  template <class Get, class Set, class Visible>
  void addField(QFormLayout* form, const QString& label, const QString& unit, const QString& help,
                Range range, Get get, Set set, Visible visible);
  void addChoices(QFormLayout* form);
  void addTilt(QFormLayout* form);
  QToolButton* sweepButton(const QString& name, const char* id);
  template <class Get, class Set>
  void addSpecField(QFormLayout* form, const QString& label, const QString& unit,
                    const QString& help, Range range, Get get, Set set,
                    bool (*visible)(const ScanSpec&));
  void addGantryFields(QFormLayout* form);
  void addDetectorFields(QFormLayout* form);
  void addGridFields(QFormLayout* form);
  void editSpec(const QString& name, const std::function<void(ScanSpec&)>& change);
  void editGrid(const QString& name, const std::function<void(VolumeGrid&)>& change);
  ScanSpec spec() const;
  VolumeGrid grid() const;
  std::optional<ValueRange> viewsToTry() const;
  std::optional<ValueRange> centresToTry() const;
  bool measured() const { return model_.experiment().source.kind == SourceKind::scan; }
  void showModel();
  void showChoices(const ScanSpec& spec);
  void showTilt(const ScanSpec& spec);
  void showTrajectories(const ScanSpec& spec);
  void editPoses();
  void rebin(bool on);
  void fitCircle();
  void showCircle();
  void showRebinning(const ScanSpec& spec);

  ExperimentModel& model_;
  std::shared_ptr<const ScanGeometry> preparedGeometry_;
  VolumeGrid preparedGrid_ = VolumeGrid::centered(512, 512, 1, {0.5, 0.5, 0.5});
  QFormLayout* form_;
  PresetBox* preset_;
  QComboBox* beam_;
  QComboBox* detector_;
  QComboBox* trajectory_;
  QLabel* trajectoryName_;
  QCheckBox* rebin_;  ///< cone beams only
  QLabel* poses_;     ///< number of free poses
  QPushButton* editPoses_;
  QLabel* tiltName_;
  QToolButton* sweepTilt_;
  SymmetryLabel* symmetry_;
  QPushButton* reset_;
  QPushButton* fit_;
  QPushButton* circle_;  ///< fits the grid to the field of view
  std::vector<Field> fields_;
  bool isTrying_ = false;  // a knob is being dragged: edits are tried, not made
};

}  // namespace gantry
