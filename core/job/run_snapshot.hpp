#pragma once

#include "core/job/worker_news.hpp"

namespace gantry {

/// How far a job is and the slices that a viewer wants of it, in the order of the request. The id,
/// the state and the projection are left to the worker. Without slices where the job's device was
/// lost, and its memory with it. Throws std::bad_alloc.
RunSnapshot look_at(const ReconstructionJob& job, const ViewRequest& view);

/// Why a run ended, and what its method has to say.
std::string closing_words(const ReconstructionJob& job);

}  // namespace gantry
