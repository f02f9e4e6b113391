// The study of Li et al. 2018 on the processor, small: that its parts have their rows, that its
// scans have the printed numbers of rays, and that the counters of the mappings are what a mapping
// promises. What it times is not judged.
#include "core/backend/cpu_backend.hpp"
#include "studies/cumbir/methods.hpp"
#include "studies/cumbir/runs.hpp"
#include "studies/study_list.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/study_table.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <set>

using namespace gantry;
using namespace gantry::test;
using namespace gantry::cumbir;

namespace {

struct Machine {
  Catalog catalog;
  BackendList backends;

  Machine() {
    add_core(catalog);
    backends.add("cpu", std::make_unique<CpuBackend>());
  }
  StudyOptions options(std::vector<std::string> parts, std::vector<int> sizes = {}) const {
    return {.iterations = 2,
            .scale = 1.0 / 16,
            .parts = std::move(parts),
            .sizes = std::move(sizes),
            .catalog = &catalog,
            .backends = &backends};
  }
};

void expect_whole(const StudyResult& result) {
  QCOMPARE(result.tables.back().key, std::string("summary"));
  for (const StudyTable& t : result.tables)
    for (const auto& row : t.rows) QCOMPARE(row.size(), t.columns.size());
  for (const StudyChart& chart : result.charts) {
    QVERIFY2(!chart.curves.empty(), chart.key.c_str());
    for (const StudyCurve& curve : chart.curves) QCOMPARE(curve.x.size(), curve.y.size());
  }
}

/// Returns the column of a name.
std::size_t column(const StudyTable& t, const std::string& name) {
  const auto found = std::ranges::find(t.columns, name, &StudyColumn::name);
  if (found == t.columns.end()) throw std::runtime_error("no column " + name);
  return static_cast<std::size_t>(found - t.columns.begin());
}

}  // namespace

class TestCumbirStudy : public QObject {
  Q_OBJECT

  Machine machine_;

 private slots:
  /// At the scale of print; at a quarter of it there are fewer cells along each axis, and fewer
  /// views.
  void scansHaveThePrintedNumberOfRays() {
    for (const double scale : {1.0, 0.25}) {
      StudyOptions options = machine_.options({"scans"});
      options.scale = scale;
      const StudyResult result = study_cumbir(options);
      expect_whole(result);
      const StudyTable& t = table(result, "table-2");
      QCOMPARE(t.rows.size(), std::size_t{5});
      const std::vector<double> printed = {11.8, 18.0, 23.6, 11.7, 23.6};
      for (std::size_t n = 0; n < printed.size(); ++n) {
        const double here = *t.rows[n][6].number;
        // Print rounds to 0.1, a scaled scan its cells and views.
        EXPECT_NEAR(here / (scale * scale * scale), printed[n],
                    scale == 1 ? 0.051 : 0.05 * printed[n]);
        QCOMPARE(*t.rows[n][5].number, printed[n]);
        QCOMPARE(t.rows[n][7].number.has_value(), scale == 1);
      }
    }
  }

  /// Each phantom lies within its grid, and within the detector's columns.
  void scansSeeTheWholePhantom() {
    const CumbirContext context(machine_.options({}));
    for (const printed::Scan& line : printed::table_2) {
      const Vec3 half = machine_.catalog.phantoms.make(line.phantom, "cpu", {})->half_extent_mm();
      const Scanned scanned = context.scan(line);
      const VolumeGrid& grid = scanned.setting.grid;
      const double voxel = grid.spacing_mm.x;
      QVERIFY2(2 * half.x < grid.nx * voxel && 2 * half.y < grid.ny * voxel, line.name);
      QVERIFY2(2 * half.z < grid.nz * voxel, line.name);
      double inside = 0, edge = 0;
      for (const float mu : scanned.truth) inside += mu;
      const ScanGeometry& geometry = *scanned.setting.geometry;
      for (int v = 0; v < geometry.views(); ++v)
        for (int row = 0; row < geometry.rows(); ++row)
          for (const int c : {0, geometry.columns() - 1})
            edge += scanned.exact[static_cast<std::size_t>(v) * geometry.cells() +
                                  cell_index(geometry, c, row)];
      QVERIFY2(inside > 0, line.name);
      QVERIFY2(edge == 0, line.name);
    }
  }

