#include "core/worker/run_snapshot.hpp"

namespace gantry {

std::string final_message(const ReconstructionJob& job) {
  std::string text = job.ending();
  for (const std::string& note : job.notes()) text += "; " + note;
  return text;
}

RunSnapshot snapshot_of(const ReconstructionJob& job, const ViewRequest& view) {
  RunSnapshot snapshot;
  snapshot.iterations = job.iterations();
  snapshot.planned_iterations =
      job.reason() == StopReason::exhausted ? job.iterations() : job.spec().iterations;
  // A restored run does not know its number of steps before it continues.
  const int steps = job.steps_per_iteration(), done = job.steps_into_iteration();
  snapshot.part_of_iteration = done < steps ? static_cast<double>(done) / steps : 0;
  snapshot.seconds = job.seconds();
  snapshot.held_bytes =
      job.memory().needed_bytes + job.shared_data()->line_integrals.size() * sizeof(float);
  snapshot.relaxation = job.admissible();
  snapshot.matrix = job.matrix();
  try {
    for (const ViewRequest::Slice& slice : view.slices)
      snapshot.slices.push_back(
          std::make_shared<const SliceImage>(job.slice(slice.axis, slice.index)));
    if (view.edges && job.has_edges())
      for (const ViewRequest::Slice& slice : view.slices)
        snapshot.edge_slices.push_back(
            std::make_shared<const SliceImage>(job.edge_slice(slice.axis, slice.index)));
  } catch (const std::exception&) {
    snapshot.slices.clear();
    snapshot.edge_slices.clear();
  }
  return snapshot;
}

}  // namespace gantry
