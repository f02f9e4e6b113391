#include "gui/widgets/parameter_form.hpp"

#include "core/priors/weight_roles.hpp"
#include "gui/widgets/knob.hpp"
#include "gui/widgets/number_box.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gantry {

namespace {

/// Of the ends of a slider's range to the fallback, for parameters of runs and for others.
constexpr double namedRatio = 100, usualRatio = 10;
constexpr int mostDecimals = 6;

bool sameRows(const std::vector<ParamSpec>& a, const std::vector<ParamSpec>& b) {
  return std::ranges::equal(a, b, [](const ParamSpec& x, const ParamSpec& y) {
    return x.key == y.key && x.fallback.index() == y.fallback.index() && x.min == y.min &&
           x.max == y.max && x.choices == y.choices;
  });
}

QString withUnit(const ParamSpec& spec) {
  return spec.unit.empty() ? QString() : QStringLiteral(" ") + QString::fromStdString(spec.unit);
}

/// Shows the unit of a whole number: "1 column", "2 columns". Shorter units, as "s", are no words.
void showUnit(QSpinBox& box, const ParamSpec& spec) {
  QString unit = withUnit(spec);
  const bool is_word = unit.size() > 3 && unit.endsWith(QLatin1Char('s'));
  if (is_word && box.value() == 1) unit.chop(1);
  box.setSuffix(unit);
}

QString helpOf(const ParamSpec& spec) {
  const QString help = QString::fromStdString(spec.help);
  if (std::holds_alternative<bool>(spec.fallback) ||
      std::holds_alternative<std::string>(spec.fallback))
    return help;
  return QStringLiteral("%1\n%2").arg(
      help, ParameterForm::tr("Range: %1").arg(QString::fromStdString(range_text(spec))));
}

}  // namespace

bool offerItem(QComboBox& box, int row, const QString& text, const QString& data, bool offered) {
  const bool is_there = row < box.count() && box.itemData(row).toString() == data;
  if (is_there && !offered) box.removeItem(row);
  if (!is_there && offered) box.insertItem(row, text, data);
  return offered;
}

ParameterForm::ParameterForm(QWidget* parent) : QWidget(parent), layout_(new QFormLayout(this)) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

void ParameterForm::show(const std::vector<ParamSpec>& specs, const Params& values) {
  if (!sameRows(specs, specs_)) {
    while (layout_->rowCount() > 0) layout_->removeRow(0);
    rows_.clear();
    for (const ParamSpec& spec : specs) addRow(spec);
  }
  specs_ = specs;
  values_ = values;
  Params resolved;
  for (const ParamSpec& spec : specs_) {
    const auto found = values.values().find(spec.key);
    resolved.set(spec.key, found == values.values().end() ? spec.fallback : found->second);
  }
  for (const ParamSpec& spec : specs_) {
    const ParamValue& value = resolved.values().at(spec.key);
    offer(spec, value);
    if (has_no_effect(spec, resolved)) layout_->setRowVisible(rows_.at(spec.key).field, false);
    setValue(spec, value);
  }
}

void ParameterForm::setShowsStudies(bool shows) {
  showsStudies_ = shows;
  show(specs_, values_);
}

void ParameterForm::addRow(const ParamSpec& spec) {
  Row& row = rows_[spec.key];
  row.editor = makeEditor(spec);
  row.editor->setObjectName(QStringLiteral("param_") + QString::fromStdString(spec.key));
  row.field = trials_ ? withTrials(spec, row) : row.editor;
  auto* label = new QLabel(QString::fromStdString(spec.label), this);
  label->setBuddy(row.editor);
  layout_->addRow(label, row.field);
}

/// Returns the field of a number with its slider and its button; of another parameter, the editor.
QWidget* ParameterForm::withTrials(const ParamSpec& spec, Row& row) {
  auto* box = qobject_cast<QAbstractSpinBox*>(row.editor);
  const auto fallback = number_of(spec.fallback);
  const auto range = range_worth_trying(spec, fallback.value_or(0),
                                        trials_ == Sliders::ofNamed ? namedRatio : usualRatio);
  if (box == nullptr || !fallback || !range) return row.editor;
  const QString key = QString::fromStdString(spec.key), name = QString::fromStdString(spec.label);
  if (spec.in_names || trials_ == Sliders::ofAll) {
    row.knob = new Knob(box, name, this);
    row.knob->setObjectName(QStringLiteral("knob_") + key);
    row.knob->setValues(range);
    connect(row.knob, &Knob::dragged, this, [this, key, whole = spec.fallback.index()](double v) {
      const bool is_whole = whole == ParamValue(std::int64_t{}).index();
      emit dragged(key, is_whole ? ParamValue(static_cast<std::int64_t>(v)) : ParamValue(v));
    });
  }
  QToolButton* sweep = makeSweepButton(name, this);
  sweep->setObjectName(QStringLiteral("sweep_") + key);
  connect(sweep, &QToolButton::clicked, this, [this, key] { emit sweepWanted(key); });
  if (trials_ == Sliders::ofNamed) return knobRow(row.knob, box, {sweep}, this);
  sweep->setToolTip(tr("Strip: a slice for each of several values of this number"));
  return knobBelow(row.knob, box, {sweep}, this);
}

