// HDF5 of other programs, as libhdf5 writes it: which frames are what, and what a damaged or
// incomplete file is told.
#include "core/base/error.hpp"
#include "tests/core/io/imports/counted_arrays.hpp"
#include "tests/core/io/imports/hdf5_folder.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <functional>
#include <utility>

using namespace gantry;
using namespace gantry::test;

class TestHdf5Frames : public QObject, private Hdf5Folder {
  Q_OBJECT
  void write_data_exchange(const char* name) const {
    const Hdf5Writer file(path(name));
    file.add("/exchange/data", size_of(7), joined_frames(projections(7)));
    std::vector<double> flats;  // of another type than the projections
    for (int i = 0; i < 3; ++i)
      for (const std::uint16_t count : CountedFrames::flat_frame(i)) flats.push_back(count);
    file.add("/exchange/data_white", size_of(3), flats);
    file.add("/exchange/data_dark", size_of(3),
             joined_frames({CountedFrames::dark_frame(0), CountedFrames::dark_frame(1),
                            CountedFrames::dark_frame(2)}));
    file.add("/exchange/theta", {7}, half_turn, "degrees");
  }
  /// Flats before, in between and after, darks at the end, two frames that are marked invalid.
  void write_nxtomo(const char* name, const std::vector<double>& angles, const std::string& units,
                    bool is_variable_length,
                    const std::function<void(const Hdf5Writer&)>& add_more = {}) const {
    const Hdf5Writer file(path(name));
    const std::vector<std::uint16_t> keys = {1, 0, 0, 3, 1, 0, 0, 3, 1, 2, 2, 2};
    std::vector<Frame> frames;
    int kinds[4] = {0, 0, 0, 0};
    for (const std::uint16_t key : keys) {
      const int index = kinds[key]++;
      frames.push_back(key == 0   ? CountedFrames::projection(index)
                       : key == 1 ? CountedFrames::flat_frame(index)
                       : key == 2 ? CountedFrames::dark_frame(index)
                                  : Frame(CountedFrames::rows * CountedFrames::columns, 3));
    }
    file.add("/entry/instrument/detector/data", size_of(keys.size()), joined_frames(frames));
    file.add("/entry/instrument/detector/image_key", {keys.size()}, keys);
    file.add("/entry/instrument/detector/x_pixel_size", {1}, std::vector<double>{50}, "um");
    if (!angles.empty())
      file.add("/entry/sample/rotation_angle", {angles.size()}, angles, units, is_variable_length);
    if (add_more) add_more(file);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  void dataExchange() {
    write_data_exchange("x.h5");
    const ImportedScan scan = imported("x.h5");
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, half_turn);
    QVERIFY(is_assumed(scan, "projections", "/exchange/data"));
    QVERIFY(!is_assumed(scan, "unit of the angles", "degrees"));  // the file states it
    QVERIFY(notes_beside_flats(scan).empty());
  }

