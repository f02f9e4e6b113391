#pragma once

#include "core/base/registry.hpp"

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
/// tips what they are, and a form below it. What is kept for the comparisons of published studies
/// is offered on request, or where a run has it.
class AlgorithmChoice : public QObject {
  Q_OBJECT
 public:
  /// `name` is the object name of the box.
  AlgorithmChoice(const QString& name, QWidget* parent);

  /// One more entry, without an algorithm: its key is empty.
  void addNone(const QString& label, const QString& formula);
  template <class Registry>
  void addAll(const Registry& registry) {
    for (const AlgorithmInfo& info : registry.entries()) all_.push_back(info);
  }
  void setShowsStudies(bool shows);

  /// Two rows: label and box, then the form.
  void addTo(QFormLayout* layout, const QString& label, const QString& help = {});
  void show(const std::string& key, const Params& values);

 signals:
  void chosen(const std::string& key);
  void edited(const QString& parameter, const gantry::ParamValue& value);

 private:
  /// Offers what is for everybody, all else where studies are shown, and `chosen` in any case.
  void fill(const std::string& chosen);

  QComboBox* box_;
  ParameterForm* form_;
  std::vector<AlgorithmInfo> all_;
  bool showsStudies_ = false;
};

}  // namespace gantry
