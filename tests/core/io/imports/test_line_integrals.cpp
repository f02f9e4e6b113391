// From intensities to line integrals.
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/line_integrals.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/imports/held_frames.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <cmath>
#include <random>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Frames during whose first reading somebody interrupts.
class InterruptedFrames final : public FrameSource {
 public:
  InterruptedFrames(int frames, Interrupt& interrupt) : frames_(frames), interrupt_(interrupt) {}
  int frames() const override { return frames_; }
  int rows() const override { return 2; }
  int columns() const override { return 3; }
  void read(int, std::span<float> values) const override {
    if (read_++ == 0) interrupt_.raise();
    std::ranges::fill(values, 1.0F);
  }
  std::string name(int frame) const override { return "frame " + std::to_string(frame); }
  int frames_read() const { return read_; }

 private:
  int frames_;
  Interrupt& interrupt_;
  mutable int read_ = 0;
};

/// Counts of two rows of 150 cells about 5000, with white noise.
Frames noisy_frames(int count) {
  std::mt19937 random(7);
  Frames frames;
  for (int i = 0; i < count; ++i) {
    std::vector<float>& frame = frames.emplace_back();
    for (int k = 0; k < 300; ++k) frame.push_back(static_cast<float>(4900 + random() % 200));
  }
  return frames;
}

}  // namespace

class TestLineIntegrals : public QObject {
  Q_OBJECT
 private slots:
  /// -ln((p - d) / (f - d)) with medians, the file's last row becoming row 0.
  void rowsAreTurnedOver() {
    const RawScan scan = scan_of({{30, 50, 70, 20, 40, 110}},
                                 {{110, 110, 110, 110, 110, 110},
                                  {110, 110, 110, 110, 110, 110},
                                  {999, 999, 999, 999, 999, 999}},
                                 {{10, 10, 10, 10, 10, 10}});
    const LineIntegrals found = line_integrals_of(scan, {});
    const double transmission[] = {0.1, 0.3, 1.0, 0.2, 0.4, 0.6};
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(found.values[i], -std::log(transmission[i]), 1e-6);
    QCOMPARE(found.notes.size(), std::size_t{1});  // on the last flat
  }

  /// Images that were left out may be the flats that the beam lacks: that comes before all else.
  void theBeamThatIsAssumedBesideImagesThatWereLeftOut() {
    RawScan scan = scan_of({{30, 50, 110, 20, 40, 110}});
    QCOMPARE(line_integrals_of(scan, {}).notes,
             std::vector<std::string>{
                 "there is no flat: 110 was taken as the beam, the brightest that groups of cells "
                 "show, but the sides show no air: if the object fills all views, the line "
                 "integrals are too small; --white-level states the beam, --air N takes it from N "
                 "columns that do see air"});
    QVERIFY(line_integrals_of(scan, {}).first_note.empty());
    scan.left_out_images = "blank_#.tif (5 files)";
    const LineIntegrals found = line_integrals_of(scan, {});
    QVERIFY(found.notes.empty());
    QCOMPARE(found.first_note,
             std::string("no flat was found, though images that were left out may be flats or "
                         "darks: blank_#.tif (5 files); --flat and --dark name these; 110 was "
                         "taken as the beam, the brightest that groups of cells show, but the "
                         "sides show no air: if the object fills all views, the line integrals "
                         "are too small; --white-level states the beam, --air N takes it from N "
                         "columns that do see air"));
  }

  /// One line for the two, however many values they hold; other frames have other noise.
  void repeatedFramesAreNamed() {
    const Frames frames = noisy_frames(40);
    QVERIFY(line_integrals_of(scan_of(frames), {}).notes.size() == 1);  // there is no flat
    Frames repeated = frames;
    repeated[7] = repeated[6];
    QCOMPARE(line_integrals_of(scan_of(repeated), {}).notes.at(0),
             std::string("frame 6 and frame 7 hold the same picture, with the same noise"));
    repeated[30] = repeated[2];
    repeated[31] = repeated[2];
    QCOMPARE(line_integrals_of(scan_of(repeated), {}).notes.at(0),
             std::string("frame 6 and frame 7 hold the same picture, with the same noise, as do 2 "
                         "more pairs"));
    QCOMPARE(line_integrals_of(scan_of(Frames(40, frames[0])), {}).notes.at(0),
             std::string("frame 0 and frame 1 hold the same picture, with the same noise, as do 38 "
                         "more pairs"));
    NormaliseOptions as_line_integrals;
    as_line_integrals.are_line_integrals = true;
    QVERIFY(line_integrals_of(scan_of(repeated), as_line_integrals).notes.empty());
  }