  void theAxesSayThatImagesAreSinograms() {
    for (const char* axes : {"y:theta:x", "theta:y:x"}) {
      const bool are_sinograms = axes[0] == 'y';
      {
        const Hdf5Writer file(path("a.h5"));
        const auto values = joined_frames(projections(7));
        file.add("/exchange/data", are_sinograms ? std::vector<hsize_t>{6, 7, 9} : size_of(7),
                 are_sinograms ? sinograms_of(values) : values);
        file.add_attribute("/exchange/data", "axes", axes);
        file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(1));
        file.add("/exchange/data_dark", size_of(1), CountedFrames::dark_frame(0));
        file.add("/exchange/theta", {7}, half_turn, "degrees");
      }
      const ImportedScan scan = imported("a.h5");
      QCOMPARE(scan.scan.geometry->views(), 7);
      QCOMPARE(scan.scan.geometry->rows(), 6);
      QCOMPARE(is_assumed(scan, "images", "sinograms"), are_sinograms);
    }
  }

  /// The library would read zeros in the place of a missing file.
  void missingFilesOfAVirtualDataSetAreNamed() {
    for (int i = 0; i < 7; ++i) {
      const Hdf5Writer part(path(("part" + std::to_string(i) + ".h5").c_str()));
      part.add("/frame", size_of(1), CountedFrames::projection(i));
    }
    std::vector<std::string> parts;
    for (int i = 0; i < 7; ++i) parts.push_back("part" + std::to_string(i) + ".h5");
    const auto write = [&](const char* name) {
      const Hdf5Writer file(path(name));
      file.add_virtual("/exchange/data", size_of(7), parts, "/frame");
      file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(1));
      file.add("/exchange/data_dark", size_of(1), CountedFrames::dark_frame(0));
      file.add("/exchange/theta", {7}, half_turn, "degrees");
    };
    write("v.h5");
    QCOMPARE(imported("v.h5").scan.geometry->views(), 7);
    QVERIFY(QFile::remove(folder_->filePath(QStringLiteral("part4.h5"))));
    EXPECT_THROWS(InputError, imported("v.h5"), "/exchange/data -> part4.h5");
  }

  void aFilterThatNobodyHasIsNamed() {
    {
      const Hdf5Writer file(path("p.h5"));
      file.add_packed_by(32000, "/exchange/data", size_of(7), joined_frames(projections(7)));
      file.add("/exchange/theta", {7}, half_turn, "degrees");
    }
    EXPECT_THROWS(InputError, imported("p.h5"), "packed by the filter of number 32000");
    EXPECT_THROWS(InputError, imported("absent.h5"), "does not exist");
  }

  /// DataExchange in the order of sinograms, its flats in that of projections.
  void theRequestSaysThatImagesAreSinograms() {
    {
      const Hdf5Writer file(path("s.h5"));
      file.add("/exchange/data", {6, 7, 9}, sinograms_of(joined_frames(projections(7))));
      file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(1));
      file.add("/exchange/data_dark", size_of(1), CountedFrames::dark_frame(0));
      file.add("/exchange/theta", {7}, half_turn, "degrees");
    }
    ImportRequest request;
    request.path = path("s.h5");
    request.centre = 4;
    request.images = ImageContent::sinograms;
    const ImportedScan scan = import_scan(request);
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    expect_angles(scan, half_turn);
    write_nxtomo("t.nxs", {0, 0, 30, 0, 60, 90, 0, 120, 0, 0, 0, 0}, "deg", false);
    request.path = path("t.nxs");
    EXPECT_THROWS(UsageError, import_scan(request), "leave out that they are sinograms");
  }

  void nxtomo_data() {
    QTest::addColumn<QString>("units");
    QTest::addColumn<double>("degree");
    QTest::addColumn<bool>("is_variable_length");
    QTest::newRow("rad") << "rad" << std::acos(-1.0) / 180 << false;
    QTest::newRow("mrad") << "mrad" << 1000 * std::acos(-1.0) / 180 << false;
    QTest::newRow("deg") << "deg" << 1.0 << true;
    QTest::newRow("no unit") << "" << 1.0 << false;
  }
  /// The image keys say which frames are which, and each projection has the angle beside its key.
  void nxtomo() {
    QFETCH(QString, units);
    QFETCH(double, degree);
    QFETCH(bool, is_variable_length);
    std::vector<double> angles = {-9, 10, 20, 30, 31, 40, 50, 60, 99, 99, 99, 99};
    for (double& angle : angles) angle *= degree;
    write_nxtomo("t.nxs", angles, units.toStdString(), is_variable_length);
    const ImportedScan scan = imported("t.nxs");
    expect_line_integrals(scan, {0, 1, 2, 3});
    expect_angles(scan, {10, 20, 40, 50});
    EXPECT_NEAR(scan.scan.geometry->spec().column_pitch_mm, 0.05, 1e-12);
    QVERIFY(is_assumed(scan, "projections", "/entry/instrument/detector/data"));
    QCOMPARE(is_assumed(scan, "unit of the angles", "degrees"), units.isEmpty());
    QCOMPARE(scan.scan.notes.size(), std::size_t{2});
    QCOMPARE(scan.scan.notes[0], std::string("2 frames are marked invalid and were left out"));
    QVERIFY(has_part(scan.scan.notes, "--interpolate-flats"));  // the last flat is no such frame
  }

  void anglesOfAnNxtomoInOtherShapes_data() {
    QTest::addColumn<std::vector<hsize_t>>("size");
    QTest::addColumn<QString>("refusal");
    using Size = std::vector<hsize_t>;
    QTest::newRow("column") << Size{12, 1} << "";
    QTest::newRow("row") << Size{1, 12} << "";
    QTest::newRow("one per projection") << Size{4} << "";
    QTest::newRow("column of the projections") << Size{4, 1} << "";
    QTest::newRow("too few") << Size{9}
                             << "/entry/sample/rotation_angle: has 9 angles for 4 frames, or "
                                "12 with those of no projections";
    QTest::newRow("single") << Size{1} << "/entry/sample/rotation_angle: has 1 angle for 4 frames";
    QTest::newRow("table") << Size{2, 6}
                           << "/entry/sample/rotation_angle is of size 2 x 6 instead of a list";
    QTest::newRow("text") << Size{} << "/entry/sample/rotation_angle holds no plain numbers";
  }
  /// A list of angles is taken or refused by name, never passed over.
  void anglesOfAnNxtomoInOtherShapes() {
    QFETCH(std::vector<hsize_t>, size);
    QFETCH(QString, refusal);
    const bool is_of_projections = !size.empty() && size[0] == 4;
    write_nxtomo("t.nxs", {}, "", false, [&](const Hdf5Writer& file) {
      const char* name = "/entry/sample/rotation_angle";
      std::vector<double> angles = {-9, 10, 20, 30, 31, 40, 53, 60, 99, 99, 99, 99};
      if (is_of_projections) angles = {10, 20, 40, 53};
      if (size.empty())
        file.add_text(name, "10, 20, 40, 53", false);
      else
        file.add(name, size, angles, "deg");
    });
    if (!refusal.isEmpty()) {
      EXPECT_THROWS(InputError, imported("t.nxs"), refusal.toUtf8().constData());
      return;
    }
    const ImportedScan scan = imported("t.nxs");
    expect_angles(scan, {10, 20, 40, 53});
    QCOMPARE(is_assumed(scan, "angles", "one for each projection"), is_of_projections);
  }

  /// Its angles have another name, or another shape, in some files.
  void anglesOfDataExchangeInOtherShapes() {
    const auto with = [&](const char* name, const std::vector<hsize_t>& size) {
      const Hdf5Writer file(path("a.h5"));
      file.add("/exchange/data", size_of(6), joined_frames(projections(6)));
      file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(0));
      if (size.empty())
        file.add_text(name, "0, 30, 70", false);
      else
        file.add(name, size, std::vector<double>{0, 30, 70, 90, 120, 150}, "deg");
    };
    for (const char* name : {"/exchange/theta", "/exchange/angles"})
      for (const std::vector<hsize_t>& size : {std::vector<hsize_t>{6}, {6, 1}, {1, 6}}) {
        with(name, size);
        expect_angles(imported("a.h5"), {0, 30, 70, 90, 120, 150});
      }
    QVERIFY(is_assumed(imported("a.h5"), "angles", "/exchange/angles"));
    with("/exchange/theta", {2, 3});
    EXPECT_THROWS(InputError, imported("a.h5"), "/exchange/theta is of size 2 x 3 instead of");
    with("/exchange/theta", {1});
    EXPECT_THROWS(InputError, imported("a.h5"), "/exchange/theta: has 1 angle for 6 frames");
    with("/exchange/theta", {});
    EXPECT_THROWS(InputError, imported("a.h5"), "/exchange/theta holds no plain numbers");
  }

  /// The order of an NXtomo's frames, and the mode of DataExchange as tomoScan writes it.
  void theFileTellsWhenFlatsWereTaken() {
    const auto views_of = [&](const char* name) {
      ImportRequest request;
      request.path = path(name);
      return import_formats().to_read(request.path).read(request).flat_views;
    };
    write_nxtomo("t.nxs", {-9, 10, 20, 30, 31, 40, 50, 60, 99, 99, 99, 99}, "deg", false);
    QCOMPARE(views_of("t.nxs"), (std::vector<double>{-0.5, 1.5, 3.5}));
    const auto of_mode = [&](const char* mode, std::size_t flats) {
      {
        const Hdf5Writer file(path("x.h5"));
        file.add("/exchange/data", size_of(7), joined_frames(projections(7)));
        file.add("/exchange/data_white", size_of(flats),
                 joined_frames(std::vector<Frame>(flats, CountedFrames::flat_frame(0))));
        file.add("/exchange/theta", {7}, half_turn, "degrees");
        file.add_text("/process/acquisition/flat_fields/flat_field_mode", mode, flats == 4);
      }
      return views_of("x.h5");
    };
    QCOMPARE(of_mode("Both", 4), (std::vector<double>{-0.5, -0.5, 6.5, 6.5}));
    QCOMPARE(of_mode("Both", 3), std::vector<double>{});
    QCOMPARE(of_mode("Start", 2), (std::vector<double>{-0.5, -0.5}));
    QCOMPARE(of_mode("End", 2), (std::vector<double>{6.5, 6.5}));
    QCOMPARE(of_mode("None", 2), std::vector<double>{});
    write_data_exchange("plain.h5");
    QCOMPARE(views_of("plain.h5"), std::vector<double>{});
  }

  /// Both sizes of a cell, by the names that NXdetector has and those of the Advanced Photon
  /// Source.
  void cellsNeedNotBeSquare() {
    for (const auto& [across, along] :
         {std::pair("/measurement/x_pixel_size", "/measurement/y_pixel_size"),
          std::pair("/measurement/instrument/detector/pixel_size_x",
                    "/measurement/instrument/detector/pixel_size_y")}) {
      {
        const Hdf5Writer file(path("cells.h5"));
        file.add("/exchange/data", size_of(3), joined_frames(projections(3)));
        file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(0));
        file.add("/exchange/theta", {3}, std::vector<double>{0, 90, 180}, "deg");
        file.add(across, {1}, std::vector<double>{50}, "microns");
        file.add(along, {1}, std::vector<double>{60}, "microns");
      }
      const ImportedScan scan = imported("cells.h5");
      EXPECT_NEAR(scan.scan.geometry->spec().column_pitch_mm, 0.05, 1e-12);
      EXPECT_NEAR(scan.scan.geometry->spec().row_pitch_mm, 0.06, 1e-12);
      QVERIFY(scan.scan.notes.empty());
    }
  }

  /// As TOMCAT writes them.
  void flatsAndDarksBeforeAndAfterTheProjections() {
    {
      const Hdf5Writer file(path("pre.h5"));
      file.add("/exchange/data", size_of(7), joined_frames(projections(7)));
      file.add("/exchange/data_white_pre", size_of(1), CountedFrames::flat_frame(0));
      file.add("/exchange/data_white_post", size_of(2),
               joined_frames({CountedFrames::flat_frame(1), CountedFrames::flat_frame(0)}));
      file.add("/exchange/data_dark_pre", size_of(1), CountedFrames::dark_frame(0));
      file.add("/exchange/theta", {7}, half_turn, "degrees");
    }
    expect_line_integrals(imported("pre.h5"), {0, 1, 2, 3, 4, 5, 6});
    ImportRequest request;
    request.path = path("pre.h5");
    QCOMPARE(import_formats().to_read(request.path).read(request).flat_views,
             (std::vector<double>{-0.5, 6.5, 6.5}));
  }

  /// NXsource states the distance of the source with its sign. That of a synchrotron is far away.
  void theDistancesOfANearSourceAreTaken() {
    const auto spec_of = [&](double source_m) {
      write_nxtomo(
          "t.nxs", {0, 0, 30, 0, 60, 90, 0, 120, 0, 0, 0, 0}, "deg", false,
          [&](const Hdf5Writer& file) {
            file.add("/entry/instrument/source/distance", {1}, std::vector<double>{source_m}, "m");
            file.add("/entry/instrument/detector/distance", {1}, std::vector<double>{0.3}, "m");
          });
      return imported("t.nxs").scan.geometry->spec();
    };
    const auto distances_are_told = [&] {
      return std::ranges::any_of(imported("t.nxs").assumptions, [](const Assumption& one) {
        return one.what == "distances of the source";
      });
    };
    QCOMPARE(spec_of(-0.1).beam, Beam::cone);
    QVERIFY(distances_are_told());
    EXPECT_NEAR(spec_of(-0.1).source_to_isocenter_mm, 100, 1e-9);
    EXPECT_NEAR(spec_of(-0.1).source_to_detector_mm, 400, 1e-9);
    QCOMPARE(spec_of(-145).beam, Beam::parallel);
    QVERIFY(!distances_are_told());
  }

  /// Frames at angles that were measured before are no views; their heights do not count.
  void whatAnNxtomoSaysOfMotionIsNoted() {
    write_nxtomo("t.nxs", {0, 0, 30, 0, 60, 90, 0, 120, 0, 0, 0, 0}, "deg", false,
                 [](const Hdf5Writer& file) {
                   std::vector<double> heights(12), still(12, 3);
                   for (std::size_t i = 0; i < 12; ++i) heights[i] = 1e-4 * static_cast<double>(i);
                   heights[6] = 5;
                   file.add("/entry/sample/y_translation", {12}, heights, "m");
                   file.add("/entry/sample/x_translation", {12}, still, "m");
                   std::vector<double> control(12);
                   control[6] = -1;
                   file.add("/entry/instrument/detector/image_key_control", {12}, control);
                 });
    const ImportedScan scan = imported("t.nxs");
    expect_angles(scan, {0, 30, 90});
    QCOMPARE(scan.scan.notes.size(), std::size_t{3});  // and the beam changed
    QVERIFY(has_part(scan.scan.notes, "1 frame was taken for alignment"));
    // The frames 1, 2 and 5, of which the first is 1 / 6 mm below the mean.
    EXPECT_NEAR(scan.scan.geometry->spec().poses[0].detector_mm.z, 0.5 / 3, 1e-9);
    EXPECT_NEAR(scan.scan.geometry->spec().poses[2].detector_mm.z, -0.7 / 3, 1e-9);
  }

  void theDefaultOfSeveralEntriesCounts() {
    for (const char* chosen : {"second", "first"}) {
      const int views = chosen[0] == 's' ? 7 : 3;
      {
        const Hdf5Writer file(path("e.nxs"));
        for (const auto& [entry, count] : {std::pair("/first", 3), std::pair("/second", 7)}) {
          const auto at = [name = std::string(entry)](const char* end) { return name + end; };
          const auto frames = static_cast<std::size_t>(count);
          file.add(at("/data").c_str(), size_of(frames), joined_frames(projections(count)));
          file.add(at("/image_key").c_str(), {frames}, std::vector<std::uint16_t>(frames));
          file.add(at("/rotation_angle").c_str(), {frames},
                   std::vector<double>(half_turn.begin(), half_turn.begin() + count), "deg");
        }
        file.add_attribute("/", "default", chosen);
      }
      const ImportedScan scan = imported("e.nxs");
      QCOMPARE(scan.scan.geometry->views(), views);
      QVERIFY(has_part(scan.scan.notes, views == 7 ? "/first/data (3 x 6 x 9) is a scan of its own"
                                                   : "/second/data (7 x 6 x 9) is a scan of"));
    }
  }

  /// Frames that were allocated, but not measured before the end; their angles are no angles.
  void framesThatWereNotMeasuredAreLeftOut() {
    for (const bool has_angles : {true, false}) {
      {
        std::vector<Frame> frames = projections(7);
        for (const std::size_t i : {2U, 6U}) std::ranges::fill(frames[i], std::uint16_t{0});
        const Hdf5Writer file(path("cut.h5"));
        file.add("/exchange/data", size_of(7), joined_frames(frames));
        file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(0));
        file.add("/exchange/data_dark", size_of(1), CountedFrames::dark_frame(0));
        if (has_angles)
          file.add("/exchange/theta", {7}, std::vector<double>{0, 30, 0, 90, 120, 150, 0}, "deg");
      }
      ImportRequest request;
      request.path = path("cut.h5");
      request.centre = 4;
      request.assumes_half_turn = true;
      const ImportedScan scan = import_scan(request);
      expect_line_integrals(scan, {0, 1, 3, 4, 5});
      if (has_angles) expect_angles(scan, {0, 30, 90, 120, 150});
      QVERIFY(has_part(scan.scan.notes, "2 projections show no beam and were left out"));
    }
  }

  void keysOfMoreFramesAreRefused() {
    {
      const Hdf5Writer file(path("k.nxs"));
      file.add("/entry/data", size_of(2), joined_frames(projections(2)));
      file.add("/entry/image_key", {3}, std::vector<std::uint16_t>{0, 0, 0});
    }
    EXPECT_THROWS(InputError, imported("k.nxs"),
                  "/entry/image_key marks 3 frames, but /entry/data holds 2");
  }

  /// Keys in a column count; what cannot be read as keys is not passed over.
  void keysInOtherShapes() {
    const auto write_keys = [&](const std::function<void(const Hdf5Writer&, const char*)>& add) {
      const Hdf5Writer file(path("k.nxs"));
      std::vector<Frame> frames = projections(7);
      frames.push_back(CountedFrames::flat_frame(0));
      file.add("/entry/data", size_of(8), joined_frames(frames));
      file.add("/entry/rotation_angle", {7}, half_turn, "deg");
      add(file, "/entry/image_key");
    };
    const std::vector<std::uint16_t> keys = {0, 0, 0, 0, 0, 0, 0, 1};
    write_keys([&](const Hdf5Writer& file, const char* name) { file.add(name, {8, 1}, keys); });
    expect_angles(imported("k.nxs"), half_turn);
    write_keys([](const Hdf5Writer& file, const char* name) { file.add_records(name, 8); });
    EXPECT_THROWS(InputError, imported("k.nxs"), "/entry/image_key holds no plain numbers");
    write_keys([&](const Hdf5Writer& file, const char* name) { file.add(name, {2, 4}, keys); });
    EXPECT_THROWS(InputError, imported("k.nxs"), "/entry/image_key is of size 2 x 4 instead of");
    write_keys([&](const Hdf5Writer& file, const char* name) {
      file.add(name, {8}, keys);
      file.add("/entry/image_key_control", {5}, std::vector<std::uint16_t>(5));
    });
    EXPECT_THROWS(InputError, imported("k.nxs"), "/entry/image_key_control marks 5 frames");
  }

  /// Degrees that the file states stay degrees, however small the arc.
  void aSmallArcInDegrees() {
    std::vector<double> angles;
    for (int i = 0; i < 9; ++i) angles.push_back(0.5 * i);
    {
      const Hdf5Writer file(path("arc.h5"));
      file.add("/exchange/data", size_of(9), joined_frames(projections(9)));
      file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(0));
      file.add("/exchange/theta", {9}, angles, "deg");
    }
    expect_angles(imported("arc.h5"), angles);
  }

  void keysWithoutProjectionsAreRefused() {
    {
      const Hdf5Writer file(path("k.nxs"));
      file.add("/entry/data", size_of(2), joined_frames(projections(2)));
      file.add("/entry/image_key", {2}, std::vector<std::uint16_t>{1, 2});
    }
    EXPECT_THROWS(InputError, imported("k.nxs"), "/entry/image_key marks no projections");
  }

  /// Frames in another file are found beside this one; where that file is missing it is named.
  void linksIntoOtherFiles() {
    {
      const Hdf5Writer frames(path("frames.h5"));
      frames.add("/data", size_of(7), joined_frames(projections(7)));
      const Hdf5Writer flats(path("flats.h5"));
      flats.add("/data", size_of(1), CountedFrames::flat_frame(0));
      const Hdf5Writer file(path("links.h5"));
      file.link("/exchange/data", "frames.h5", "/data");
      file.link("/exchange/data_white", "flats.h5", "/data");
      file.link("/exchange/thumbnail", "elsewhere.h5", "/picture");
      file.add("/exchange/data_dark", size_of(1), CountedFrames::dark_frame(0));
      file.add("/exchange/theta", {7}, half_turn, "degrees");
    }
    const ImportedScan scan = imported("links.h5");
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    QCOMPARE(scan.scan.notes,
             (std::vector<std::string>{"a link leads nowhere: /exchange/thumbnail -> "
                                       "elsewhere.h5:/picture"}));
    QVERIFY(QFile::remove(QString::fromStdString(path("frames.h5"))));
    EXPECT_THROWS(InputError, imported("links.h5"),
                  "links lead nowhere: /exchange/data -> frames.h5:/data");
  }

  void otherFilesAreRefused() {
    {
      const Hdf5Writer file(path("other.h5"));
      file.add("/picture", {CountedFrames::rows, CountedFrames::columns},
               CountedFrames::projection(0));
    }
    EXPECT_THROWS(InputError, imported("other.h5"), "holds neither NXtomo");
  }

  /// A file that was cut anywhere gives one line, which names it.
  void cutFilesAreRefused() {
    write_data_exchange("whole.h5");
    const QByteArray bytes = bytes_of_file(path("whole.h5"));
    QVERIFY(bytes.size() > 2000);
    for (int part = 0; part < 50; ++part) {
      write_file(path("cut.h5"), bytes.left(bytes.size() * part / 50));
      EXPECT_THROWS(InputError, imported("cut.h5"),
                    part == 0 ? "cut.h5: the file is empty" : "cut.h5: cannot be opened as HDF5");
    }
    write_file(path("cut.h5"), bytes);
    expect_line_integrals(imported("cut.h5"), {0, 1, 2, 3, 4, 5, 6});
  }
};

GANTRY_TEST(TestHdf5Frames)
#include "test_hdf5_frames.moc"
