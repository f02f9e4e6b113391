#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/matrix/rows/csr.hpp"
#include "studies/matrix_study_context.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/study_table.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gantry::test {

/// The program's algorithms on the processor; with `device`, under the name of a CUDA device's as
/// well, and with a format that is called cuSPARSE's.
struct Machine {
  Catalog catalog;
  BackendList backends;

  explicit Machine(bool device = false) {
    add_core(catalog);
    backends.add("cpu", std::make_unique<CpuBackend>());
    if (!device) return;
    backends.add("cuda", std::make_unique<CpuBackend>());
    const std::vector<ParamSpec> transpose = {{.key = "transpose",
                                               .label = "",
                                               .unit = "",
                                               .fallback = std::string("stored"),
                                               .choices = {"stored", "op", "convert"},
                                               .help = ""}};
    catalog.matrix_formats.add({.key = "cusparse", .label = "", .params = transpose}, "cuda",
                               make_csr);
    catalog.projectors.also_on("cuda", "area_integral", "cpu");
    catalog.matrix_formats.also_on("cuda", "scsr", "cpu");
    catalog.solvers.also_on("cuda", "parallel_art", "cpu");
  }
  StudyOptions options(std::vector<std::string> parts, double scale = 1.0 / 32) const {
    return {.iterations = 3,
            .scale = scale,
            .parts = std::move(parts),
            .catalog = &catalog,
            .backends = &backends};
  }
  MatrixStudyContext context(double scale = 1.0 / 32) const {
    return {options({}, scale),
            "cuart",
            "area_integral",
            {{"normalisation", std::string("area")}},
            1.0 / 8};
  }
};

/// Printed, here and deviation of the summary's row of this name.
inline std::vector<StudyCell> summed(const StudyResult& result, const std::string& what) {
  for (const auto& row : table(result, "summary").rows)
    if (row[1].words.find(what) != std::string::npos) return {row[3], row[4], row[5]};
  throw std::runtime_error("no line " + what);
}

inline void expect_whole(const StudyResult& result) {
  QCOMPARE(result.tables.back().key, std::string("summary"));
  for (const StudyTable& t : result.tables) {
    QVERIFY2(!t.rows.empty(), t.key.c_str());
    for (const auto& row : t.rows) QCOMPARE(row.size(), t.columns.size());
  }
  for (const StudyChart& chart : result.charts) {
    QVERIFY2(!chart.curves.empty(), chart.key.c_str());
    for (const StudyCurve& curve : chart.curves) QCOMPARE(curve.x.size(), curve.y.size());
  }
}

}  // namespace gantry::test
