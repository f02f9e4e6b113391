#include "gui/stage/sweep/trial_json.hpp"

#include "core/job/checkpoint_json.hpp"
#include "core/job/metrics_json.hpp"

#include <QJsonDocument>

namespace gantry {

namespace {

const QString checkpoint_key = QStringLiteral("checkpoint"), bytes_key = QStringLiteral("bytes"),
              problem_key = QStringLiteral("problem");

QJsonObject for_qt(const nlohmann::ordered_json& json) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(json.dump())).object();
}

nlohmann::json from_qt(const QJsonObject& json) {
  return nlohmann::json::parse(QJsonDocument(json).toJson(QJsonDocument::Compact).toStdString());
}

}  // namespace

QJsonObject to_json(const MaskSpec& mask) {
  MetricsSpec metrics;
  metrics.mask = mask.kind;
  metrics.regions.roi = mask.roi;
  return for_qt(to_json(metrics));
}

std::shared_ptr<const Reference> masked_truth(const QJsonObject& mask, const ExperimentData& data) {
  if (mask.isEmpty()) return data.reference;
  const auto json = from_qt(mask);
  return reference_with(mask_spec(metrics_from_json(JsonFields(json, "session"))), data);
}

QJsonObject to_json(const TrialResult& result) {
  const Checkpoint checkpoint{result.run, result.run.backend, {}, result.history};
  return {{checkpoint_key, for_qt(to_json(checkpoint))},
          {bytes_key, static_cast<double>(result.needed_bytes)},
          {problem_key, QString::fromStdString(result.problem)}};
}

TrialResult trial_from_json(const QJsonObject& json, const Catalog& catalog) {
  const auto header = from_qt(json[checkpoint_key].toObject());
  Checkpoint checkpoint = checkpoint_from_json(header, "session", catalog, 0);
  TrialResult result;
  result.run = std::move(checkpoint.run);
  result.history = std::move(checkpoint.history);
  result.needed_bytes = static_cast<std::size_t>(std::max(0.0, json[bytes_key].toDouble()));
  result.problem = json[problem_key].toString().toStdString();
  return result;
}

}  // namespace gantry
