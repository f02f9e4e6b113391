#pragma once

#include "core/base/registry.hpp"
#include "gui/widgets/parameter_form.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <string>
#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QWidget;

namespace gantry {

/// Lets the user choose an algorithm of a registry and set its parameters: a combo box, whose tool
/// tips describe the entries, and a form below. Algorithms and choices of parameters that only
/// serve comparisons with published studies are offered only on request (setShowsStudies), or where
/// a run uses one.
class AlgorithmChoice : public QObject {
  Q_OBJECT
 public:
  /// Creates box and form; `name` is the object name of the box.
  AlgorithmChoice(const QString& name, QWidget* parent);

  /// Adds an entry without an algorithm; its key is empty.
  void addNone(const QString& label, const QString& formula);
  template <class Registry>
  void addAll(const Registry& registry) {
    for (const AlgorithmInfo& info : registry.entries()) all_.push_back({info, {}});
  }
  /// Adds the algorithms of a registry under headings. heading_of(entry) returns the text of the
  /// entry's heading; headings stand in the order in which the registry first has them.
  template <class Registry, class HeadingOf>
  void addGroups(const Registry& registry, const HeadingOf& heading_of) {
    for (const auto& entry : registry.entries()) addUnder(heading_of(entry), entry);
  }
  void setShowsStudies(bool shows);
  /// Passes on what ParameterForm::setOffersTrials() takes.
  void setOffersTrials(ParameterForm::Sliders sliders);
  /// Offers only the algorithms whose key fulfils the condition, and the one that is shown.
  void offerOnly(std::function<bool(const std::string&)> condition);
  /// Disables the algorithms for which `why` returns a reason, which their tool tips say; the box
  /// is filled anew by show().
  void disableWhere(std::function<QString(const std::string&)> why) { why_ = std::move(why); }
  /// Shows or hides label, box and form.
  void setVisible(bool visible);

  /// Adds two rows to a form: label and box, then the parameters.
  void addTo(QFormLayout* layout, const QString& label, const QString& help = {});
  void show(const std::string& key, const Params& values);

 signals:
  void chosen(const std::string& key);
  void edited(const QString& parameter, const gantry::ParamValue& value);
  void dragged(const QString& parameter, const gantry::ParamValue& value);
  void sweepWanted(const QString& parameter);

 private:
  bool isOffered(const AlgorithmInfo& info, const std::string& chosen) const;
  void addUnder(const QString& heading, const AlgorithmInfo& info);
  /// Fills the box: algorithms for general use, those for studies where studies are shown, and
  /// `chosen` in any case.
  void fill(const std::string& chosen);

  QComboBox* box_;
  QLabel* title_ = nullptr;  // null before addTo()
  ParameterForm* form_;
  struct Item {
    AlgorithmInfo info;
    QString heading;  // empty: none
  };
  std::vector<Item> all_;
  bool showsStudies_ = false;
  std::function<bool(const std::string&)> condition_;  // empty: all
  std::function<QString(const std::string&)> why_;     // empty: none is disabled
};

}  // namespace gantry