  /// Of whatever values, but not where the object is the same from all sides.
  void framesThatAreStoredTwiceAreNamed() {
    Frames twice;
    for (int i = 0; i < 20; ++i) twice.emplace_back(6, 0.01F * static_cast<float>(i / 2 + 1));
    const auto is_noted = [](const Frames& frames, bool are_line_integrals) {
      NormaliseOptions options;
      options.are_line_integrals = are_line_integrals;
      return has_part(line_integrals_of(scan_of(frames), options).notes,
                      "each frame is there twice, one behind the other, the first as frame 0 and "
                      "frame 1");
    };
    QVERIFY(is_noted(twice, true) && is_noted(twice, false));
    Frames noisy = noisy_frames(20);
    QVERIFY(!is_noted(noisy, false));
    for (std::size_t i = 0; i < 20; i += 2) noisy[i + 1] = noisy[i];
    QVERIFY(is_noted(noisy, false));
    noisy.pop_back();
    QVERIFY(is_noted(noisy, false));
    noisy.resize(5);
    QVERIFY(!is_noted(noisy, false));
    QVERIFY(!is_noted(Frames(20, twice[0]), true));
  }

  /// What a simulation of a symmetric object, a part of it, or a saturated detector repeats.
  void framesMayBeAlikeByNature() {
    Frames smooth = noisy_frames(40);
    for (std::size_t i = 0; i < smooth.size(); ++i)
      for (std::size_t k = 0; k < smooth[i].size(); ++k) {
        const double depth = 2000 + 10.0 * static_cast<double>(i == 20 ? 19 : i),
                     x = (static_cast<double>(k % 150) - 75) / 70;
        smooth[i][k] = static_cast<float>(std::lround(5000 - depth * std::exp(-x * x)));
      }
    QVERIFY(smooth[19] == smooth[20] && smooth[18] != smooth[19]);
    QCOMPARE(line_integrals_of(scan_of(smooth), {}).notes.size(), std::size_t{1});
    Frames halves = noisy_frames(40);
    for (float& value : halves[7]) value += 0.5F;
    halves[8] = halves[7];
    QCOMPARE(line_integrals_of(scan_of(halves), {}).notes.size(), std::size_t{1});
    Frames periodic = noisy_frames(40);
    for (std::size_t i = 0; i < 20; ++i) periodic[20 + i] = periodic[i];
    QCOMPARE(line_integrals_of(scan_of(periodic), {}).notes.size(), std::size_t{1});
    Frames small = noisy_frames(40);
    for (auto& frame : small) frame.resize(100);
    small[8] = small[7];
    QCOMPARE(line_integrals_of(scan_of(small), {}).notes.size(), std::size_t{1});
  }

  void meanAndMedianOfFlats() {
    const RawScan scan =
        scan_of({{1, 1, 1, 1, 1, 1}},
                {{1, 1, 1, 1, 1, 1}, {2, 2, 2, 2, 2, 2}, {6, 6, 6, 6, 6, 6}, {4, 4, 4, 4, 4, 4}});
    EXPECT_NEAR(line_integrals_of(scan, {}).values[0], std::log(3.0), 1e-6);
    EXPECT_NEAR(line_integrals_of(scan, {.average = FrameAverage::mean}).values[0], std::log(3.25),
                1e-6);
  }

  /// Whoever interrupts does not wait for the other flats, of which there may be hundreds.
  void anInterruptIsServedBetweenFlats() {
    for (const FrameAverage average : {FrameAverage::median, FrameAverage::mean}) {
      Interrupt interrupt;
      const auto flats = std::make_shared<InterruptedFrames>(5, interrupt);
      RawScan scan = scan_of({std::vector<float>(6, 1)});
      scan.flats = flats;
      QVERIFY_THROWS_EXCEPTION(Interrupted,
                               line_integrals_of(scan, {.average = average}, {}, &interrupt));
      QCOMPARE(flats->frames_read(), 1);
    }
  }

