#include "studies/format_footprints.hpp"

#include <cmath>

namespace gantry {

namespace {

std::string parts_text(const MatrixStorage& storage) {
  std::string all;
  for (const MatrixPart& part : storage.parts)
    all += (all.empty() ? "" : ", ") + part.name + " " +
           format_param(std::round(1e-4 * static_cast<double>(part.bytes)) / 100);
  return all;
}

}  // namespace

void add_estimated_footprints(const MatrixStudyContext& context,
                              const std::vector<BenchCase>& cases, const PrintedRatio& printed,
                              StudyResult& result) {
  StudyTable table = StudyTable::comparing(
      "footprints", "Memory of every format, estimated before it is built: times less than CSR",
      {{"image", ""}, {"backend", ""}, {"format", ""}, {"variant", ""}, {"estimate", "GB"}}, "");
  for (std::size_t size = 0; size < cases.size(); ++size) {
    const auto rays = context.weights_on_cpu(cases[size]);
    const NonzeroEstimate estimate = estimate_nonzeros(*rays);
    const double csr =
        MatrixStorage::csr_bytes(estimate.nonzeros, static_cast<double>(estimate.rows));
    for (const std::string& backend : context.matrix_backends()) {
      const auto there = context.make(context.on_the_fly(backend, false).front(), cases[size]);
      for (const MatrixMethod& method : context.stored(backend, true)) {
        context.check_interrupt();
        const auto format =
            context.catalog().matrix_formats.make(method.format, backend, method.params);
        const double bytes = static_cast<double>(format->estimate_bytes(estimate, *there));
        table.compare({std::to_string(cases[size].grid.nx) + "^2", backend, method.format,
                       method.variant(), 1e-9 * bytes},
                      printed(method, size), csr / bytes, like_for_like, Better::larger);
      }
    }
  }
  result.tables.push_back(std::move(table));
}

namespace {

/// Builds the matrix of one method; returns its storage, or none and the reason in `problem`.
std::optional<MatrixStorage> built(const MatrixStudyContext& context, const MatrixMethod& method,
                                   const BenchCase& setting, std::string& problem) {
  std::optional<MatrixStorage> storage;
  problem = why_refused([&] {
    const auto projector = context.make(method, setting);
    storage = dynamic_cast<const StoredMatrix&>(*projector).storage();
  });
  return storage;
}

}  // namespace

void add_built_footprints(MatrixStudyContext& context, const std::string& backend,
                          const BenchCase& setting, std::size_t size, const PrintedRatio& printed,
                          StudyResult& result) {
  StudyTable table = StudyTable::comparing("footprints-" + backend,
                                           "Memory of every format on " + backend + ", built, " +
                                               describe_case(setting) + ": times less than CSR",
                                           {{"format", ""},
                                            {"variant", ""},
                                            {"nonzeros", ""},
                                            {"stored", ""},
                                            {"padding", "%"},
                                            {"build", "s"},
                                            {"all", "MB"},
                                            {"parts", "MB"}},
                                           "");
  const std::string unlike = another_size(context.scale_on(backend));
  for (const MatrixMethod& method : context.stored(backend, true)) {
    context.say("size of " + method.format + " " + method.variant());
    std::string problem;
    const StudyCell printed_here = printed(method, size);
    const auto storage = built(context, method, setting, problem);
    if (!storage) {
      table.compare({method.format, method.variant(), {}, {}, {}, {}, {}, problem}, printed_here,
                    {}, unlike);
      continue;
    }
    const double nonzeros = static_cast<double>(storage->nonzeros),
                 stored = static_cast<double>(storage->stored),
                 bytes = static_cast<double>(storage->bytes());
    const double csr = MatrixStorage::csr_bytes(
        nonzeros, 1.0 * setting.geometry->views() * setting.geometry->columns());
    table.compare({method.format, method.variant(), nonzeros, stored,
                   100 * static_cast<double>(storage->padding) / stored, storage->build_s,
                   1e-6 * bytes, parts_text(*storage)},
                  printed_here, csr / bytes, unlike, Better::larger);
    if (printed_here.number)
      context.add_summary_line({"sizes",
                                "memory against CSR, " + describe_case(setting) + ", " +
                                    method.format + " " + method.variant() + ", " + backend,
                                "times less"},
                               printed_here, csr / bytes, unlike, Better::larger);
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry
