// A sweep in a session: the settings of its page as JSON, its results as checkpoints.
#include "gui/stage/sweep/sweep_board.hpp"
#include "gui/stage/sweep/trial_json.hpp"
#include "gui/widgets/json_key.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonArray>
#include <QSpinBox>

#include <algorithm>
#include <utility>

namespace gantry {

QJsonObject SweepBoard::toJson() const {
  QJsonObject json{{key("parameter"), param_->currentData().toString()},
                   {key("from"), from_->value()},
                   {key("to"), to_->value()},
                   {key("count"), count_->value()},
                   {key("logarithmic"), logarithmic_->isChecked()},
                   {key("iterations"), iterations_->value()},
                   {key("metric"), QString::fromStdString(measure().label)}};
  const auto place = model_.indexOf(shown_.run);
  if (!shown_.param || shown_.points.empty() || !place) return json;
  QJsonArray points;
  for (const SweepPoint& point : shown_.points)
    points.append(QJsonObject{{key("value"), point.value},
                              {key("problem"), QString::fromStdString(point.problem)}});
  json[key("swept")] = QString::fromStdString(shown_.param->id());
  json[key("run")] = static_cast<int>(*place);
  json[key("equal_ratios")] = shown_.hasEqualRatios;
  json[key("points")] = points;
  for (const SweepPoint& point : shown_.points)
    if (point.reference != nullptr) json[key("mask")] = to_json(point.reference->mask.spec);
  return json;
}

/// Returns a point as sweep() made it. `result` is null if no result was saved.
SweepPoint SweepBoard::restored(double value, const QString& problem, Checkpoint* result) const {
  SweepPoint point;
  point.value = value;
  point.problem = problem.toStdString();
  point.data = shown_.slicesOf ? shown_.slicesOf->data() : shown_.data;
  const bool has_image = result != nullptr && !result->progress.solver.arrays.empty() &&
                         result->progress.solver.arrays[0].size() == point.data->grid.voxels();
  if (!has_image) {
    if (point.problem.empty()) point.problem = tr("not kept in the session").toStdString();
    return point;
  }
  point.run = result->run;
  point.history = std::move(result->history);
  point.image = result->progress.solver.arrays[0];
  point.slice = middle_slice_sharpness(point.image, point.data->grid);
  // A result that has only the estimate, without the solver's state, continues as a new start from
  // this estimate.
  if (result->progress.has_begun)
    point.progress = std::make_shared<const RunProgress>(std::move(result->progress));
  return point;
}

/// Restores the sweep if its run and its parameter exist. Throws InputError or UsageError if the
/// mask of its metrics cannot be made.
void SweepBoard::restorePoints(const QJsonObject& json, std::map<int, Checkpoint>& results) {
  const auto swept =
      std::ranges::find(params_, json[key("swept")].toString().toStdString(), &SweepParam::id);
  if (swept == params_.end()) return;
  const auto reference = masked_truth(json[key("mask")].toObject(), *controller_.data());
  adopt(*swept);
  // Sessions of an earlier version hold only the state of the check box.
  shown_.hasEqualRatios = json[key("equal_ratios")].toBool(json[key("logarithmic")].toBool(true));
  for (const QJsonValue& one : json[key("points")].toArray()) {
    const auto found = results.find(static_cast<int>(shown_.values.size()));
    shown_.values.push_back(one[key("value")].toDouble());
    SweepPoint point = restored(shown_.values.back(), one[key("problem")].toString(),
                                found == results.end() ? nullptr : &found->second);
    point.reference = reference;
    addPoint(shown_.ticket, std::move(point));
  }
}

void SweepBoard::restore(const QJsonObject& json, std::map<int, Checkpoint> results) {
  const int place = json[key("run")].toInt(-1);
  const auto& ids = model_.runIds();
  if (controller_.data() == nullptr || json.isEmpty()) return;
  forget();
  QString problem;
  if (place >= 0 && place < static_cast<int>(ids.size())) {
    const int selected = run_;
    setRun(ids[static_cast<std::size_t>(place)]);
    try {
      restorePoints(json, results);
    } catch (const std::exception& error) {
      problem = QString::fromUtf8(error.what());
    }
    setRun(selected);
  }
  chooseParam(json[key("parameter")].toString());
  from_->setValue(json[key("from")].toDouble(from_->value()));
  to_->setValue(json[key("to")].toDouble(to_->value()));
  count_->setValue(json[key("count")].toInt(count_->value()));
  logarithmic_->setChecked(json[key("logarithmic")].toBool(logarithmic_->isChecked()));
  iterations_->setValue(json[key("iterations")].toInt(iterations_->value()));
  measure_->setCurrentIndex(std::max(0, measure_->findText(json[key("metric")].toString())));
  showPoints();
  if (!problem.isEmpty()) say(problem);
}

}  // namespace gantry