  /// A beam that grows evenly: -ln((p - d) / (flat of the view - d)) of each of five views, where
  /// the flat lies on the line between the means before the first (view -0.5) and after the last.
  void flatsAreInterpolated() {
    Frames projections;
    std::vector<double> transmission;
    for (int view = 0; view < 5; ++view) {
      std::vector<float> frame;
      for (int cell = 0; cell < 6; ++cell) {
        const double beam = (100 + 10 * cell) * (1 + 0.2 * (view + 0.5) / 5);
        transmission.push_back(0.1 * (view + 1) + 0.05 * cell);
        frame.push_back(static_cast<float>(7 + beam * transmission.back()));
      }
      projections.push_back(frame);
    }
    const auto flat = [](float factor, float change) {
      std::vector<float> frame;
      for (int cell = 0; cell < 6; ++cell)
        frame.push_back(7 + factor * static_cast<float>(100 + 10 * cell) + change);
      return frame;
    };
    RawScan scan =
        scan_of(projections, {flat(1.2F, 4), flat(1, -1), flat(1.2F, -4), flat(1, 1), flat(1, 0)},
                {{7, 7, 7, 7, 7, 7}});
    scan.begins_lowest = true;
    scan.flat_views = {4.5, -0.5, 4.5, -0.5, -0.5};
    const NormaliseOptions interpolated{.average = FrameAverage::interpolated};
    const LineIntegrals found = line_integrals_of(scan, interpolated);
    for (std::size_t i = 0; i < transmission.size(); ++i)
      EXPECT_NEAR(found.values[i], -std::log(transmission[i]), 1e-6);
    QCOMPARE(found.notes, (std::vector<std::string>{
                              "flats of 2 times were interpolated for each view; from the first to "
                              "the last the beam changed by 20 %"}));
    // Of every second view, the flats are as far apart in time.
    FramePart every_second;
    every_second.every = 2;
    take_part(scan, every_second);
    const LineIntegrals part = line_integrals_of(scan, interpolated);
    for (std::size_t i = 0; i < 18; ++i)
      EXPECT_NEAR(part.values[i], -std::log(transmission[i % 6 + 12 * (i / 6)]), 1e-6);
  }

  /// Views take the nearest flats before and after them; the single beam is as the mean.
  void flatsBetweenViewsCount() {
    const std::vector<float> one(6, 1);
    RawScan scan =
        scan_of({one, one, one, one, one},
                {std::vector<float>(6, 2), std::vector<float>(6, 6), std::vector<float>(6, 4)});
    scan.flat_views = {-0.5, 1.5, 4.5};
    const double beams[] = {3, 5, 6 - 2 / 6.0, 5, 4 + 2 / 6.0};
    const auto values = line_integrals_of(scan, {.average = FrameAverage::interpolated}).values;
    for (std::size_t view = 0; view < 5; ++view)
      EXPECT_NEAR(values[6 * view], std::log(beams[view]), 1e-6);
  }

  void flatsOfUnknownOrOneTimeAreNotInterpolated() {
    const NormaliseOptions interpolated{.average = FrameAverage::interpolated};
    const std::vector<float> one(6, 1), two(6, 2);
    RawScan scan = scan_of({one, one}, {two, two});
    EXPECT_THROWS(InputError, line_integrals_of(scan, interpolated), "before or after");
    scan.flat_views = {-0.5, -0.5};
    EXPECT_THROWS(InputError, line_integrals_of(scan, interpolated), "at one time");
    EXPECT_THROWS(InputError, line_integrals_of(scan_of({one}), interpolated), "no flats");
  }

  void deadCellsGetTheMeanOfTheirNeighbours() {
    const RawScan scan = scan_of({{50, 7, 50, 50, 50, 50}}, {{100, 0, 100, 100, 100, 100}});
    const LineIntegrals found = line_integrals_of(scan, {});
    EXPECT_NEAR(found.values[4], std::log(2.0), 1e-6);
    QCOMPARE(found.notes.size(), std::size_t{1});
    QVERIFY(found.notes[0].starts_with("1 dead cell"));
  }

  void aTransmissionBelowZeroIsClippedAndCounted() {
    const RawScan scan = scan_of({{5, 50, 50, 50, 50, 50}}, {{100, 100, 100, 100, 100, 100}},
                                 {{10, 10, 10, 10, 10, 10}});
    const LineIntegrals found = line_integrals_of(scan, {});
    EXPECT_NEAR(found.values[3], -std::log(1e-6), 1e-4);
    QVERIFY(found.notes.at(0).starts_with("1 value"));
  }

