#pragma once

#include "core/io/imports/import_settings.hpp"

#include <QObject>
#include <QString>

#include <array>
#include <functional>
#include <vector>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace gantry {

/// The rows of the import form that say which frames are flats or darks, how images are turned,
/// which part of them is imported, and which columns are added to it.
class PartFields : public QObject {
  Q_OBJECT
 public:
  explicit PartFields(QFormLayout* form);

  void show(const ImportSettings& settings);

 signals:
  /// The user has changed a field; `what` names the change, for undo.
  void edited(const QString& what, const std::function<void(ImportSettings&)>& change);

 private:
  struct Range {
    CellRange FramePart::*range;
    QLineEdit* line;
  };
  struct Frames {
    std::vector<CellRange> ImportSettings::*frames;
    QLineEdit* line;
  };
  using Count = std::function<int&(ImportSettings&)>;
  QLineEdit* addLine(const QString& name, const QString& label, const QString& hint,
                     const QString& tip, const QString& pattern);
  Frames addFrames(const QString& name, const QString& label, const QString& tip,
                   std::vector<CellRange> ImportSettings::*frames);
  Range addRange(const QString& name, const QString& label, const QString& tip,
                 CellRange FramePart::*range);
  QSpinBox* addCount(const QString& name, const QString& label, const QString& tip, int least,
                     int most, const Count& count);
  void addPadding();
  QComboBox* addCombo(const QString& name, const QString& label, const QString& tip);
  void addTurn();

  QFormLayout* form_;
  ImportSettings shown_;
  std::array<Frames, 2> frames_;
  std::array<Range, 2> ranges_;
  QSpinBox *bin_, *every_, *pad_;
  QComboBox *padWith_, *turn_, *mirror_;
};

}  // namespace gantry
