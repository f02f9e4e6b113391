// Projections that show no beam: left out, or kept and named.
#include "core/io/imports/line_integrals.hpp"
#include "tests/core/io/imports/held_frames.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestUnlitFrames : public QObject {
  Q_OBJECT
 private slots:
  /// Frames that were allocated and not measured, and one of a closed shutter.
  void viewsWithoutBeamAreTold() {
    const std::vector<float> lit(6, 40), dark(6, 10), closed = {10, 11, 9, 10, 10, 10}, none(6, 0);
    const RawScan scan =
        scan_of({lit, closed, lit, none, none}, {std::vector<float>(6, 110)}, {dark});
    const LineIntegrals found = line_integrals_of(scan, {});
    QCOMPARE(found.left_out, (std::vector<int>{1, 3, 4}));
    QCOMPARE(found.notes, std::vector<std::string>{
                              "3 projections show no beam and were left out as not measured, from "
                              "frame 1 to frame 4"});
    QVERIFY(line_integrals_of(scan_of({none, none}, {lit}), {}).left_out.empty());
    // Nothing is brighter than the dark: then no frame tells that another one is not lit.
    QVERIFY(line_integrals_of(scan_of({none, none}, {lit}, {dark}), {}).left_out.empty());
  }

  /// An object may absorb nearly all in many views, as a plate does along its plane.
  void darkViewsAmongOthersAreKept() {
    const std::vector<float> lit = {400, 401, 402, 400, 401, 402}, dim = {10, 11, 9, 10, 10, 11};
    const Frames flats = {std::vector<float>(6, 1000)}, darks = {std::vector<float>(6, 10)};
    const auto of = [&](const Frames& first, int count_dim, const Frames& last) {
      Frames all = first;
      for (int i = 0; i < 12; ++i) all.insert(all.end(), i % 4 < count_dim ? dim : lit);
      all.insert(all.end(), last.begin(), last.end());
      return line_integrals_of(scan_of(all, flats, darks), {});
    };
    const LineIntegrals kept = of({lit}, 1, {lit});
    QVERIFY(kept.left_out.empty());
    QVERIFY(std::ranges::any_of(kept.notes, [](const std::string& note) {
      return note.starts_with("3 of the projections, from frame 1 to frame 9, are as dark");
    }));
    QCOMPARE(of({dim, dim, lit}, 0, {lit, dim}).left_out, (std::vector<int>{0, 1, 16}));
    QVERIFY(of({lit}, 0, Frames(6, dim)).left_out.empty());
    QCOMPARE(of({lit}, 0, Frames(6, std::vector<float>(6, 10))).left_out.size(), std::size_t{6});
  }

  /// Of a scan without darks, where a closed shutter leaves what the detector adds to all frames.
  void closedFramesAreTold() {
    const auto frame = [](float value) {
      return std::vector<float>{value, value + 1, value + 2, value, value + 1, value + 2};
    };
    const Frames flats = {std::vector<float>(6, 10000)};
    const Frames lit(6, frame(5000));
    const auto with = [&](const Frames& first, const Frames& last) {
      Frames all = first;
      all.insert(all.end(), lit.begin(), lit.end());
      all.insert(all.end(), last.begin(), last.end());
      return line_integrals_of(scan_of(all, flats), {});
    };
    const LineIntegrals result = with({frame(100), frame(101)}, {});
    QCOMPARE(result.left_out, (std::vector<int>{0, 1}));
    QCOMPARE(result.closed, (std::vector<int>{0, 1}));
    QCOMPARE(with({}, {frame(100), frame(101)}).closed, (std::vector<int>{6, 7}));
    // A single one may be a view through the length of a plate.
    const LineIntegrals one = with({}, {frame(100)});
    QCOMPARE(one.left_out, std::vector<int>{6});
    QVERIFY(one.closed.empty());
    // Among the others, or many, they may be views of an object: they are kept and named.
    for (const LineIntegrals& kept :
         {with({frame(5000), frame(100), frame(101)}, {}), with(Frames(4, frame(100)), {})}) {
      QVERIFY(kept.left_out.empty() && kept.closed.empty());
      QVERIFY(std::ranges::any_of(kept.notes, [](const std::string& note) {
        return note.find("are as dark as with a closed shutter and were kept") != std::string::npos;
      }));
    }
    // Dim, but with an object in it; and dimmer from view to view.
    const std::vector<float> shadow = {400, 100, 400, 400, 100, 400};
    QVERIFY(
        line_integrals_of(scan_of({frame(5000), shadow, frame(4000)}, flats), {}).closed.empty());
    const Frames dimming = {frame(9000), frame(8000), frame(1500), frame(700), frame(9000)};
    QVERIFY(line_integrals_of(scan_of(dimming, flats), {}).left_out.empty());
  }
};

GANTRY_TEST(TestUnlitFrames)
#include "test_unlit_frames.moc"
