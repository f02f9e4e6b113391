#pragma once

#include "core/worker/worker_updates.hpp"

namespace gantry {

/// Returns the progress of a job and the slices that a viewer wants, in the order of the request.
/// The worker fills in id, state and projection. There are no slices if the job's device, and with
/// it the image, was lost. Throws std::bad_alloc.
RunSnapshot snapshot_of(const ReconstructionJob& job, const ViewRequest& view);

/// Returns why a run ended, and the notes of its method.
std::string final_message(const ReconstructionJob& job);

}  // namespace gantry