void ParameterForm::offer(const ParamSpec& spec, const ParamValue& value) {
  QWidget* editor = rows_.at(spec.key).editor;
  QWidget* field = rows_.at(spec.key).field;
  const std::optional<ParamSpec> offered = offered_part(spec, value, showsStudies_);
  layout_->setRowVisible(field, offered.has_value());
  const QString help = helpOf(offered.value_or(spec));
  editor->setToolTip(help);
  layout_->labelForField(field)->setToolTip(help);
  auto* box = qobject_cast<QComboBox*>(editor);
  if (box == nullptr || !offered) return;
  const QSignalBlocker quiet(box);
  int row = 0;
  for (const std::string& choice : spec.choices) {
    const QString text = QString::fromStdString(choice);
    const bool is_offered = std::ranges::find(offered->choices, choice) != offered->choices.end();
    row += offerItem(*box, row, text, text, is_offered);
  }
}

QWidget* ParameterForm::makeEditor(const ParamSpec& spec) {
  const QString key = QString::fromStdString(spec.key);
  if (std::holds_alternative<bool>(spec.fallback)) {
    auto* box = new QCheckBox(this);
    connect(box, &QCheckBox::toggled, this, [this, key](bool on) { emit edited(key, on); });
    return box;
  }
  if (std::holds_alternative<std::string>(spec.fallback)) {
    auto* box = new QComboBox(this);
    connect(box, &QComboBox::textActivated, this,
            [this, key](const QString& text) { emit edited(key, text.toStdString()); });
    return box;
  }
  return std::holds_alternative<double>(spec.fallback) ? makeNumber(spec) : makeWhole(spec);
}

QWidget* ParameterForm::makeNumber(const ParamSpec& spec) {
  auto* box = new NumberBox(this);
  box->setDropsZeros(true);
  box->setDecimals(mostDecimals);  // so that small values can be typed
  box->setRange(std::isinf(spec.min) ? -1e9 : spec.min, std::isinf(spec.max) ? 1e9 : spec.max);
  if (spec.step > 0) box->setSingleStep(spec.step);
  box->setSpecialValueText(QString::fromStdString(spec.least_means));
  box->setSuffix(withUnit(spec));
  box->setAccelerated(true);
  const QString key = QString::fromStdString(spec.key);
  connect(box, &QDoubleSpinBox::valueChanged, this,
          [this, key](double value) { emit edited(key, value); });
  return box;
}

QWidget* ParameterForm::makeWhole(const ParamSpec& spec) {
  auto* box = new WholeBox(this);
  constexpr double largest = 2147483647.0;
  box->setRange(static_cast<int>(std::clamp(spec.min, -largest, largest)),
                static_cast<int>(std::clamp(spec.max, -largest, largest)));
  if (spec.step >= 1) box->setSingleStep(static_cast<int>(spec.step));
  box->setSpecialValueText(QString::fromStdString(spec.least_means));
  showUnit(*box, spec);
  connect(box, &QSpinBox::valueChanged, this, [this, box, spec](int value) {
    showUnit(*box, spec);
    emit edited(QString::fromStdString(spec.key), std::int64_t{value});
  });
  return box;
}

void ParameterForm::setValue(const ParamSpec& spec, const ParamValue& value) {
  QWidget* editor = rows_.at(spec.key).editor;
  const QSignalBlocker quiet(editor);
  if (auto* check = qobject_cast<QCheckBox*>(editor)) {
    check->setChecked(std::get<bool>(value));
  } else if (auto* combo = qobject_cast<QComboBox*>(editor)) {
    combo->setCurrentText(QString::fromStdString(std::get<std::string>(value)));
  } else if (auto* number = qobject_cast<QDoubleSpinBox*>(editor)) {
    const double real = std::holds_alternative<double>(value)
                            ? std::get<double>(value)
                            : static_cast<double>(std::get<std::int64_t>(value));
    if (number->value() != real) number->setValue(real);
  } else if (auto* whole = qobject_cast<QSpinBox*>(editor)) {
    whole->setValue(static_cast<int>(std::get<std::int64_t>(value)));
    showUnit(*whole, spec);
  }
  if (Knob* knob = rows_.at(spec.key).knob) knob->follow();
}

}  // namespace gantry
