#include "studies/format_footprints.hpp"

#include <algorithm>
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
                              const std::vector<BenchCase>& cases, const std::string& drawn,
                              StudyResult& result) {
  StudyTable table{"footprints",
                   "Memory of every format, estimated before it is built, with vectors of products",
                   {{"image", ""},
                    {"backend", ""},
                    {"format", ""},
                    {"variant", ""},
                    {"estimate", "GB"},
                    {"less than CSR", "x"}},
                   {}};
  StudyChart chart{"footprints", table.title, "pixels along a side", "GB", true, true, {}};
  const auto add_point = [&](const std::string& name, double side, double bytes) {
    auto curve = std::ranges::find(chart.curves, name, &StudyCurve::name);
    if (curve == chart.curves.end())
      curve = chart.curves.insert(chart.curves.end(), StudyCurve{name, {}, {}});
    curve->x.push_back(side);
    curve->y.push_back(1e-9 * bytes);
  };
  for (const BenchCase& setting : cases) {
    const auto rays = context.weights_on_cpu(setting);
    const NonzeroEstimate estimate = estimate_nonzeros(*rays);
    const double csr =
        MatrixStorage::csr_bytes(estimate.nonzeros, static_cast<double>(estimate.rows));
    const int side = setting.grid.nx;
    for (const std::string& backend : context.matrix_backends()) {
      const auto there = context.make(context.on_the_fly(backend, false).front(), setting);
      for (const MatrixMethod& method : context.stored(backend, true)) {
        context.check_interrupt();
        const auto format =
            context.catalog().matrix_formats.make(method.format, backend, method.params);
        const double bytes = static_cast<double>(format->estimate_bytes(estimate, *there));
        table.rows.push_back({std::to_string(side) + "^2", backend, method.format, method.variant(),
                              1e-9 * bytes, csr / bytes});
        if (method.variant().empty() || method.format == drawn)
          add_point(method.full_name() + ", " + backend, side, bytes);
      }
    }
  }
  result.tables.push_back(std::move(table));
  result.charts.push_back(std::move(chart));
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

void add_built_footprints(const MatrixStudyContext& context, const std::string& backend,
                          const BenchCase& setting, StudyResult& result) {
  StudyTable table{"footprints-" + backend,
                   "Memory of every format on " + backend + ", built, " + describe_case(setting),
                   {{"format", ""},
                    {"variant", ""},
                    {"nonzeros", ""},
                    {"stored", ""},
                    {"padding", "%"},
                    {"build", "s"},
                    {"all", "MB"},
                    {"parts", "MB"},
                    {"less than CSR", "x"}},
                   {}};
  for (const MatrixMethod& method : context.stored(backend, true)) {
    context.say("size of " + method.format + " " + method.variant());
    std::string problem;
    const auto storage = built(context, method, setting, problem);
    if (!storage) {
      table.rows.push_back({method.format, method.variant(), {}, {}, {}, {}, {}, problem, {}});
      continue;
    }
    const double nonzeros = static_cast<double>(storage->nonzeros),
                 stored = static_cast<double>(storage->stored),
                 bytes = static_cast<double>(storage->bytes());
    const double csr = MatrixStorage::csr_bytes(
        nonzeros, 1.0 * setting.geometry->views() * setting.geometry->columns());
    table.rows.push_back({method.format, method.variant(), nonzeros, stored,
                          100 * static_cast<double>(storage->padding) / stored, storage->build_s,
                          1e-6 * bytes, parts_text(*storage), csr / bytes});
  }
  result.tables.push_back(std::move(table));
}

}  // namespace gantry
