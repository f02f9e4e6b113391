// Data of an experiment take their time and their memory: they give way when asked, say how far
// they are, and are refused when there is no memory for them.
#include "core/base/error.hpp"
#include "tests/job/counted_heap.hpp"
#include "tests/job/data_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/interrupt_at_check.hpp"
#include "tests/support/measured_backend.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestExperimentDataLimits : public QObject, private DataFixture {
  Q_OBJECT

 private slots:
  /// Wherever it is asked to, it gives way; nothing of that is seen the next time.
  void givesWayEverywhere() {
    for (const Experiment& e : one_of_each()) {
      const auto calm = prepare(e);
      InterruptAtCheck interrupt;
      prepare(e, &interrupt);
      const int checks = interrupt.checks();
      QVERIFY(checks >= (e.source.kind == SourceKind::scan ? 1 : 4));
      for (int n = 1; n <= checks; ++n) {
        interrupt.set(n);
        bool gave_way = false;
        try {
          prepare(e, &interrupt);
        } catch (const Interrupted&) {
          gave_way = true;
        }
        QVERIFY(gave_way);
      }
      interrupt.set(0);
      QVERIFY(prepare(e, &interrupt)->line_integrals == calm->line_integrals);
    }
  }

  void progressGrows() {
    for (const Experiment& e : one_of_each()) {
      double last = -1;
      prepare_data(e, workshop_.catalog, workshop_.cpu(), nullptr,
                   [&](double done, const std::string& what) {
                     QVERIFY(done > last && done <= 1);
                     QVERIFY(!what.empty());
                     last = done;
                   });
      QVERIFY(last >= 0);
    }
  }

  void largeDataAreRefused_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("phantom") << 0;
    QTest::newRow("volume") << 1;
    QTest::newRow("scan") << 2;
  }
  /// A grid larger than any memory; nothing is taken before that is said.
  void largeDataAreRefused() {
    QFETCH(int, which);
    Experiment e = one_of_each()[static_cast<std::size_t>(which)];
    e.grid = VolumeGrid::centered(65536, 65536, 65536, {1, 1, 1});
    begin_heap_peak();
    const std::size_t before = heap_held();
    EXPECT_THROWS(OutOfMemory, prepare(e), which == 2 ? "281 TB" : "1.41 PB");
    EXPECT_THROWS(OutOfMemory, prepare(e), "are free");
    EXPECT_THROWS(OutOfMemory, prepare(e), "use a smaller grid");
    QVERIFY(heap_peak() - before < (16U << 20));
  }
  void longScansAreRefused() {
    Experiment e = phantom_experiment();
    e.geometry->detector_columns = e.geometry->detector_rows = 65536;
    e.geometry->view_angles_rad = angles_from_degrees(0, 0.01, 36000);
    EXPECT_THROWS(OutOfMemory, prepare(e), "618 TB");
    e = volume_experiment();
    e.geometry->detector_columns = 16384;
    e.geometry->detector_rows = 65536;
    e.geometry->view_angles_rad = angles_from_degrees(0, 0.01, 36000);
    // Four fine rays a cell and their mean; the projector's workspace depends on the threads.
    EXPECT_THROWS(OutOfMemory, prepare(e), "needs 77");
  }

  /// What is said to be needed is what is taken: enough, and not much more than that.
  void theNeedIsTheTruth() {
    Experiment phantom = phantom_experiment(), volume = volume_experiment();
    phantom.grid = volume.grid = VolumeGrid::centered(200, 200, 2, {1, 1, 1});
    phantom.geometry = volume.geometry = parallel_spec(200, 300, 0.7);
    phantom.simulation.subrays = 1;
    Experiment noisy_phantom = phantom, noisy_volume = volume, unmasked = phantom;
    noisy_phantom.noise.photons_per_ray = noisy_volume.noise.photons_per_ray = 1e5;
    noisy_volume.simulation.subrays = 1;
    noisy_volume.geometry->detector_rows = 3;
    unmasked.metrics.mask = MaskKind::all;
    for (const Experiment& e : {phantom, volume, noisy_phantom, noisy_volume, unmasked}) {
      MeasuredBackend backend;
      backend.limit_bytes = 1;
      std::size_t needed = 0;
      try {
        prepare_data(e, workshop_.catalog, backend);
      } catch (const OutOfMemory& error) {
        needed = error.needed_bytes();
        QCOMPARE(error.free_bytes(), std::size_t{1});
      }
      backend.limit_bytes = needed;
      begin_heap_peak();
      const std::size_t before = heap_held();
      const auto data = prepare_data(e, workshop_.catalog, backend);
      const double taken = static_cast<double>(heap_peak() - before);
      const double share = taken / static_cast<double>(needed);
      // The projector's tables weigh much in a case this small, and are counted at their most.
      QVERIFY2(share > 0.3 && share < 1.03,
               qPrintable(QStringLiteral("%1 of %2 bytes").arg(taken).arg(needed)));
    }
  }
};

GANTRY_TEST(TestExperimentDataLimits)
#include "test_experiment_data_limits.moc"
