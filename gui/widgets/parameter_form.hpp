#pragma once

#include "core/base/params.hpp"

#include <QString>
#include <QWidget>

#include <map>
#include <vector>

class QFormLayout;

namespace gantry {

/// A form that is built from parameter descriptions, with a row for each parameter: label, editor,
/// unit and help. Parameters without a value show their fallback.
class ParameterForm : public QWidget {
  Q_OBJECT
 public:
  explicit ParameterForm(QWidget* parent = nullptr);

  /// Shows these parameters with these values. The rows are kept when only values have changed, so
  /// that typing is not interrupted.
  void show(const std::vector<ParamSpec>& specs, const Params& values);

 signals:
  void edited(const QString& key, const gantry::ParamValue& value);

 private:
  QWidget* makeEditor(const ParamSpec& spec);
  QWidget* makeNumber(const ParamSpec& spec);
  QWidget* makeWhole(const ParamSpec& spec);
  void setValue(const ParamSpec& spec, const ParamValue& value);

  QFormLayout* layout_;
  std::vector<ParamSpec> specs_;
  std::map<std::string, QWidget*> editors_;
};

/// Returns the number of decimals for a step of this size, between 1 and 6.
int decimalsFor(double step);

}  // namespace gantry
