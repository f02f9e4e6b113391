#include "studies/tracked_run.hpp"

#include "core/matrix/matrix_format.hpp"
#include "core/solvers/run.hpp"
#include "studies/matrix_study_context.hpp"

namespace gantry {

namespace {

void follow(const StudyContext& context, const Projector& A, const std::string& backend,
            const std::vector<float>& data, const std::vector<float>& truth,
            const TrackedMethod& method, TrackedRun& out) {
  if (const auto* matrix = dynamic_cast<const StoredMatrix*>(&A))
    out.build_s = matrix->storage().build_s;
  const auto solver = context.catalog().solvers.make(method.solver, backend, method.params);
  const Array b = Array::from(A.backend(), data);
  StopRules rules;
  rules.iterations = method.iterations;
  SolverRun loop(*solver, {&A, &b}, rules);
  out.setup_s = loop.seconds();
  while (!loop.finished() && !out.reached) {
    context.check_interrupt();
    if (!loop.advance()) continue;
    out.image = solver->solution().to_host();
    out.rmse.push_back(rmse_of(out.image, truth));
    out.seconds.push_back(loop.seconds() - out.setup_s);
    if (out.rmse.back() <= method.level ||
        (method.enough && method.enough(loop.iterations(), out.image)))
      out.reached = loop.iterations();
    if (method.seconds > 0 && out.seconds.back() > method.seconds) break;
  }
}

}  // namespace

TrackedRun track(const StudyContext& context, const Projector& A, const std::string& backend,
                 const std::vector<float>& data, const std::vector<float>& truth,
                 const TrackedMethod& method) {
  context.say(method.name + ", " + backend);
  TrackedRun out;
  out.problem = why_refused([&] { follow(context, A, backend, data, truth, method, out); });
  return out;
}

std::vector<float> exact_data(const Projector& A, const std::vector<float>& image) {
  const Array x = Array::from(A.backend(), image);
  Array y = Array::filled(A.backend(), A.range_size(), 0);
  A.forward(x, y);
  return y.to_host();
}

}  // namespace gantry
