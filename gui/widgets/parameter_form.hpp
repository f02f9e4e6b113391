#pragma once

#include "core/base/params.hpp"

#include <QString>
#include <QWidget>

#include <map>
#include <vector>

class QComboBox;
class QFormLayout;

namespace gantry {

/// A form that is built from parameter descriptions, with a row for each parameter: label, editor,
/// unit and help. Parameters without a value show their fallback. Choices that only serve
/// comparisons with published studies are offered only on request (setShowsStudies), or where they
/// are the value; a parameter that leaves no choice is hidden.
class ParameterForm : public QWidget {
  Q_OBJECT
 public:
  explicit ParameterForm(QWidget* parent = nullptr);

  /// Shows these parameters with these values. The rows are kept when only values have changed, so
  /// that typing is not interrupted.
  void show(const std::vector<ParamSpec>& specs, const Params& values);
  void setShowsStudies(bool shows);

 signals:
  void edited(const QString& key, const gantry::ParamValue& value);

 private:
  void addRow(const ParamSpec& spec);
  QWidget* makeEditor(const ParamSpec& spec);
  QWidget* makeNumber(const ParamSpec& spec);
  QWidget* makeWhole(const ParamSpec& spec);
  /// Shows the row of a parameter with the choices that are offered beside `value`, or hides it.
  void offer(const ParamSpec& spec, const ParamValue& value);
  void setValue(const ParamSpec& spec, const ParamValue& value);

  QFormLayout* layout_;
  std::vector<ParamSpec> specs_;
  Params values_;
  bool showsStudies_ = false;
  std::map<std::string, QWidget*> editors_;
};

/// Inserts an item with this text and data at a row of a box, or removes the item there, so that
/// the box has the item exactly if it is `offered`. An item that stays is not touched, because the
/// list may be open. Returns `offered`.
bool offerItem(QComboBox& box, int row, const QString& text, const QString& data, bool offered);

/// Returns the number of decimals for a step of this size, between 1 and 6.
int decimalsFor(double step);

}  // namespace gantry