  /// A beam that is weaker in one view leaves its line integrals as they are.
  void airMakesTheBeamOfEveryViewOne() {
    const RawScan scan = scan_of({{100, 50, 100, 100, 50, 100}, {70, 35, 70, 70, 35, 70}},
                                 {{100, 100, 100, 100, 100, 100}});
    const LineIntegrals found = line_integrals_of(scan, {.air_columns = 1});
    for (std::size_t i = 0; i < 12; ++i)
      EXPECT_NEAR(found.values[i], i % 3 == 1 ? std::log(2.0) : 0, 1e-6);
    const RawScan dark = scan_of({{0, 50, 0, 0, 50, 0}}, {{100, 100, 100, 100, 100, 100}});
    EXPECT_THROWS(InputError, line_integrals_of(dark, {.air_columns = 1}), "see no air");
    EXPECT_THROWS(InputError, line_integrals_of(scan, {.air_columns = 2}),
                  "give fewer air columns");
  }

  void aDeadCellSeesNoAir() {
    const RawScan scan = scan_of({{9, 25, 50, 50, 25, 50}}, {{0, 100, 100, 100, 100, 100}});
    const LineIntegrals found = line_integrals_of(scan, {.air_columns = 1});
    EXPECT_NEAR(found.values[0], 0, 1e-6);  // the lower left cell, which is air
    EXPECT_NEAR(found.values[1], std::log(2.0), 1e-6);
    EXPECT_NEAR(found.values[3], 2 * std::log(2.0) / 3, 1e-6);  // the dead one, of 3 neighbours
  }

  void whatCannotBeNormalisedIsRefused() {
    const RawScan swapped =
        scan_of({{1, 1, 1, 1, 1, 1}}, {{1, 1, 1, 1, 1, 1}}, {{9, 9, 9, 9, 9, 9}});
    EXPECT_THROWS(InputError, line_integrals_of(swapped, {}), "not above the dark in 6 of 6 cells");
    const RawScan sizes = scan_of({{1, 1, 1, 1, 1, 1}}, {{1, 1, 1, 1}});
    EXPECT_THROWS(InputError, line_integrals_of(sizes, {}), "a flat has 2 x 2 cells");
    const RawScan bad = scan_of({{NAN, NAN, 1, 1, 1, 1}}, {{1, 1, 1, 1, 1, 1}});
    EXPECT_THROWS(InputError, line_integrals_of(bad, {}),
                  "frame 0: more than a quarter of the values of every projection are not finite");
  }

  /// A masked cell gets the mean of the line integrals beside it, whatever gain its own flat has.
  void valuesThatAreNotFiniteGetTheMeanOfTheirNeighbours() {
    const RawScan scan = scan_of({{NAN, 50, 25, 50, 50, 25}, {100, 50, 25, 100, INFINITY, 25}},
                                 {{100, 200, 100, 100, 400, 100}});
    const LineIntegrals found = line_integrals_of(scan, {});
    const double half = std::log(2.0);
    EXPECT_NEAR(found.values[3], (half + 3 * half + 2 * half) / 3, 1e-6);
    EXPECT_NEAR(found.values[7], (2 * half + 2 * half + 2 * half) / 5, 1e-6);
    QVERIFY(found.left_out.empty());
    QCOMPARE(found.notes.at(0),
             "projections: 2 values are not finite (NaN or infinite) and got the mean of the "
             "neighbours, the first in frame 0, row 0, column 0");
  }

  /// Also where the values are line integrals, and where only finite ones tell whether they are.
  void valuesThatAreNotFiniteDoNotTellWhatAFrameHolds() {
    const LineIntegrals given =
        line_integrals_of(scan_of({{1, NAN, 3, 4, 5, 6}}), {.are_line_integrals = true});
    EXPECT_NEAR(given.values[4], (1 + 3 + 4 + 5 + 6) / 5.0, 1e-6);
    const std::vector<float> counts = {900, 500, 900, 800, NAN, 900}, lost(6, NAN);
    const LineIntegrals found = line_integrals_of(scan_of({counts, lost, counts}), {});
    EXPECT_NEAR(found.values[0], std::log(900.0 / 800), 1e-6);
    QCOMPARE(found.left_out, std::vector<int>{1});
    const std::vector<float> intensities = {0.9F, 0.5F, 0.9F, 0.8F, 0.4F, 0.9F};
    const LineIntegrals of_small = line_integrals_of(scan_of({intensities, lost, intensities}), {});
    EXPECT_NEAR(of_small.values[0], std::log(0.9 / 0.8), 1e-6);
  }

