// The beam of projections without a flat: by the air at the sides, where these see some, else
// assumed with a note that says so; or as the user states it.
#include "core/io/imports/checks/assumed_beam.hpp"
#include "core/io/imports/import_json.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/line_integrals.hpp"
#include "tests/core/corrections/sinogram_case.hpp"
#include "tests/core/io/imports/held_frames.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

using BeamBasis = AssumedBeam::Basis;

/// Transmissions of two discs with air at both sides, or of a part of the columns.
struct BeamCase {
  SinogramCase scan{.views = 40, .rows = 8, .columns = 128, .noise = 0.02};
  int first = 0, last = 128;  // columns, the last one not included
  std::vector<float> values = {};

  BeamCase& take(int from, int behind) {
    first = from;
    last = behind;
    std::vector<float> integrals = scan.line_integrals();
    values.clear();
    for (std::size_t line = 0; line < integrals.size(); line += std::size_t(scan.columns))
      for (int column = first; column < last; ++column)
        values.push_back(integrals[line + std::size_t(column)]);
    return *this;
  }
  BeamCase& transmissions() {
    for (float& value : values) value = std::exp(-value);
    return *this;
  }
  BeamCase& counts(float beam) {
    for (float& value : values) value = std::round(beam * value);
    return *this;
  }
  FrameSizes sizes() const { return {scan.views, scan.rows, last - first}; }
  AssumedBeam beam(std::optional<double> dark = {}) const {
    return assumed_beam(values, sizes(), dark, {}, {});
  }
};

RawScan scan_of_beam_case(const SinogramCase& scan, const std::vector<float>& values) {
  Frames frames;
  const auto of_view = std::size_t(scan.rows) * std::size_t(scan.columns);
  for (std::size_t at = 0; at < values.size(); at += of_view)
    frames.emplace_back(values.begin() + std::ptrdiff_t(at),
                        values.begin() + std::ptrdiff_t(at + of_view));
  return scan_of(std::move(frames));
}

}  // namespace

class TestAssumedBeam : public QObject {
  Q_OBJECT
 private slots:
  /// Where a pin lets no beam through, transmissions have values below 0; the air at the sides
  /// tells them from line integrals all the same.
  void transmissionsMayBeBelowZero() {
    BeamCase scan;
    scan.take(0, 128);
    BeamCase pin = scan;
    pin.transmissions();
    for (int view = 0; view < pin.scan.views; ++view)
      for (int row = 0; row < pin.scan.rows; ++row)
        for (int column = 60; column < 68; ++column)
          pin.values[pin.scan.index(view, row, column)] = (column + row) % 2 == 0 ? -1e-4F : 1e-4F;
    const AssumedBeam beam = pin.beam();
    QVERIFY(beam.basis == BeamBasis::air);
    QCOMPARE(beam.level, 1.0F);
    QVERIFY(scan.beam().basis == BeamBasis::none);  // the noise of air is below 0, too
  }

  /// Noise of 2 %, a zinger and a hot cell do not move it.
  void airAtTheSidesIsTheBeam() {
    BeamCase scan;
    scan.take(0, 128).transmissions();
    const AssumedBeam plain = scan.beam();
    QVERIFY(plain.basis == BeamBasis::air);
    QCOMPARE(plain.level, 1.0F);
    EXPECT_NEAR(plain.seen, 1, 0.005);
    BeamCase counts = scan;
    counts.counts(47000);
    EXPECT_NEAR(counts.beam().level, 47000, 0.005 * 47000);
    counts.values[counts.scan.index(12, 3, 70)] = 65535;
    for (int view = 0; view < counts.scan.views; ++view)
      counts.values[counts.scan.index(view, 2, 1)] = 60000;
    EXPECT_NEAR(counts.beam().level, 47000, 0.005 * 47000);
    QVERIFY(counts.beam().basis == BeamBasis::air);
    for (float& value : counts.values) value += 3000;
    EXPECT_NEAR(counts.beam(3000).level, 50000, 0.005 * 47000);
    scan.values[scan.scan.index(30, 5, 30)] = 5;
    QCOMPARE(scan.beam().level, 1.0F);
  }

