// The scanners of the literature, against their published numbers.
#include "core/base/error.hpp"
#include "core/geometry/presets.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/job/experiment.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <set>

using namespace gantry;

class TestPresets : public QObject {
  Q_OBJECT

  static std::size_t stored(const char* key) {
    const ScanPreset& preset = scan_preset(key);
    return analyse_symmetry(ScanGeometry(preset.scan), preset.grid).stored_views().size();
  }

 private slots:
  void everyPresetIsAScanWithItsGrid() {
    std::set<std::string> keys;
    for (const ScanPreset& preset : scan_presets()) {
      const ScanGeometry geometry(preset.scan, preset.key);
      preset.grid.validate(preset.key);
      QVERIFY(keys.insert(preset.key).second);
      QVERIFY(!preset.label.empty() && !preset.reference.empty());
      QVERIFY(find_preset(preset.scan, preset.grid) == &preset);
      // The views see the middle, and most of the image.
      const double half = 0.5 * preset.grid.nx * preset.grid.spacing_mm.x;
      QVERIFY2(geometry.field_of_view_radius_mm() > 0.98 * half, preset.key.c_str());
    }
    EXPECT_THROWS(UsageError, scan_preset("ge"), "use one of head_fan, ge_ct750");
    ScanSpec other = scan_preset("cuart").scan;
    other.central_column += 0.25;
    QVERIFY(find_preset(other, scan_preset("cuart").grid) == nullptr);
  }

  void publishedNumbers() {
    const ScanSpec& ge = scan_preset("ge_ct750").scan;
    QCOMPARE(ge.central_column, 444.75);  // (888 - 1) / 2 + 1.25
    QCOMPARE(ge.detector_columns * ge.detector_rows, 888 * 64);
    EXPECT_NEAR(2 * ScanGeometry(ge).field_of_view_radius_mm(), 500, 5);
    // Slices of 0.625 mm are the rows' height at the axis.
    EXPECT_NEAR(ScanGeometry(ge).row_pitch_at_isocenter_mm(), 0.625, 1e-3);
    const ScanPreset& cuart = scan_preset("cuart");
    EXPECT_NEAR(0.5 * 512 / cuart.scan.source_to_isocenter_mm, 0.0436, 5e-5);
    EXPECT_NEAR(ScanGeometry(cuart.scan).field_of_view_radius_mm(), 256, 1e-9);
    EXPECT_NEAR(2 * ScanGeometry(scan_preset("p3_256").scan).field_of_view_radius_mm(), 1.59 * 256,
                1e-9);
    EXPECT_NEAR(degrees(scan_preset("p3_256").scan.view_angles_rad.back()), 179, 1e-9);
    EXPECT_NEAR(2 * ScanGeometry(scan_preset("p4_512").scan).field_of_view_radius_mm(), 1.26 * 512,
                1e-9);
    const ScanPreset& helical = scan_preset("helical");
    const ScanGeometry helix(helical.scan);
    EXPECT_NEAR(helical.scan.helical_feed_mm_per_turn / (32 * helix.row_pitch_at_isocenter_mm()),
                31.0 / 32, 1e-12);
    EXPECT_NEAR(helical.grid.lower_corner_mm().z, helix.axial_range_mm().low, 0.5 * 0.63);
    EXPECT_NEAR(helical.grid.upper_corner_mm().z, helix.axial_range_mm().high, 0.5 * 0.63);
  }

  void viewsToStore() {
    QCOMPARE(stored("ge_ct750"), std::size_t{246});  // turns alone: 984 / 4
    QCOMPARE(stored("ge_ct750_symmetric"), std::size_t{123});
    QCOMPARE(stored("cuart"), std::size_t{90});
    QCOMPARE(stored("head_fan"), std::size_t{90});
    QCOMPARE(stored("p3_256"), std::size_t{46});
    QCOMPARE(stored("p4_512"), std::size_t{91});
    QCOMPARE(stored("helical"), std::size_t{738});
  }

  void theReadyExperimentIsOne() {
    const Experiment ready = ready_experiment();
    const ScanPreset* preset = find_preset(*ready.geometry, *ready.grid);
    QVERIFY(preset != nullptr);
    QCOMPARE(preset->key, std::string("head_fan"));
  }
};

GANTRY_TEST(TestPresets)
#include "test_presets.moc"
