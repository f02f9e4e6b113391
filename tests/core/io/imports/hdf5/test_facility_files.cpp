// HDF5 as the acquisition of single facilities writes it: averaged flats and darks of the ESRF,
// lost frames of the Advanced Photon Source, one data set per image of the Advanced Light Source.
#include "core/base/error.hpp"
#include "tests/core/io/imports/hdf5_folder.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

class TestFacilityFiles : public QObject, private Hdf5Folder {
  Q_OBJECT

  static std::vector<hsize_t> one_image() { return {CountedFrames::rows, CountedFrames::columns}; }
  ImportRequest request_of(const std::string& name) const {
    ImportRequest request;
    request.path = path(name.c_str());
    request.centre = 4;
    return request;
  }
  /// Writes an NXtomo of seven projections, before which lie two darks that are marked as invalid.
  void write_nxtomo(const char* name) const {
    const Hdf5Writer file(path(name));
    std::vector<Frame> frames = {CountedFrames::dark_frame(0), CountedFrames::dark_frame(0)};
    std::ranges::copy(projections(7), std::back_inserter(frames));
    file.add("/entry0000/data", size_of(9), joined_frames(frames));
    file.add("/entry0000/image_key", {9}, std::vector<double>{3, 3, 0, 0, 0, 0, 0, 0, 0});
    std::vector<double> angles(2, 0);
    std::ranges::copy(half_turn, std::back_inserter(angles));
    file.add("/entry0000/rotation_angle", {9}, angles, "degree");
  }
  /// Writes the averaged flats, called by the places of their first frames, and the dark.
  void write_reduced(const std::string& scan, const std::vector<int>& places) const {
    const Hdf5Writer flats(path((scan + "_flats.hdf5").c_str())),
        darks(path((scan + "_darks.hdf5").c_str()));
    for (const int place : places)
      flats.add(("/entry0000/flats/" + std::to_string(place)).c_str(), one_image(),
                CountedFrames::flat_frame(0));
    flats.add("/entry0000/flats/machine_current", {2}, std::vector<double>{200, 190});
    darks.add("/entry0000/darks/0", one_image(), CountedFrames::dark_frame(0));
  }
  /// Writes DataExchange of which the camera lost the projections 1, 2 and 5 of seven.
  void write_with_lost_frames(const char* name, bool is_variable_length, int first_id,
                              const std::vector<double>& angles = half_turn) const {
    const Hdf5Writer file(path(name));
    const std::vector<int> kept = {0, 3, 4, 6};
    std::vector<Frame> frames;
    std::vector<double> ids = {0};
    std::vector<std::string> locations = {"/exchange/data_dark"};
    for (const int one : kept) {
      frames.push_back(CountedFrames::projection(one));
      ids.push_back(first_id + one);
      locations.emplace_back("/exchange/data");
    }
    ids.push_back(first_id + 100);
    locations.emplace_back("/exchange/data_white");
    file.add("/exchange/data", size_of(4), joined_frames(frames));
    file.add("/exchange/data_white", size_of(1), CountedFrames::flat_frame(0));
    file.add("/exchange/data_dark", size_of(1), CountedFrames::dark_frame(0));
    file.add("/exchange/theta", {angles.size()}, angles, "deg");
    file.add("/defaults/NDArrayUniqueId", {ids.size()}, ids);
    file.add_texts("/defaults/HDF5FrameLocation", locations, is_variable_length);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// Flats and darks that nabu averaged lie beside the NXtomo, and their names tell when the flats
  /// were taken, counted among all frames of the scan.
  void reducedFlatsLieBesideTheScan() {
    write_nxtomo("scan.nx");
    write_reduced("scan", {1, 4, 9});
    for (const char* name : {"scan.nx", ""}) {  // the file, and its folder
      const ImportedScan scan = import_scan(request_of(name));
      expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
      expect_angles(scan, half_turn);
      QVERIFY(is_assumed(scan, "flats", "scan_flats.hdf5"));
      QVERIFY(is_assumed(scan, "darks", "scan_darks.hdf5"));
      QVERIFY(
          is_assumed(scan, "time of the flats", "1 before, 1 after the projections, 1 in between"));
    }
    ImportRequest interpolated = request_of("scan.nx");
    interpolated.normalise.average = FrameAverage::interpolated;
    QVERIFY(has_part(import_scan(interpolated).scan.notes, "flats of 3 times were interpolated"));
  }
  void reducedFlatsAreGiven_data() {
    QTest::addColumn<QStringList>("data_sets");
    QTest::newRow("file") << QStringList{""};
    QTest::newRow("group") << QStringList{":/entry0000/flats"};
    QTest::newRow("data sets") << QStringList{":/entry0000/flats/0", ":/entry0000/flats/9"};
  }
  void reducedFlatsAreGiven() {
    QFETCH(QStringList, data_sets);
    write_nxtomo("scan.nx");
    write_reduced("other", {0, 9});
    ImportRequest one = request_of("scan.nx");
    for (const QString& data_set : data_sets)
      one.flats.push_back(path("other_flats.hdf5") + data_set.toStdString());
    one.darks = {path("other_darks.hdf5")};
    one.normalise.average = FrameAverage::interpolated;
    const ImportedScan scan = import_scan(one);
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    QVERIFY(is_assumed(scan, "time of the flats", "1 before, 1 after the projections"));
  }
  void whichScanOfAFolder() {
    for (const char* name : {"a.nx", "b.nx"}) write_nxtomo(name);
    write_reduced("a", {0, 9});
    const ImportedScan scan = import_scan(request_of(""));
    expect_line_integrals(scan, {0, 1, 2, 3, 4, 5, 6});
    QVERIFY(is_assumed(scan, "file of the scan", "a.nx"));
    write_reduced("b", {0, 9});
    EXPECT_THROWS(InputError, import_scan(request_of("")),
                  "2 scans beside which averaged flats or darks lie: a.nx, b.nx");
    write_file(path("b_flats.hdf5"), "no HDF5");  // does not hide the scan
    QVERIFY(has_part(import_scan(request_of("b.nx")).scan.notes,
                     "no flats were taken from a file beside it"));
  }

  void lostFramesAreNamed_data() {
    QTest::addColumn<bool>("is_variable_length");
    QTest::addColumn<int>("first_id");
    QTest::newRow("texts of one length") << false << 1;
    QTest::newRow("texts of any length") << true << 20;
  }
  void lostFramesAreNamed() {
    QFETCH(bool, is_variable_length);
    QFETCH(int, first_id);
    write_with_lost_frames("x.h5", is_variable_length, first_id);
    const ImportedScan scan = imported("x.h5");
    expect_line_integrals(scan, {0, 3, 4, 6});
    expect_angles(scan, {0, 90, 120, 180});
    QVERIFY(has_part(scan.scan.notes,
                     "3 projections are missing by the counts of the camera "
                     "(/defaults/NDArrayUniqueId), as counted from 0 at the first one: 1 to 2, 5"));
    ImportRequest by_arc = request_of("x.h5");
    by_arc.arc_deg = 90;
    expect_angles(import_scan(by_arc), {0, 45, 60, 90});
    write_with_lost_frames("y.h5", is_variable_length, first_id, {0, 90, 120, 180});
    expect_angles(imported("y.h5"), {0, 90, 120, 180});  // the list is that of the frames
  }

  void oneDataSetPerImage() {
    {
      const Hdf5Writer file(path("als.h5"));
      const std::string group = "/20160101_rock", name = group + group;
      const std::vector<hsize_t> size = {1, CountedFrames::rows, CountedFrames::columns};
      for (const int i : {0, 1, 2, 4})
        file.add((name + "_0000_000" + std::to_string(i) + ".tif").c_str(), size,
                 CountedFrames::projection(i));
      for (const char* flat : {"bak_0000_0000", "bak_0001_0000", "bak_0000_0004"})
        file.add((name + flat + ".tif").c_str(), size, CountedFrames::flat_frame(0));
      file.add((name + "drk_0000_0000.tif").c_str(), one_image(), CountedFrames::dark_frame(0));
      for (const auto& [key, value] :
           {std::pair("nangles", "5"), {"arange", "180"}, {"pxsize", "0.00065"}})
        file.add_attribute(group.c_str(), key, std::string(value));
    }
    const ImportedScan scan = imported("als.h5");
    expect_line_integrals(scan, {0, 1, 2, 4});
    expect_angles(scan, {0, 45, 90, 180});
    EXPECT_NEAR(scan.scan.geometry->spec().column_pitch_mm, 0.00065, 1e-12);
    QVERIFY(is_assumed(scan, "time of the flats", "2 before, 1 after the projections"));
    QVERIFY(has_part(scan.scan.notes, "1 of 5 projections are missing: 3"));
  }
};

GANTRY_TEST(TestFacilityFiles)
#include "test_facility_files.moc"
