// A slice for the preview of measured data, reconstructed from the rows of the detector that see
// it.
#include "core/worker/preview/slice_preview.hpp"
#include "tests/job/data_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestSlicePreview : public QObject, DataFixture {
  Q_OBJECT
  const Interrupt interrupt_;

  static constexpr int views = 72, columns = 260, rows = 240;
  static constexpr int side = 144;  // more than the quick reconstruction of a volume has

  /// A scan whose slices are reconstructed one by one.
  static ScanSpec scan(Beam beam) {
    ScanSpec spec = fan_spec(views, columns, 2);
    spec.beam = beam;
    spec.detector_rows = rows;
    spec.row_pitch_mm = 2;
    // The slices of a stack are at the heights of rows.
    spec.central_row = beam == Beam::parallel ? 118.5 : 117.25;
    if (beam == Beam::parallel) spec.source_to_isocenter_mm = spec.source_to_detector_mm = 0;
    return spec;
  }
  static VolumeGrid grid(Beam beam) {
    return beam == Beam::cone ? VolumeGrid::centered(side, side, 24, {0.8, 0.8, 3})
                              : VolumeGrid::centered(side, side, rows, {0.8, 0.8, 2});
  }
  /// The scan of smooth noise, with columns that differ, as an experiment and its data.
  PresentData present(Beam beam, const std::vector<CorrectionSpec>& corrections = {}) {
    const ScanGeometry geometry(scan(beam));
    std::vector<float> values(geometry.rays());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(1 + std::sin(0.01 * static_cast<double>(i % 30011)) +
                                     (i % columns % 37 == 0 ? 0.3 : 0));
    write_scan(path("large.scan.json"), geometry, values, "a scan");
    Experiment e;
    e.source.kind = SourceKind::scan;
    e.source.path = path("large.scan.json");
    e.grid = grid(beam);
    e.corrections = corrections;
    return {e, prepare(e)};
  }
  std::shared_ptr<const ReducedImage> slice(const Experiment& tried, const PresentData& present,
                                            int index) {
    CorrectedRows corrected(workshop_.catalog, workshop_.backends);
    return reconstruct_slice(tried, present, index, SliceHaste::at_rest, corrected,
                             workshop_.catalog, workshop_.backends, interrupt_);
  }

 private slots:
  void theRowsOfASliceSeeAllOfIt() {
    const ScanSpec spec = scan(Beam::cone);
    const VolumeGrid of = grid(Beam::cone);
    for (int index = 0; index < of.nz; ++index) {
      const auto range = rows_of_slice(spec, of, index);
      QVERIFY(range);
      double low = rows, high = -1;
      for (int view = 0; view < views; ++view)
        for (const int ix : {0, of.nx - 1})
          for (const int iy : {0, of.ny - 1}) {
            // A ray through the voxel meets the plane of the detector at the height of its row.
            const Vec3 at = of.voxel_center_mm(ix, iy, index);
            const View pose = ScanGeometry(spec).view(view);
            const double across = std::hypot(pose.source_mm.x, pose.source_mm.y),
                         distance =
                             across - (at.x * pose.source_mm.x + at.y * pose.source_mm.y) / across;
            const double row =
                spec.central_row + at.z * spec.source_to_detector_mm / distance / spec.row_pitch_mm;
            low = std::min(low, row);
            high = std::max(high, row);
          }
      QVERIFY(range->first <= std::floor(low));
      QVERIFY(range->first + range->count - 1 >= std::ceil(high));
      QVERIFY2(range->count <= high - low + 7, qPrintable(QString::number(range->count)));
    }
    QVERIFY(!rows_of_slice(spec, of, of.nz));
    VolumeGrid wide = of;  // reaches the source
    wide.spacing_mm.x = 1000;
    QVERIFY(!rows_of_slice(spec, wide, 3));
    const auto of_stack = rows_of_slice(scan(Beam::parallel), grid(Beam::parallel), 7);
    QVERIFY(of_stack == (RowRange{7 - 1, 1}));
  }

  void itIsASliceOfTheWholeVolume_data() {
    QTest::addColumn<Beam>("beam");
    QTest::newRow("cone") << Beam::cone;
    QTest::newRow("parallel") << Beam::parallel;
  }
  void itIsASliceOfTheWholeVolume() {
    QFETCH(const Beam, beam);
    PresentData now = present(beam);
    Experiment moved = now.made_from;
    moved.geometry = now.data->geometry->spec();
    moved.geometry->central_column += 3.5;
    for (const Experiment& tried : {now.made_from, moved}) {
      const auto data = prepare(tried);
      const ReducedImage whole = reconstruct_quickly(data, workshop_.catalog, workshop_.backends,
                                                     interrupt_, Reduction::to(side));
      for (const int index : {10, 12, 20}) {
        const auto one = slice(tried, now, index);
        QVERIFY(one != nullptr);
        QCOMPARE(one->grid.nz, 1);
        QCOMPARE(one->grid.nx, whole.grid.nx);
        EXPECT_NEAR(one->grid.origin_mm.z, whole.grid.voxel_center_mm(0, 0, index).z, 1e-9);
        float most = 0;
        for (std::size_t i = 0; i < one->mu.size(); ++i)
          most = std::max(most,
                          std::abs(one->mu[i] -
                                   whole.mu[static_cast<std::size_t>(index) * one->mu.size() + i]));
        QVERIFY2(most < 1e-6F, qPrintable(QString::number(static_cast<double>(most))));
      }
    }
  }

  /// Other values of a correction give the slice of data that were prepared with them, whether the
  /// correction looks at rows alone or at the whole detector.
  void itHasTheCorrectionsThatAreTried_data() {
    QTest::addColumn<Beam>("beam");
    QTest::addColumn<std::vector<CorrectionSpec>>("before");
    QTest::addColumn<std::vector<CorrectionSpec>>("tried");
    using Steps = std::vector<CorrectionSpec>;
    const auto rings = [](double snr) { return CorrectionSpec{"rings", {{"snr", snr}}}; };
    const auto harden = [](double a2) { return CorrectionSpec{"beam_hardening", {{"a2", a2}}}; };
    const auto air = [](std::int64_t left) {
      return CorrectionSpec{"drift", {{"left", left}, {"right", std::int64_t{2}}}};
    };
    QTest::newRow("rings") << Beam::parallel << Steps{rings(3)} << Steps{rings(1.2)};
    QTest::newRow("before rings") << Beam::cone << Steps{harden(0), rings(3)}
                                  << Steps{harden(0.2), rings(3)};
    QTest::newRow("whole detector")
        << Beam::parallel << Steps{air(2), harden(0.1)} << Steps{air(9), harden(0.1)};
    QTest::newRow("a new one") << Beam::parallel << Steps{} << Steps{harden(0.2)};
  }
  void itHasTheCorrectionsThatAreTried() {
    QFETCH(const Beam, beam);
    QFETCH(const std::vector<CorrectionSpec>, before);
    QFETCH(const std::vector<CorrectionSpec>, tried);
    const PresentData now = present(beam, before);
    Experiment other = now.made_from;
    other.corrections = tried;
    const PresentData then{other, prepare(other)};
    const auto followed = slice(other, now, 12), expected = slice(other, then, 12);
    QVERIFY(followed != nullptr && expected != nullptr);
    QVERIFY(followed->mu == expected->mu);
    QVERIFY(followed->mu != slice(now.made_from, now, 12)->mu);
    CorrectedRows corrected(workshop_.catalog, workshop_.backends);
    const PresentData all = with_corrections_of(other, now, corrected, interrupt_);
    QVERIFY(same_data(all.made_from, other));
    QVERIFY(all.data->line_integrals == then.data->line_integrals);
    QVERIFY(with_corrections_of(now.made_from, now, corrected, interrupt_).data == now.data);
  }
};

GANTRY_TEST(TestSlicePreview)
#include "test_slice_preview.moc"
