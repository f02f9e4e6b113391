#pragma once

#include "core/io/imports/raw_scan.hpp"
#include "gui/data/import_axis.hpp"
#include "gui/models/experiment_model.hpp"
#include "gui/widgets/number_box.hpp"

#include <QWidget>

#include <functional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace gantry {

class DataSetFields;
class PartFields;

/// The form for a scan of another program: what its files do not state, or state wrongly. Below it,
/// everything that was concluded from the files or taken for granted. Every change imports the scan
/// anew. Hidden for other data.
class ImportPanel : public QWidget {
  Q_OBJECT
 public:
  explicit ImportPanel(ExperimentModel& model, QWidget* parent = nullptr);

  /// Shows what the import of the present data assumed, and in the fields that are left open what
  /// was found instead.
  void setImported(const ScanGeometry& geometry, const std::vector<Assumption>& assumptions);

 signals:
  /// The settings have changed, by the form, undo or redo: the data are to be prepared, unless they
  /// are on their way.
  void importWanted();
  void remark(const QString& text);  ///< what else an edit has changed

 private:
  using Files = std::vector<std::string> ImportSettings::*;
  NumberBox* addNumber(const QString& name, const QString& label, const QString& tip);
  QPushButton* addFiles(const QString& label, const QString& tip, Files files);
  void addImages();
  void addAxes();
  void addAngles();
  void addMotion();
  void addValues();
  void edit(const QString& what, const std::function<void(ImportSettings&)>& change);
  void showModel();
  void showCentre();
  void showFound(const ScanGeometry* geometry, bool pixelIsKnown, bool arcIsAssumed);

  ExperimentModel& model_;
  ImportSettings shown_;
  FoundScan found_;
  int wholeColumns_;  ///< of the images
  DataSetFields* dataSets_;
  NumberBox *arc_, *pixel_, *sourceToAxis_, *sourceToDetector_, *centre_, *whiteLevel_;
  QCheckBox *open_, *lineIntegrals_;
  QPushButton *angles_, *flats_, *darks_;
  QComboBox *images_, *axes_, *average_, *motion_;
  QSpinBox* air_;
  PartFields* part_;
  QLineEdit* angleColumn_;
  QLabel* assumptions_;
};

}  // namespace gantry