  void workersHaveTheirRows() {
    const StudyResult result = study_cumbir(machine_.options({"workers"}));
    expect_whole(result);
    const StudyTable& t = table(result, "fig-7");
    // The CPU knows no workers: every method is there once, with print's number of each worker.
    QCOMPARE(t.rows.size(), std::size_t{5});
    const std::size_t printed = column(t, "SGD_Thd is faster, printed");
    QCOMPARE(t.rows[0][printed].words, std::string("1.5 (SGD_Blk)"));
    QCOMPARE(t.rows[1][printed].words, std::string("4.2 (ICD_Blk), 8.3 (ICD_Thd)"));
    QCOMPARE(t.rows[3][printed].words, std::string("4.2 (ICD_Blk), 8.3 (ICD_Thd)"));
    std::vector<double> in_print;
    for (const auto& row : result.tables.back().rows)
      if (row[1].words == "Fig. 7") {
        in_print.push_back(*row[2].number);
        QCOMPARE(row[3].words, std::string("the CPU knows no such workers"));
      }
    QCOMPARE(in_print, (std::vector<double>{1.5, 4.2, 8.3, 4.2, 8.3, 4.2, 8.3}));
    std::set<std::string> curves;
    for (const StudyCurve& curve : result.charts.front().curves) curves.insert(curve.name);
    QCOMPARE(curves.size(), std::size_t{5});
    // Fig. 8 (a) says why it is not here, (b) has the bandwidth of each run.
    const StudyTable& busy = table(result, "fig-8");
    QCOMPARE(busy.rows.size(), t.rows.size());
    for (const auto& row : busy.rows) {
      QVERIFY(row[1].words.starts_with("not computed") && row[3].words.starts_with("not computed"));
      QVERIFY(*row[2].number > 0);
    }
    for (const auto& row : t.rows) QVERIFY2(row[1].number, row[0].words.c_str());
    QVERIFY(std::ranges::any_of(result.notes, [](const std::string& note) {
      return note.find("A run is made once with the data of a seed") != std::string::npos;
    }));
    // Fig. 6: an image for each of the epochs 1, 3 and 5 that a run reached.
    std::ptrdiff_t expected = 0;
    for (const auto& row : t.rows)
      expected += std::count_if(row.begin() + 1, row.begin() + 4,
                                [](const StudyCell& cell) { return cell.number.has_value(); });
    QVERIFY(expected >= 4);
    QCOMPARE(static_cast<std::ptrdiff_t>(result.images.size()), expected);
    QVERIFY(result.images[0].title == "SGD_Thd and SGD_Blk, epoch 1 (Fig. 6)" &&
            result.images[0].high > result.images[0].low);
  }

  void mappingLeavesNoVoxelsInCommon() {
    const StudyResult result = study_cumbir(machine_.options({"mapping"}));
    expect_whole(result);
    const StudyTable& t = table(result, "fig-10");
    QCOMPARE(t.rows.size(), std::size_t{4});
    const std::size_t common = column(t, "voxels in common, pairs of a warp"),
                      lost = column(t, "collisions in a step");
    QVERIFY(*t.rows[0][common].number > 0);
    QCOMPARE(*t.rows[3][common].number, 0.0);
    QCOMPARE(*t.rows[3][lost].number, 0.0);
    QCOMPARE(table(result, "fig-9").rows.size(), std::size_t{4});  // one kind of writes
  }

  /// Without a GPU print's gains stand there all the same, with the reason for what is missing.
  void variantsOfTheKernelSayWhatTheyNeed() {
    const StudyResult result = study_cumbir(machine_.options({"variants"}));
    expect_whole(result);
    std::vector<double> in_print;
    for (const auto& row : table(result, "variants").rows) {
      if (row[5].number) in_print.push_back(*row[5].number);
      QCOMPARE(row[6].words, std::string(row[5].number == 43.0 ? "no kernel here has them together"
                                                               : "needs a CUDA device"));
    }
    QCOMPARE(in_print, (std::vector<double>{30, 13, 4, 43}));  // section 7.4
    QCOMPARE(std::ranges::count_if(
                 result.tables.back().rows,
                 [](const auto& row) { return row[1].words == "section 7.4" && row[2].number; }),
             std::ptrdiff_t{4});
  }

