// A race in a session: the settings of its page, and the curves of the methods that have raced.
#include "gui/stage/sweep/race_board.hpp"
#include "gui/stage/sweep/trial_json.hpp"
#include "gui/widgets/json_key.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonArray>
#include <QSpinBox>
#include <QTreeWidget>

#include <algorithm>

namespace gantry {

QJsonObject RaceBoard::toJson() const {
  QJsonArray chosen;
  for (int i = 0; i < methods_->topLevelItemCount(); ++i)
    if (methods_->topLevelItem(i)->checkState(0) == Qt::Checked)
      chosen.append(methods_->topLevelItem(i)->text(0));
  QJsonObject json{{key("metric"), criterion_->currentText()},
                   {key("level"), level_->value()},
                   {key("iterations"), iterations_->value()},
                   {key("chosen"), chosen}};
  if (done() == 0) return json;
  QJsonArray results;
  for (std::size_t i = 0; i < shown_.results.size(); ++i) {
    const TrialResult& result = shown_.results[i];
    QJsonObject one = to_json(result);
    one[key("colour")] = static_cast<int>(shown_.colours[i]);
    results.append(one);
    if (result.reference != nullptr) json[key("mask")] = to_json(result.reference->mask.spec);
  }
  json[key("results")] = results;
  json[key("raced_to")] = QString::fromStdString(shown_.race.criterion.label);
  if (shown_.race.level) json[key("raced_level")] = *shown_.race.level;
  json[key("disturbed")] = shown_.is_disturbed;
  return json;
}

/// Takes over the results of a session. Throws InputError where one of them cannot be read.
void RaceBoard::restoreResults(const QJsonObject& json) {
  const auto criterion = std::ranges::find(
      criteria_, json[key("raced_to")].toString().toStdString(), &Criterion::label);
  if (criterion == criteria_.end()) return;
  shown_.data = controller_.data();
  const auto reference = masked_truth(json[key("mask")].toObject(), *controller_.data());
  for (const QJsonValue& one : json[key("results")].toArray()) {
    TrialResult result = trial_from_json(one.toObject(), catalog_);
    result.data = controller_.data();
    result.reference = reference;
    shown_.race.runs.push_back(result.run);
    shown_.colours.push_back(static_cast<std::size_t>(std::max(0, one[key("colour")].toInt())));
    shown_.results.push_back(std::move(result));
  }
  shown_.labels = run_labels(shown_.race.runs, catalog_);
  shown_.race.criterion = *criterion;
  if (const QJsonValue level = json[key("raced_level")]; level.isDouble())
    shown_.race.level = level.toDouble();
  shown_.is_disturbed = json[key("disturbed")].toBool();
}

void RaceBoard::restore(const QJsonObject& json) {
  if (controller_.data() == nullptr || json.isEmpty()) return;
  forget();
  criterion_->setCurrentIndex(std::max(0, criterion_->findText(json[key("metric")].toString())));
  level_->setValue(json[key("level")].toDouble());
  iterations_->setValue(json[key("iterations")].toInt(iterations_->value()));
  listEntrants();
  const QJsonArray chosen = json[key("chosen")].toArray();
  for (int i = 0; i < methods_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* method = methods_->topLevelItem(i);
    method->setCheckState(0, chosen.contains(method->text(0)) ? Qt::Checked : Qt::Unchecked);
  }
  QString problem;
  try {
    restoreResults(json);
  } catch (const std::exception& error) {
    forget();
    problem = QString::fromUtf8(error.what());
  }
  showResults();
  if (!problem.isEmpty()) say(problem);
}

}  // namespace gantry