  /// As of a detector beside the axis, or of an object that leaves the rows in some views.
  void airAtOneSideIsEnough() {
    BeamCase half;
    half.take(64, 128).transmissions().counts(20000);
    QVERIFY(half.beam().basis == BeamBasis::air);
    EXPECT_NEAR(half.beam().level, 20000, 100);
    BeamCase some;
    some.take(0, 128).transmissions().counts(20000);
    for (int view = 0; view < 15; ++view)
      for (int row = 0; row < some.scan.rows; ++row)
        for (const int column : {0, 1, 2, 3, 124, 125, 126, 127})
          some.values[some.scan.index(view, row, column)] /= 2;
    EXPECT_NEAR(some.beam().level, 20000, 100);
  }

  void rowsThatTheBeamDoesNotReachDoNotCount_data() {
    QTest::addColumn<int>("dark_at_each_end");
    for (const int rows : {1, 3, 4, 6, 8}) QTest::addRow("%d of 20", 2 * rows) << rows;
  }
  /// A slit or a collimator leaves rows dark.
  void rowsThatTheBeamDoesNotReachDoNotCount() {
    QFETCH(const int, dark_at_each_end);
    BeamCase scan;
    scan.scan.rows = 20;
    scan.take(0, 128).transmissions().counts(40000);
    for (int view = 0; view < scan.scan.views; ++view)
      for (int row = 0; row < scan.scan.rows; ++row)
        if (std::min(row, scan.scan.rows - 1 - row) < dark_at_each_end)
          for (int column = 0; column < scan.scan.columns; ++column)
            scan.values[scan.scan.index(view, row, column)] = 100;
    QVERIFY(scan.beam().basis == BeamBasis::air);
    EXPECT_NEAR(scan.beam().level, 40000, 200);
  }

  /// A round object that fills the rows is thinnest at the sides, and its rim is no air.
  void withoutAirTheNoteSaysSo() {
    BeamCase inner;
    inner.take(24, 104).transmissions();
    QVERIFY(inner.beam().basis == BeamBasis::transmission);
    QCOMPARE(inner.beam().level, 1.0F);
    inner.counts(30000);
    const AssumedBeam brightest = inner.beam();
    QVERIFY(brightest.basis == BeamBasis::brightest);
    QVERIFY(brightest.level < 0.75 * 30000);
    SinogramCase held = inner.scan;
    held.rows = 2;
    held.columns = 80;
    inner.values.resize(std::size_t(held.views * held.rows * held.columns));
    const LineIntegrals found = line_integrals_of(scan_of_beam_case(held, inner.values), {});
    QVERIFY(found.lacks_flat);
    const std::string& note = found.notes.at(0);
    for (const char* part : {"there is no flat: ", "the sides show no air: if the object fills",
                             "--white-level states the beam"})
      QVERIFY2(note.find(part) != std::string::npos, note.c_str());
    // Columns of air take the place of any beam that is assumed.
    QVERIFY(
        line_integrals_of(scan_of_beam_case(held, inner.values), {.air_columns = 2}).notes.empty());
  }

  /// Line integrals of a thick slab that fills the rows are all above 0, and above 1.
  void thickLineIntegralsAreKnown() {
    BeamCase slab;
    slab.take(44, 84);
    for (std::size_t i = 0; i < slab.values.size(); ++i) {
      const float turned = std::cos(3.14F * float(i / 320) / 40), across = float(i % 40) / 20 - 1;
      slab.values[i] = 1.2F + 0.1F * std::sin(3 * across) * turned + 0.005F * float(i % 7);
    }
    QVERIFY(slab.beam().basis == BeamBasis::none);
    for (float& value : slab.values) value *= 100;
    QVERIFY(slab.beam().basis == BeamBasis::brightest);  // counts that were averaged, for one
  }

