#pragma once

#include "core/worker/sweep/trial.hpp"

#include <QJsonObject>

#include <memory>

namespace gantry {

/// Returns the voxels that results are measured over, for a session.
QJsonObject to_json(const MaskSpec& mask);

/// Returns the truth of data with the mask of a session; null for data without a truth. An empty
/// object, as sessions of earlier versions have it, means the mask of the data. Throws InputError
/// for a damaged object, and what metric_mask() throws.
std::shared_ptr<const Reference> masked_truth(const QJsonObject& mask, const ExperimentData& data);

/// Returns the settings, the curves and the memory of a result, for a session, without its image
/// and its state.
QJsonObject to_json(const TrialResult& result);

/// Reads what to_json() returned. Throws InputError for a damaged object and for methods that the
/// program does not have.
TrialResult trial_from_json(const QJsonObject& json, const Catalog& catalog);

}  // namespace gantry
