// What a run with a stored matrix will hold is asked at every change of a form: its nonzeros are
// counted once for a scan, a grid and weights.
#include "core/matrix/nonzero_estimates.hpp"
#include "tests/job/job_fixture.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

/// Single weights of Siddon's projector that know how often they were asked for.
class CountedProjector final : public Projector, private RowSource {
 public:
  CountedProjector(std::unique_ptr<Projector> inner, int& asked)
      : Projector(inner->backend(), inner->shared_geometry(), inner->grid()),
        inner_(std::move(inner)),
        asked_(asked) {}
  const RowSource* row_source() const override { return this; }

 private:
  std::unique_ptr<ViewRows> view_rows(int view) const override {
    ++asked_;
    return inner_->row_source()->view_rows(view);
  }
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    inner_->forward(x, y, subset);
  }
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    inner_->adjoint(y, x, subset);
  }

  std::unique_ptr<Projector> inner_;
  int& asked_;
};

}  // namespace

class TestMemoryEstimate : public QObject {
  Q_OBJECT
  Workshop workshop_;
  std::shared_ptr<const ExperimentData> data_;
  NonzeroEstimates estimates_;
  int asked_ = 0;

  std::size_t needed(const RunSpec& run, const ScanGeometry& scan, const VolumeGrid& grid) {
    return estimate_memory(run, scan, grid, workshop_.catalog, workshop_.backends, false,
                           &estimates_)
        .needed_bytes;
  }
  std::size_t needed(const RunSpec& run) { return needed(run, *data_->geometry, data_->grid); }
  RunSpec stored(const std::string& solver = "sirt", const std::string& format = "csr") const {
    RunSpec run = run_spec(solver, 5, "counted");
    run.format = format;
    return run;
  }
  void addCounted(const std::string& key) {
    const std::vector<ParamSpec> params = {
        {.key = "times", .label = "", .unit = "", .fallback = 1.0, .help = ""}};
    workshop_.catalog.projectors.add(
        {.key = key, .label = "Counted", .params = params}, "cpu",
        [make = workshop_.catalog.projectors.at("siddon").maker("cpu")->make, this](
            Backend& backend, std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid,
            const Params&) {
          return std::make_unique<CountedProjector>(make(backend, std::move(geometry), grid, {}),
                                                    asked_);
        });
  }

 private slots:
  void initTestCase() {
    data_ = small_data(workshop_);
    for (const char* key : {"counted", "twin"}) addCounted(key);
  }
  void init() {
    estimates_ = {};
    for (const char* format : {"csr", "ellr_t"}) needed(stored("sirt", format));
    asked_ = 0;
  }

  /// Whatever changes but the weights; and scans are compared by what they are.
  void theSameWeightsAreAskedOnce() {
    RunSpec run = stored();
    run.solver_params = {{"relaxation", 0.5}};
    const std::size_t sirt = needed(run);
    run.format = "ellr_t";
    const std::size_t other_format = needed(run);
    needed(stored("cgls"), ScanGeometry(data_->geometry->spec()), data_->grid);
    QCOMPARE(asked_, 0);
    // As without what is kept.
    QCOMPARE(sirt, estimate_memory(stored(), *data_->geometry, data_->grid, workshop_.catalog,
                                   workshop_.backends)
                       .needed_bytes);
    QVERIFY(asked_ > 0);
    QVERIFY(other_format > sirt);
  }

  void otherWeightsAreAskedAnew_data() {
    QTest::addColumn<QString>("what");
    for (const char* what : {"scan", "grid", "projector", "parameters"})
      QTest::newRow(what) << what;
  }
  void otherWeightsAreAskedAnew() {
    QFETCH(QString, what);
    ScanSpec scan = data_->geometry->spec();
    VolumeGrid grid = data_->grid;
    RunSpec run = stored();
    if (what == "scan") scan.column_pitch_mm *= 0.5;
    if (what == "grid") grid.spacing_mm.x *= 0.5;
    if (what == "parameters") run.projector_params = {{"times", 2.0}};
    if (what == "projector") run.projector = "twin";
    const auto anew =
        estimate_memory(run, ScanGeometry(scan), grid, workshop_.catalog, workshop_.backends);
    asked_ = 0;
    QCOMPARE(needed(run, ScanGeometry(scan), grid), anew.needed_bytes);
    QVERIFY(asked_ > 0);
    asked_ = 0;
    needed(run, ScanGeometry(scan), grid);
    needed(stored());  // and the first is still there
    QCOMPARE(asked_, 0);
  }

  void theGreatestStageCounts() {
    const RunSpec small = run_spec("sirt", 5), large = stored();
    QVERIFY(needed(large) > needed(small));
    for (const auto& [first, last] : {std::pair(small, large), std::pair(large, small)}) {
      RunSpec run = last;
      run.stages = {{first, 2, 0}};
      QCOMPARE(needed(run), needed(large));
    }
  }

  void onlySoManyAreKept() {
    VolumeGrid grid = data_->grid;
    for (int i = 0; i < 40; ++i) {
      grid.origin_mm.x += 0.1;
      needed(stored(), *data_->geometry, grid);
    }
    asked_ = 0;
    needed(stored());
    QVERIFY(asked_ > 0);
  }
};

GANTRY_TEST(TestMemoryEstimate)
#include "test_memory_estimate.moc"