  /// A measured sinogram whose largest value is 1.15 times its air.
  void aMeasuredSinogramWithoutFlats() {
    NEED_DATA("scans-in/sino_neutron360_rings");
    ImportRequest request;
    request.path = data_path("scans-in/sino_neutron360_rings/sinogram_360_neutron_image.tif");
    request.arc_deg = 360;
    request.centre = 244.75;
    const LoadedScan scan = import_scan(request).scan;
    const auto columns = std::size_t(scan.geometry->columns());
    double left = 0, right = 0;
    for (std::size_t at = 0; at < scan.line_integrals.size(); at += columns)
      for (std::size_t k = 0; k < 30; ++k) {
        left += scan.line_integrals[at + k] / (30 * scan.geometry->views());
        right += scan.line_integrals[at + columns - 1 - k] / (30 * scan.geometry->views());
      }
    EXPECT_NEAR(left, 0, 0.02);
    EXPECT_NEAR(right, 0, 0.02);
  }

  void viewsWithoutBeamDoNotCount() {
    BeamCase scan;
    scan.take(0, 128).transmissions().counts(20000);
    std::vector<int> without;
    for (int view = 0; view < 20; ++view) without.push_back(view);
    std::fill_n(scan.values.begin(), scan.scan.index(20, 0, 0), 0.0F);
    EXPECT_NEAR(assumed_beam(scan.values, scan.sizes(), {}, without, {}).level, 20000, 100);
    EXPECT_NEAR(assumed_beam(scan.values, scan.sizes(), {}, {}, without).level, 20000, 100);
  }

  /// What the user states takes the place of flats and of what the files state.
  void theBeamThatIsGiven() {
    const Frames frames = {{30, 50, 70, 20, 40, 110}};
    RawScan scan = scan_of(frames, {{90, 90, 90, 90, 90, 90}});
    scan.give_white_level(0);
    QVERIFY(scan.flats != nullptr && scan.notes.empty());
    scan.give_white_level(100);
    QVERIFY(scan.flats == nullptr);
    QCOMPARE(scan.notes,
             std::vector<std::string>{"the beam that was given, 100, took the place of the flats"});
    const LineIntegrals found = line_integrals_of(scan, {});
    EXPECT_NEAR(found.values[0], -std::log(0.2), 1e-6);
    QVERIFY(found.lacks_flat);
    RawScan stated = scan_of(frames);
    stated.take_white_level(200, "WhiteLevel");
    QCOMPARE(stated.assumptions.size(), 1U);
    stated.give_white_level(100);
    QVERIFY(stated.assumptions.empty());
    QCOMPARE(stated.notes,
             std::vector<std::string>{
                 "the beam that was given, 100, took the place of 200, which the files state"});
    const LineIntegrals corrected = line_integrals_of(stated, {});
    EXPECT_NEAR(corrected.values[0], -std::log(0.2), 1e-6);
    QVERIFY(!corrected.lacks_flat);
    RawScan integrals = scan_of(frames);
    integrals.are_line_integrals = true;
    integrals.give_white_level(100);
    QVERIFY(integrals.white_level == 0 && integrals.notes.size() == 1);
  }

  void experimentsHoldTheBeam() {
    ImportSettings settings;
    settings.normalise.white_level = 47000.5;
    const nlohmann::json json = to_json(settings, "/");
    QVERIFY(import_from_json(JsonFields(json, "test"), "/") == settings);
    QVERIFY(!nlohmann::json(to_json({}, "/")).contains("white_level"));
    for (const char* text :
         {R"({"white_level": -1})", R"({"white_level": 5, "are_line_integrals": true})",
          R"({"white_level": 5, "flats": ["a.tif"]})",
          R"({"white_level": 5, "average": "interpolated"})"}) {
      const nlohmann::json bad = nlohmann::json::parse(text);
      EXPECT_THROWS(InputError, import_from_json(JsonFields(bad, "test"), "/"), "white_level");
    }
  }
};

GANTRY_TEST(TestAssumedBeam)
#include "test_assumed_beam.moc"