  void framesOfWhichMostIsNotThereAreLeftOut() {
    const std::vector<float> lit = {100, 50, 100, 100, 50, 100}, dark(6, 0), lost(6, NAN);
    for (const int air : {0, 1}) {
      const LineIntegrals found = line_integrals_of(
          scan_of({lit, lost, lit, lost}, {std::vector<float>(6, 100)}), {.air_columns = air});
      QCOMPARE(found.left_out, (std::vector<int>{1, 3}));
      QCOMPARE(found.notes.at(0),
               "2 projections hold more than a quarter of values that are not finite (NaN or "
               "infinite) and were left out as not measured, from frame 1 to frame 3");
    }
    const LineIntegrals both =
        line_integrals_of(scan_of({lost, lit, dark}, {std::vector<float>(6, 100)}), {});
    QCOMPARE(both.left_out, (std::vector<int>{0, 2}));
    QCOMPARE(both.notes.at(0), "frame 2 shows no beam and was left out as not measured");
  }

  /// Values of flats and darks that are not finite do not count; a cell without others is dead.
  void flatsAndDarksCountByWhatWasMeasured() {
    const std::vector<float> lit = {50, 50, 50, 50, 50, 50};
    const Frames masked_flats = {{NAN, 100, 100, NAN, 100, 100}, {100, 100, 100, NAN, 100, 100}},
                 flats = {{100, 100, 100, 100, 100, 100}}, darks = {{0, 0, INFINITY, 0, 0, 0}};
    for (const FrameAverage average : {FrameAverage::mean, FrameAverage::median})
      for (const RawScan& scan : {scan_of({lit}, masked_flats), scan_of({lit}, flats, darks)}) {
        const LineIntegrals found = line_integrals_of(scan, {.average = average});
        for (const float value : found.values) EXPECT_NEAR(value, std::log(2.0), 1e-6);
        QVERIFY2(std::ranges::any_of(
                     found.notes,
                     [](const std::string& note) { return note.starts_with("1 dead cell"); }),
                 found.notes.empty() ? "no note" : found.notes[0].c_str());
      }
  }

  void lineIntegralsStayAsTheyAre() {
    const RawScan scan = scan_of({{1, 2, 3, 4, 5, 6}});
    const LineIntegrals found = line_integrals_of(scan, {.are_line_integrals = true});
    QCOMPARE(found.values, (std::vector<float>{4, 5, 6, 1, 2, 3}));
  }

  /// A note names how many cells of flats and of projections hold the largest number there is.
  void saturationIsNamed() {
    const auto notes = [](float largest) {
      std::vector<std::string> found;
      for (const std::string& note :
           line_integrals_of(scan_of({{largest, 9, 9, 9, 9, largest}, {9, 9, 9, 9, 9, 9}},
                                     {{largest, 50000, 50000, 50000, 50000, 50000}}),
                             {})
               .notes)
        if (note.find("saturated") != std::string::npos) found.push_back(note);
      return found;
    };
    QCOMPARE(notes(65535).size(), std::size_t{2});
    QVERIFY(notes(65535)[0].starts_with("1 cells of the flats, 17 %, hold 65535"));
    QVERIFY(notes(65535)[1].starts_with("2 cells of the projections, 17 %, hold 65535"));
    QVERIFY(notes(65534).empty());
    QCOMPARE(notes(4095).size(), std::size_t{1});  // of 12 bits; the flats go beyond
    Frames few(1, std::vector<float>(300, 9));     // as of a single hot cell
    few[0][7] = 65535;
    QCOMPARE(line_integrals_of(scan_of(few), {}).notes.size(), std::size_t{1});
  }

  void flatsOfAnotherBeamAreNamed() {
    const Frames views = {{100, 50, 100, 100, 40, 100}, {100, 50, 100, 100, 40, 100}};
    const auto notes = [&](float flat, const NormaliseOptions& options) {
      return line_integrals_of(scan_of(views, {{flat, flat, flat, flat, flat, flat}}), options)
          .notes;
    };
    QVERIFY(notes(100, {}).empty());
    QCOMPARE(notes(80, {}).size(), std::size_t{1});
    QVERIFY(notes(80, {})[0].find("25 % above the flats") != std::string::npos);
    QVERIFY(notes(80, {.air_columns = 1}).empty());
  }

