#pragma once

#include "core/base/params.hpp"

#include <QString>
#include <QWidget>

#include <map>
#include <optional>
#include <vector>

class QComboBox;
class QFormLayout;

namespace gantry {

class Knob;

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
  /// The numbers that get a slider: those that distinguish runs of a method (ParamSpec::in_names),
  /// or all that have a range.
  enum class Sliders { ofNamed, ofAll };
  /// Offers to try values of numbers: by a slider, and by a button that asks for a sweep. To be
  /// called before show().
  void setOffersTrials(Sliders sliders) { trials_ = sliders; }

 signals:
  void edited(const QString& key, const gantry::ParamValue& value);
  void dragged(const QString& key, const gantry::ParamValue& value);  ///< edited() follows
  void sweepWanted(const QString& key);

 private:
  /// What a parameter has in the form. The field is the editor, or a row that holds it.
  struct Row {
    QWidget* editor = nullptr;
    QWidget* field = nullptr;
    Knob* knob = nullptr;  // null: none
  };
  QWidget* withTrials(const ParamSpec& spec, Row& row);
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
  std::optional<Sliders> trials_;  // empty: none are offered
  std::map<std::string, Row> rows_;
};

/// Inserts an item with this text and data at a row of a box, or removes the item there, so that
/// the box has the item exactly if it is `offered`. An item that stays is not touched, because the
/// list may be open. Returns `offered`.
bool offerItem(QComboBox& box, int row, const QString& text, const QString& data, bool offered);

}  // namespace gantry