  void storedMatricesAreBuiltBeside() {
    const StudyResult result = study_cumbir(machine_.options({"stored"}));
    expect_whole(result);
    const StudyTable& t = table(result, "stored");
    int with = 0;
    for (const auto& row : t.rows) {
      const bool stored = row[1].words.ends_with("A stored");
      with += stored ? 1 : 0;
      QCOMPARE(*row[2].number > 0, stored);
    }
    QCOMPARE(with, 6);
    for (const auto& row : table(result, "summary").rows) QVERIFY(!row[2].number);
    QCOMPARE(table(result, "sizes").rows.size(), std::size_t{5});
  }

  void everyPhantomHasEveryMethod() {
    const StudyResult result = study_cumbir(machine_.options({"overall"}, {128}));
    expect_whole(result);
    const StudyTable& t = table(result, "fig-11");
    QCOMPARE(t.rows.size(), all_methods().size());
    std::set<std::string> reached;
    for (const auto& row : t.rows) {
      QCOMPARE(row[0].words, std::string("Jaw"));
      QVERIFY2(row[10].words.empty(), row[10].words.c_str());  // no method is refused
      if (!row[2].words.starts_with("0 of")) reached.insert(row[1].words);
    }
    // Print's number is of its own method, SGD with the Mumford-Shah prior, in space.
    for (const auto& row : table(result, "summary").rows)
      QCOMPARE(row[2].number.has_value(), row[0].words.starts_with("SGD, Mumford-Shah over"));
    QVERIFY(!reached.empty());  // the method of the least error reaches 1.05 times the least error
    QCOMPARE(result.charts.size(), std::size_t{1});
  }

  void realisationsOfTheNoiseCanBeChosen() {
    StudyOptions options = machine_.options({"overall"}, {128});
    options.seeds = {2, 4};
    const StudyResult two = study_cumbir(options);
    options.seeds = {2};
    const StudyResult one = study_cumbir(options);
    for (std::size_t i = 0; i < all_methods().size(); ++i) {
      QVERIFY(table(two, "fig-11").rows[i][2].words.ends_with(" of 2"));
      QVERIFY(table(one, "fig-11").rows[i][2].words.ends_with(" of 1"));
    }
    // Times of one realisation have no spread, those of several have.
    int spread = 0;
    for (std::size_t i = 0; i < all_methods().size(); ++i) {
      const auto &row = table(two, "fig-11").rows[i], &single = table(one, "fig-11").rows[i];
      QVERIFY(!single[4].number && !single[5].number);
      QCOMPARE(row[4].number.has_value(), row[2].words == "2 of 2");
      spread += row[4].number ? 1 : 0;
    }
    QVERIFY(spread > 0);
    // Another realisation gives another error.
    QVERIFY(*table(two, "fig-11").rows[0][8].number != *table(one, "fig-11").rows[0][8].number);
  }

  /// The time to a level is that of the first iteration at or below it.
  void theLevelIsReachedAtTheFirstIteration() {
    Run run;
    run.rmse = {4, 2, 1.04, 1, 1.2};
    run.seconds = {1, 2, 3, 4, 5};
    QCOMPARE(run.best(), 1.0);
    QCOMPARE(*run.seconds_to(1.05), 3.0);
    QCOMPARE(*run.iterations_to(1.05), 3);
    QVERIFY(!run.seconds_to(0.5));
  }

  void badPartsAndSizesAreRefused() {
    EXPECT_THROWS(UsageError, study_cumbir(machine_.options({"fig-12"})), "no part \"fig-12\"");
    EXPECT_THROWS(UsageError, study_cumbir(machine_.options({}, {300})), "no size 300");
  }
};

GANTRY_TEST(TestCumbirStudy)
#include "test_cumbir_study.moc"
