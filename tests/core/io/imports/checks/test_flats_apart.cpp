// Flats of one scan whose beam differs are named in a note, with what a user can do.
#include "core/base/error.hpp"
#include "core/io/imports/checks/frame_checks.hpp"
#include "core/io/imports/line_integrals.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/frames_folder.hpp"
#include "tests/core/io/imports/held_frames.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QtTest>

#include <filesystem>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

class TestFlatsApart : public QObject, private FramesFolder {
  Q_OBJECT

  static Page flat_of_beam(double part) {
    Page flat = CountedFrames::flat_frame(0);
    for (std::uint16_t& value : flat) value = static_cast<std::uint16_t>(part * value);
    return flat;
  }
  static std::vector<std::uint16_t> flats_of_beams(const std::vector<double>& parts) {
    std::vector<std::uint16_t> all;
    for (const double part : parts) {
      const Page flat = flat_of_beam(part);
      all.insert(all.end(), flat.begin(), flat.end());
    }
    return all;
  }
  void write_projections() const {
    for (int i = 0; i < 5; ++i)
      write_frame("p_" + std::to_string(i) + ".tif", CountedFrames::projection(i));
  }
  /// Returns the message of an import that interpolates flats; empty where it does so.
  static std::string refusal_of_interpolated(ImportRequest request) {
    request.normalise.average = FrameAverage::interpolated;
    try {
      import_scan(request);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }
  void expect_note(const ImportRequest& request, const std::string& note) const {
    const std::vector<std::string> notes = import_scan(request).scan.notes;
    QVERIFY2(has_part(notes, note.c_str()),
             std::accumulate(notes.begin(), notes.end(), std::string()).c_str());
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void theirOrderShowsAChange_data() {
    QTest::addColumn<std::vector<double>>("beams");
    QTest::addColumn<std::vector<int>>("dimmer");
    QTest::addColumn<std::vector<int>>("brighter");
    using Beams = std::vector<double>;
    using Flats = std::vector<int>;
    QTest::newRow("two") << Beams{100, 85} << Flats{1} << Flats{0};
    QTest::newRow("two sides") << Beams{85, 86, 84, 100, 99} << Flats{0, 1, 2} << Flats{3, 4};
    QTest::newRow("a drift") << Beams{100, 97, 94, 91, 88, 85} << Flats{3, 4, 5} << Flats{0, 1, 2};
    QTest::newRow("there and back") << Beams{100, 85, 99} << Flats{1} << Flats{0};
    Beams scattered;
    for (int i = 0; i < 40; ++i) scattered.push_back(100 + (i * 7) % 5);
    QTest::newRow("noise") << scattered << Flats{} << Flats{};
    for (std::size_t i = 30; i < 40; ++i) scattered[i] *= 0.97;
    Flats first(30), last(10);
    std::iota(first.begin(), first.end(), 0);
    std::iota(last.begin(), last.end(), 30);
    QTest::newRow("a small change in noise") << scattered << last << first;
    QTest::newRow("alike") << Beams{100, 100, 98.5, 98.5} << Flats{} << Flats{};
    QTest::newRow("no noise") << Beams{100, 100, 100} << Flats{} << Flats{};
    QTest::newRow("single") << Beams{100} << Flats{} << Flats{};
    QTest::newRow("without a beam") << Beams{-1, -2} << Flats{} << Flats{};
  }
  void theirOrderShowsAChange() {
    QFETCH(std::vector<double>, beams);
    QFETCH(std::vector<int>, dimmer);
    QFETCH(std::vector<int>, brighter);
    const std::optional<FlatsApart> apart = flats_apart(beams);
    QCOMPARE(apart.has_value(), !dimmer.empty());
    if (!apart) return;
    QCOMPARE(apart->dimmer, dimmer);
    QCOMPARE(apart->brighter, brighter);
  }

  /// Less their dark, the flats differ by 15 %.
  void aBeamThatChangedIsNamed() {
    const std::vector<float> view(6, 40), dark(6, 10);
    RawScan scan =
        scan_of({view, view}, {std::vector<float>(6, 110), std::vector<float>(6, 95)}, {dark});
    const std::string begin =
        "the flat frame 1 is 15 % darker than frame 0, and one flat was made of all: ";
    using Notes = std::vector<std::string>;
    QCOMPARE(
        line_integrals_of(scan, {}).notes,
        Notes{begin + "if the beam changed, take it from columns of air in each view (--air)"});
    QCOMPARE(line_integrals_of(scan, {.air_columns = 1}).notes,
             Notes{begin + "the columns of air (--air) make up for it in each view"});
    scan.flat_views = {-0.5, 1.5};
    QCOMPARE(line_integrals_of(scan, {}).notes,
             Notes{begin + "--interpolate-flats follows the beam"});
    scan.flat_views = {-0.5, -0.5};  // at one time
    QCOMPARE(line_integrals_of(scan, {}).notes.size(), std::size_t{1});
  }

  /// The first and the last may be alike again.
  void aBeamThatChangedBetweenIsNamed() {
    const auto frame = [](float value) { return std::vector<float>(6, value); };
    RawScan scan = scan_of({frame(40), frame(40)}, {frame(100), frame(80), frame(100)});
    scan.flat_views = {-0.5, 0.5, 1.5};
    QVERIFY(has_part(line_integrals_of(scan, {}).notes,
                     "the flat frame 1 is 20 % darker than frame 2, and one flat was made"));
  }

  /// Of flats in several folders, whose beam differs.
  void foldersThatDifferAreNoted_data() {
    QTest::addColumn<QString>("second");
    QTest::addColumn<double>("part");
    QTest::addColumn<QString>("note");
    QTest::newRow("KIT") << "flats2" << 0.8
                         << "the flats flats2/f_0.tif to flats2/f_1.tif are 20 % darker than "
                            "flats/f_0.tif to flats/f_1.tif, and one flat was made of all: "
                            "--interpolate-flats follows the beam";
    QTest::newRow("any")
        << "other_flats" << 0.8
        << "the flats other_flats/f_#.tif are 20 % darker than flats/f_#.tif, and one flat was "
           "made of all: if the beam changed, name them flat_before and flat_after and give "
           "--interpolate-flats, or take it from columns of air in each view (--air); else name "
           "the flats of these projections (--flat)";
    QTest::newRow("alike") << "other_flats" << 0.985 << "";
  }
  void foldersThatDifferAreNoted() {
    QFETCH(QString, second);
    QFETCH(double, part);
    QFETCH(QString, note);
    const std::string other = second.toStdString();
    for (const std::string& folder : {std::string("flats"), other})
      std::filesystem::create_directory(path(folder));
    write_projections();
    for (const char* number : {"0", "1"}) {
      write_frame(std::string("flats/f_") + number + ".tif", flat_of_beam(1));
      write_frame(other + "/f_" + number + ".tif", flat_of_beam(part));
    }
    const ImportedScan scan = import_scan(half_turn());
    QVERIFY(is_assumed(scan, "flats", "flats/f_0.tif to " + other + "/f_1.tif, 4 files"));
    QCOMPARE(has_part(scan.scan.notes, "--interpolate-flats"), !note.isEmpty());
    QVERIFY(has_part(scan.scan.notes, note.toLatin1()) || note.isEmpty());
  }

  /// Of flats in three series or stacks of one folder, of which the second one is dimmer.
  void seriesThatDifferAreNoted_data() {
    QTest::addColumn<QString>("begin");
    QTest::addColumn<QString>("end");
    QTest::newRow("numbers") << "flat"
                             << "_";
    QTest::newRow("numbers apart") << "flat_"
                                   << "_";
    QTest::newRow("stacks") << "flat"
                            << "";
  }
  void seriesThatDifferAreNoted() {
    QFETCH(QString, begin);
    QFETCH(QString, end);
    write_projections();
    const auto name = [&](int series) {
      return (begin + QString::number(series) + end).toStdString();
    };
    for (int series = 1; series <= 3; ++series) {
      const std::vector<Page> pages(2, flat_of_beam(series == 2 ? 0.5 : 1));
      if (end.isEmpty()) write_pages(path(name(series) + ".tif"), pages, CountedFrames::columns);
      for (std::size_t i = 0; i < pages.size() && !end.isEmpty(); ++i)
        write_frame(name(series) + std::to_string(i) + ".tif", pages[i]);
    }
    const std::string folder =
                          std::filesystem::path(path("p")).parent_path().filename().string() + "/",
                      number = end.isEmpty() ? ".tif" : "#.tif";
    expect_note(half_turn(), "the flats " + folder + name(2) + number + " are 50 % darker than " +
                                 folder + name(3) + number);
  }

  /// Nothing but their order is known.
  void numberedFilesThatDifferAreNoted() {
    write_projections();
    for (int i = 0; i < 10; ++i)
      write_frame("flat_" + std::to_string(i) + ".tif", flat_of_beam(i < 5 ? 1 : 0.85));
    expect_note(half_turn(),
                "the flats flat_5.tif to flat_9.tif are 15 % darker than flat_0.tif to flat_4.tif, "
                "and one flat was made of all: if the beam changed, name them flat_before and "
                "flat_after and give --interpolate-flats, or take it from columns of air in each "
                "view (--air); else name the flats of these projections (--flat)");
    const std::string refusal = refusal_of_interpolated(half_turn());
    QVERIFY(refusal.find("name them flat_before and flat_after, or leave the interpolation out "
                         "and take the beam from columns of air in each view (--air)") !=
            std::string::npos);
  }

  /// As the median of each of three times at ESRF, with plain names: their numbers are those of
  /// projections.
  void flatsOfNumbersOfProjectionsAreInterpolated() {
    write_projections();
    for (const int number : {0, 2, 5})
      write_frame("flat_000" + std::to_string(number) + ".tif",
                  flat_of_beam(number < 5 ? 1 : 0.85));
    QVERIFY(refusal_of_interpolated(half_turn()).find("before or after") != std::string::npos);
    std::filesystem::remove(path("flat_0002.tif"));
    const ImportedScan scan = import_scan(half_turn());
    QVERIFY(is_assumed(scan, "time of the flats", "1 before, 1 after the projections"));
    QVERIFY(has_part(scan.scan.notes, "--interpolate-flats follows the beam"));
    QCOMPARE(refusal_of_interpolated(half_turn()), std::string());
  }

  /// Frames of a data set have no names of their own that a user could change.
  void framesOfOneDataSetThatDifferAreNoted() {
    {
      const Hdf5Writer file(path("x.h5"));
      file.add("/exchange/data", {7, 6, 9}, counted_projections(7));
      file.add("/exchange/data_white", {4, 6, 9}, flats_of_beams({1, 1, 0.85, 0.85}));
      file.add("/exchange/theta", {7}, std::vector<double>{0, 30, 60, 90, 120, 150, 180}, "deg");
    }
    ImportRequest request = half_turn("x.h5");
    request.arc_deg.reset();
    expect_note(request,
                "the flats data_white, view 2 to view 3 are 15 % darker than data_white, view 0 "
                "to view 1, and one flat was made of all: if the beam changed, take it from "
                "columns of air in each view (--air)");
    const std::string refusal = refusal_of_interpolated(request);
    QVERIFY(refusal.find("before or after the projections; leave the interpolation out and take "
                         "the beam from columns of air in each view (--air)") != std::string::npos);
    write_file(
        path("s.npz"),
        zip({{"projections.npy", npy("<u2", "(7, 6, 9)", bytes_of_numbers(counted_projections(7)))},
             {"flats.npy",
              npy("<u2", "(3, 6, 9)", bytes_of_numbers(flats_of_beams({1, 0.92, 0.85})))}},
            false));
    expect_note(half_turn("s.npz"), "the flats s.npz: flats, view 1 to view 2 are");
    // Files of several pages have no such names either.
    write_projections();
    write_pages(path("flat.tif"), {flat_of_beam(1), flat_of_beam(0.85), flat_of_beam(0.85)},
                CountedFrames::columns);
    expect_note(half_turn(),
                "the flats flat.tif, page 2 to page 3 are 15 % darker than flat.tif, "
                "and one flat was made of all: if the beam changed, take it from");
  }
};

GANTRY_TEST(TestFlatsApart)
#include "test_flats_apart.moc"
