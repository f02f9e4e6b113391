#pragma once

#include "core/base/params.hpp"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

class QComboBox;
class QFormLayout;
class QWidget;

namespace gantry {

class ParameterForm;

/// An algorithm of a registry to choose, and its parameters: a box whose entries say in their tool
/// tips what they are, and a form below it.
class AlgorithmChoice : public QObject {
  Q_OBJECT
 public:
  /// `name` is the object name of the box.
  AlgorithmChoice(const QString& name, QWidget* parent);

  /// One more entry, without an algorithm: its key is empty.
  void addNone(const QString& label, const QString& help);
  template <class Registry>
  void addAll(const Registry& registry) {
    for (const auto* entry : registry.distinct())
      add(entry->key, QString::fromStdString(entry->label), QString::fromStdString(entry->help),
          entry->params);
  }

  /// Two rows: label and box, then the form.
  void addTo(QFormLayout* layout, const QString& label, const QString& help = {});
  void show(const std::string& key, const Params& values);

 signals:
  void chosen(const std::string& key);
  void edited(const QString& parameter, const gantry::ParamValue& value);

 private:
  void add(const std::string& key, const QString& label, const QString& help,
           const std::vector<ParamSpec>& params);

  QComboBox* box_;
  ParameterForm* form_;
  std::vector<std::vector<ParamSpec>> params_;  // of each entry
};

}  // namespace gantry
