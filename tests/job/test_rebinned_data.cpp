// Experiments whose helical scan is rebinned to fans: data, noise and grid, from each kind of
// source.
#include "core/base/error.hpp"
#include "core/geometry/fan_rebinning.hpp"
#include "core/matrix/stacked_matrix.hpp"
#include "core/operator/slice_stack.hpp"
#include "tests/job/data_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

/// Three turns of 24 views, 8 rows of 2 mm at the axis, 12 mm a turn.
ScanSpec helix() {
  ScanSpec spec = fan_spec(1, 30, 4);
  spec.beam = Beam::cone;
  spec.trajectory = Trajectory::helical;
  spec.detector_rows = 8;
  spec.row_pitch_mm = 3;
  spec.central_row = 3.5;
  spec.helical_feed_mm_per_turn = 12;
  spec.view_angles_rad = angles_from_degrees(-15 * 35.5, 15, 72);
  return spec;
}

std::vector<float> fans_of(const ExperimentData& cone, const VolumeGrid& grid) {
  const FanRebinning rebinning(*cone.geometry, grid);
  std::vector<float> fans(rebinning.fans()->rays());
  rebinning.apply(cone.line_integrals, fans);
  return fans;
}

Experiment helical_experiment() {
  Experiment e;
  e.source.phantom = "shepp_logan_ts";
  e.source.phantom_params = {{"size_mm", 60.0}};
  e.geometry = helix();
  e.simulation.subrays = 1;
  return e;
}

}  // namespace

class TestRebinnedData : public QObject, private DataFixture {
  Q_OBJECT

 private slots:
  void aPhantomsScanBecomesAStack() {
    Experiment e = helical_experiment();
    const auto cone = prepare(e);
    QVERIFY(cone->rebinned_from == nullptr);
    e.source.rebin_to_fans = true;
    QVERIFY(!same_data(e, helical_experiment()));
    const auto fans = prepare(e);
    QVERIFY(fans->geometry->beam() == Beam::fan);
    QVERIFY(is_stack(*fans->geometry, fans->grid));
    QVERIFY(fans->rebinned_from->spec() == helix());
    QVERIFY(fans->line_integrals == fans_of(*cone, fans->grid));
    QVERIFY(fans->grid == rebinnable_slices(*cone->geometry, cone->grid));
    QVERIFY(fans->reference->grid == fans->grid);
    QVERIFY(fans->description.ends_with("exact line integrals, rebinned to fans"));
    QVERIFY(!fans->simulation);
    const auto A = workshop_.catalog.projectors.make("siddon", "cpu", workshop_.cpu(),
                                                     fans->geometry, fans->grid, {});
    QCOMPARE(slice_stack(*A).slices, fans->grid.nz);
  }

  /// It is the cone's rays that count photons; what runs see of the noise has a norm of its own.
  void noiseIsThatOfTheCone() {
    Experiment e = helical_experiment();
    e.source.rebin_to_fans = true;
    const auto exact = prepare(e);
    e.noise = {1e4, 0, 3};
    const auto noisy = prepare(e);
    e.source.rebin_to_fans = false;
    const auto cone = prepare(e);
    QVERIFY(noisy->line_integrals == fans_of(*cone, noisy->grid));
    double square = 0;
    for (std::size_t i = 0; i < exact->line_integrals.size(); ++i) {
      const double difference =
          static_cast<double>(noisy->line_integrals[i]) - exact->line_integrals[i];
      square += difference * difference;
    }
    EXPECT_NEAR(noisy->noise_norm / std::sqrt(square), 1, 1e-5);
    QCOMPARE(noisy->counting.photons_per_ray, 1e4);
    QVERIFY(cone->noise_norm > noisy->noise_norm);  // more rays, and not averaged
  }

  void measuredScansToo() {
    const ScanGeometry geometry(helix());
    write_scan(path("helix.scan.json"), geometry, random_values(geometry.rays(), 4), "a helix");
    Experiment e;
    e.source.kind = SourceKind::scan;
    e.source.path = path("helix.scan.json");
    const auto cone = prepare(e);
    e.source.rebin_to_fans = true;
    const auto fans = prepare(e);
    QVERIFY(is_stack(*fans->geometry, fans->grid));
    QVERIFY(fans->line_integrals == fans_of(*cone, fans->grid));
    QCOMPARE(fans->description, std::string("a helix, rebinned to fans"));
  }

  void volumesKeepTheirSlices() {
    Experiment e = volume_experiment();
    e.source.slice = -1;
    e.geometry = helix();
    e.source.rebin_to_fans = true;
    const auto fans = prepare(e);
    QCOMPARE(fans->grid.nz, 2);
    QVERIFY(is_stack(*fans->geometry, fans->grid));
    QVERIFY(!fans->simulation);
  }

  void theGridIsOnesOwn() {
    Experiment e = helical_experiment();
    e.source.rebin_to_fans = true;
    e.grid = VolumeGrid::centered(20, 20, 3, {3, 3, 5});
    const auto fans = prepare(e);
    QVERIFY(fans->grid == *e.grid);
    QCOMPARE(fans->geometry->rows(), 3);
    e.grid->nz = 30;
    EXPECT_THROWS(UsageError, prepare(e), "rebinning to fans: slice 29 lies at ");
  }

  void whatCannotBeIsSaid() {
    Experiment e = phantom_experiment();
    e.source.rebin_to_fans = true;
    EXPECT_THROWS(UsageError, prepare(e), "the rows of a parallel beam are slices already");
    e = helical_experiment();
    e.source.rebin_to_fans = true;
    e.geometry->helical_feed_mm_per_turn = 17;
    EXPECT_THROWS(UsageError, prepare(e), "the pitch is too great");
    choose_phantom(e, "forbild_head", workshop_.catalog);  // does not fit into this scan
    QVERIFY(!e.source.rebin_to_fans && !e.geometry);
  }

  void interruptedItKeepsNothing() {
    Experiment e = helical_experiment();
    e.source.rebin_to_fans = true;
    Interrupt interrupt;
    interrupt.raise();
    QVERIFY_THROWS_EXCEPTION(Interrupted, prepare(e, &interrupt));
  }
};

GANTRY_TEST(TestRebinnedData)
#include "test_rebinned_data.moc"
