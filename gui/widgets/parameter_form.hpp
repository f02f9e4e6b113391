#pragma once

#include "core/base/params.hpp"

#include <QString>
#include <QWidget>

#include <map>
#include <vector>

class QFormLayout;

namespace gantry {

/// A form made from parameter descriptions: a row each, with unit and help. Values that are not set
/// show the fallback.
class ParameterForm : public QWidget {
  Q_OBJECT
 public:
  explicit ParameterForm(QWidget* parent = nullptr);

  /// Shows these parameters with these values. The rows are kept when only values changed, so that
  /// typing goes on.
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

/// Decimals that a step of this size needs, between 1 and 6.
int decimalsFor(double step);

}  // namespace gantry