  void projectionsLikeFlatsAreNamed() {
    const auto frame = [](float value) { return std::vector<float>(6, value); };
    const Frames views = {frame(9000), frame(9030), frame(5000), frame(6000), frame(7000)};
    QCOMPARE(line_integrals_of(scan_of(views), {}).like_flats, std::string("frame 0 to frame 1"));
    QCOMPARE(line_integrals_of(scan_of({views.rbegin(), views.rend()}), {}).like_flats,
             std::string("frame 3 to frame 4"));
    Frames both = {frame(8800), frame(8810), frame(8800)};
    both.insert(both.begin(), views.begin(), views.end());
    QCOMPARE(line_integrals_of(scan_of(both), {}).like_flats,
             std::string("frame 0 to frame 1 and frame 5 to frame 7"));
    const Frames near = {frame(9000), frame(9030), frame(8800), frame(6000), frame(7000)};
    QVERIFY(line_integrals_of(scan_of(near), {}).like_flats.empty());
  }

  /// Beside views of a shutter that closed among them, all others are alike and brighter.
  void viewsBesideDarkOnesAreNotLikeFlats() {
    Frames views(30, std::vector<float>(6, 5000));
    for (std::size_t i = 0; i < views.size(); ++i) views[i][2] = 4000 + static_cast<float>(i);
    for (std::size_t i = 10; i < 14; ++i) views[i] = {303, 299, 301, 300, 302, 298};
    const LineIntegrals result = line_integrals_of(
        scan_of(views, {std::vector<float>(6, 9000)}, {std::vector<float>(6, 300)}), {});
    QVERIFY(std::ranges::any_of(result.notes, [](const std::string& note) {
      return note.find("are as dark as with a closed shutter") != std::string::npos;
    }));
    QCOMPARE(result.like_flats, std::string());
  }

  /// Line integrals of no air are smaller at the sides, intensities are larger there.
  void lineIntegralsWithoutAirAreKnown() {
    const Frames integrals = {{0.31F, 0.9F, 0.3F, 0.2F, 1.1F, 0.35F}};
    Frames intensities = integrals;
    for (float& value : intensities[0]) value = std::exp(-value);
    QCOMPARE(line_integrals_of(scan_of(integrals), {}).values[4], 0.9F);
    const double brightest = 0.5 * (std::exp(-0.31) + std::exp(-0.2));  // of the three columns
    EXPECT_NEAR(line_integrals_of(scan_of(intensities), {}).values[4], 0.9 + std::log(brightest),
                1e-6);
    Frames counts = integrals;
    for (float& value : counts[0]) value *= 1000;
    EXPECT_NEAR(line_integrals_of(scan_of(counts), {}).values[1], -std::log(1.1), 1e-6);
  }

  /// Without flats and darks, values that are 0 in air are line integrals. Whole numbers are
  /// counts, and so are the same values beside a flat or a dark.
  void valuesThatAreNoCountsAreLineIntegrals() {
    const Frames values = {{0, 0.5F, 1.25F, 0, 2, 3}};
    const LineIntegrals found = line_integrals_of(scan_of(values), {});
    QCOMPARE(found.values, (std::vector<float>{0, 2, 3, 0, 0.5F, 1.25F}));
    QVERIFY2(found.notes.at(0).find("taken as line integrals") != std::string::npos,
             found.notes[0].c_str());
    const auto is_count = [](const RawScan& scan) {
      const LineIntegrals counted = line_integrals_of(scan, {});
      return std::ranges::none_of(counted.notes, [](const std::string& note) {
        return note.find("taken as line integrals") != std::string::npos;
      });
    };
    QVERIFY(is_count(scan_of({{0, 1, 2, 0, 2, 3}})));
    QVERIFY(is_count(scan_of({{0.25F, 0.5F, 1.25F, 1, 2, 3}})));
    QVERIFY(is_count(scan_of(values, {{3, 3, 3, 3, 3, 3}})));
    QVERIFY(is_count(scan_of(values, {}, {{0, 0, 0, 0, 0, 0}})));
  }
};

GANTRY_TEST(TestLineIntegrals)
#include "test_line_integrals.moc"
