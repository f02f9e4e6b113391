// Nikon's settings with TIFF projections beside them: geometry, the beam, contradictions.
#include "core/base/error.hpp"
#include "core/io/imports/formats/nikon_settings.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/imports/nikon_folder.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/data.hpp"
#include "tests/support/test_program.hpp"

#include <filesystem>

using namespace gantry;
using namespace gantry::test;

namespace {

constexpr int projections = NikonFolder::projections;
constexpr double white = 20000;

QByteArray settings(const QByteArray& more = {}) { return NikonFolder::settings(more); }

}  // namespace

class TestNikonScan : public QObject {
  Q_OBJECT
  std::unique_ptr<NikonFolder> folder_;

  std::string path(const std::string& name) const { return folder_->path(name); }
  void write_scan_files(const QByteArray& text) const { folder_->write_scan_files(text); }
  ImportRequest request() const { return folder_->request(); }

 private slots:
  void init() { folder_ = std::make_unique<NikonFolder>(); }

  void aScanWithoutFlats() {
    write_scan_files(settings());
    const ImportedScan scan = import_scan(request());
    const ScanSpec& spec = scan.scan.geometry->spec();
    QVERIFY(spec.beam == Beam::cone && spec.detector == DetectorShape::flat);
    EXPECT_NEAR(spec.source_to_isocenter_mm, 100, 1e-9);
    EXPECT_NEAR(spec.source_to_detector_mm, 400, 1e-9);
    EXPECT_NEAR(spec.column_pitch_mm, 0.5, 1e-9);
    EXPECT_NEAR(spec.row_pitch_mm, 0.5, 1e-9);
    QCOMPARE(spec.central_column, 4.0);
    QCOMPARE(spec.central_row, 2.5);
    expect_angles(scan, {5, 50, 95, 140, 185, 230, 275, 320});
    // Against the white level, turned over: rows rise, and columns run as seen from the source.
    std::size_t ray = 0;
    for (int frame = 0; frame < projections; ++frame)
      for (int row = 5; row >= 0; --row)
        for (int column = 8; column >= 0; --column)
          EXPECT_NEAR(scan.scan.line_integrals[ray++],
                      -std::log(CountedFrames::projection(frame, row, column) / white), 1e-5);
    QVERIFY(is_assumed(scan, "the beam", "20000 in each cell"));
    QVERIFY(is_assumed(scan, "projections", "part_0001.tif to part_0008.tif, 8 files"));
    QVERIFY(scan.scan.notes.empty());
  }

  /// Where InputSeparator is missing or wrong, the names of the files tell it.
  void theFilesTellTheSeparator() {
    write_scan_files(settings().replace("InputSeparator=_\r\n", ""));
    ImportedScan scan = import_scan(request());
    QVERIFY(is_assumed(scan, "projections", "part_0001.tif to part_0008.tif, 8 files"));
    QVERIFY(scan.scan.notes.empty());
    write_file(path("part.xtekct"), settings().replace("InputSeparator=_", "InputSeparator=-"));
    for (int number = 1; number <= projections; ++number)
      std::filesystem::rename(path("part_000" + std::to_string(number) + ".tif"),
                              path("part000" + std::to_string(number) + ".tif"));
    scan = import_scan(request());
    QVERIFY(is_assumed(scan, "projections", "part0001.tif to part0008.tif, 8 files"));
    QVERIFY(
        has_part(scan.scan.notes, "InputSeparator is \"-\", but the files are called part0001"));
  }

  void flatsBesideTheProjectionsAreNamed() {
    write_scan_files(settings());
    write_pages(path("white.tif"), {CountedFrames::flat_frame(0)}, CountedFrames::columns);
    QVERIFY(has_part(import_scan(request()).scan.notes, "white.tif (flats) were not used, though"));
  }

  /// What Nikon's program would do to the values.
  void settingsThatAreNotAppliedAreNoted() {
    write_scan_files(
        settings("Scattering=0.0\r\nCoefX4=0\r\nCoefX3=0\r\nCoefX2=0.0\r\n"
                 "CoefX1=1.0\r\nCoefX0=0\r\n"));
    QVERIFY(import_scan(request()).scan.notes.empty());
    write_scan_files(
        settings("Scattering=0.4\r\nCoefX4=0\r\nCoefX3=0\r\nCoefX2=0.3\r\n"
                 "CoefX1=0.7\r\nCoefX0=0\r\n"));
    const std::vector<std::string> notes = import_scan(request()).scan.notes;
    QCOMPARE(notes.size(), std::size_t{2});
    QVERIFY(has_part(notes,
                     "CoefX4 to CoefX0 (0, 0, 0.3, 0.7, 0), the polynomial of Nikon's program "
                     "against beam hardening, were not applied; --correct beam_hardening applies a "
                     "polynomial to the line integrals (a1 is CoefX1, a2 CoefX2, a3 CoefX3)"));
    QVERIFY(has_part(notes,
                     "Scattering (0.4), a correction by Nikon's program, was not applied; "
                     "--correct scatter subtracts scatter"));
    write_scan_files(settings("CoefX4=0.1\r\n"));
    QVERIFY(has_part(import_scan(request()).scan.notes,
                     "CoefX4 to CoefX0 (0.1, not stated, not stated"));
  }

  /// A beam that the projections, which reach 8180, contradict; keys that contradict each other.
  void contradictionsAreSaid() {
    write_scan_files(settings().replace("WhiteLevel=20000", "WhiteLevel=65000"));
    const std::vector<std::string> far = import_scan(request()).scan.notes;
    QVERIFY(has_part(far,
                     "no projection comes near the beam that the files state, 65000: the "
                     "largest value is 8180"));
    QCOMPARE(far.size(), 1U);
    write_scan_files(settings().replace("WhiteLevel=20000", "WhiteLevel=900"));
    const std::vector<std::string> weak = import_scan(request()).scan.notes;
    QVERIFY(has_part(weak, "above the beam that the files state, which tells of a weaker beam"));
    QCOMPARE(weak.size(), 1U);
    write_scan_files(settings("SrcToObject=100\r\nSrcToDetector=500\r\nVoxelSizeX=0.1\r\n"));
    const ImportedScan twice = import_scan(request());
    QCOMPARE(twice.scan.geometry->spec().source_to_detector_mm, 500);
    QCOMPARE(twice.scan.notes,
             std::vector<std::string>{"states twice, with different values, of which the first was "
                                      "taken: VoxelSizeX (0.1, then 0.125), SrcToDetector (500, "
                                      "then 400)"});
  }

  /// As programs write numbers where the system is set to a language with decimal commas.
  void decimalCommasAreRead() {
    write_scan_files(settings("CoefX0=0,000\r\n")
                         .replace("SrcToObject=100", "SrcToObject=100,25")
                         .replace("SrcToDetector=400", "SrcToDetector=401,00 mm")
                         .replace("VoxelSizeX=0.125\r\n", ""));
    const ImportedScan scan = import_scan(request());
    QCOMPARE(scan.scan.geometry->spec().source_to_isocenter_mm, 100.25);
    QCOMPARE(scan.scan.geometry->spec().source_to_detector_mm, 401);
    QCOMPARE(scan.scan.notes,
             std::vector<std::string>{"the comma in numbers was taken to stand before decimals: "
                                      "CoefX0 (0,000), SrcToObject (100,25), SrcToDetector (401,00 "
                                      "mm)"});
    for (const char* bad : {"1,000,000", ",5", "5,", "1,5.2", "1, 5"}) {
      write_scan_files(settings().replace("SrcToObject=100", QByteArray("SrcToObject=") + bad));
      EXPECT_THROWS(InputError, import_scan(request()), "is no number; give a number");
    }
  }

  void anEmptyFileIsRefused() {
    write_file(path("part.xtekct"), "\r\n");
    EXPECT_THROWS(InputError, import_scan(request()), "part.xtekct: is empty; copy the file again");
  }

  /// The axis is seen 1 mm beside the central ray, which lands 1 mm beside the middle.
  void offsets() {
    write_scan_files(
        settings("ObjectOffsetX=-0.25\r\nDetectorOffsetX=1\r\nDetectorOffsetY=0.5\r\n"));
    const ImportedScan scan = import_scan(request());
    QCOMPARE(scan.scan.geometry->spec().central_column, 4 + (1 + 0.25 * 4) / 0.5);
    QCOMPARE(scan.scan.geometry->spec().central_row, 2.5 - 1);
    QVERIFY(is_assumed(scan, "axis beside the central ray",
                       "a shift of the detector by -1 mm along its columns"));
    write_scan_files(settings("CentreOfRotationTop=0.6\r\nCentreOfRotationBottom=0.4\r\n"));
    const ImportedScan leaning = import_scan(request());
    QCOMPARE(leaning.scan.geometry->spec().central_column, 4 - 0.5 / 0.5);
    // The central ray meets the detector of 3 mm half a millimetre below its middle: there the axis
    // is at 0.4 + 0.2 / 3 mm.
    write_scan_files(
        settings("CentreOfRotationTop=0.6\r\nCentreOfRotationBottom=0.4\r\n"
                 "DetectorOffsetY=0.5\r\n"));
    const ImportedScan low = import_scan(request());
    EXPECT_NEAR(low.scan.geometry->spec().central_column, 4 - (0.4 + 0.2 / 3) / 0.5, 1e-9);
  }

  /// Returns the axis as it stands before the detector: along the columns, along the beam and along
  /// the rows of a view.
  static Vec3 axis_of(const ImportedScan& scan, int view) {
    const View pose = scan.scan.geometry->view(view);
    const Vec3 beam = normalized(cross(pose.v_mm, pose.u_mm));
    return {normalized(pose.u_mm).z, beam.z, normalized(pose.v_mm).z};
  }

  /// The direction that the tests of the Core Imaging Library expect of these numbers.
  void theAxisLeansAsOtherReadersTakeIt() {
    write_scan_files(settings("ObjectTilt=30\r\nObjectRoll=0.01\r\n"));
    const ImportedScan scan = import_scan(request());
    const Vec3 expected{1.74532924e-04, 0.5, 0.866025391};
    for (int view = 0; view < projections; ++view)
      QVERIFY(norm(axis_of(scan, view) - expected) < 1e-7);
    QVERIFY(is_assumed(scan, "lean of the axis", "30 degrees, the upper end away from the source"));
    QVERIFY(is_assumed(scan, "lean of the axis",
                       "0.01 degrees, the upper end to the right as seen from the source"));
    ImportRequest turned = request();
    turned.only_turns = true;
    turned.centre = 3;
    const ImportedScan circle = import_scan(turned);
    QVERIFY(circle.scan.geometry->spec().trajectory == Trajectory::circular);
    QVERIFY(has_part(circle.scan.notes, "lean of the axis (30 degrees, the upper end away from"));
    // A lean that displaces nothing by a tenth of a cell leaves the circle: 0.02 degrees of 4.5
    // cells.
    write_scan_files(settings("ObjectTilt=0.02\r\n"));
    const ImportedScan upright = import_scan(request());
    QVERIFY(upright.scan.geometry->spec().trajectory == Trajectory::circular);
    QVERIFY(has_part(upright.scan.notes, "less than a tenth of a cell"));
    // Of cells half as high as wide, 1 degree displaces 0.08 widths, but 0.16 heights.
    write_scan_files(settings("ObjectTilt=1\r\n").replace("SizeY=0.5", "SizeY=0.25"));
    QVERIFY(import_scan(request()).scan.geometry->spec().trajectory == Trajectory::poses);
    write_scan_files(settings("ObjectTilt=0\r\nObjectRoll=0.0\r\n"));
    QVERIFY(import_scan(request()).scan.notes.empty());
    QVERIFY(import_scan(request()).scan.geometry->spec().trajectory == Trajectory::circular);
  }

  /// The axis is seen 0.6 mm to the left of the middle at the upper edge, 0.4 mm at the lower one.
  void theAxisLeansByItsPlaces() {
    write_scan_files(settings("CentreOfRotationTop=0.6\r\nCentreOfRotationBottom=0.4\r\n"));
    const ImportedScan scan = import_scan(request());
    QVERIFY(scan.scan.geometry->spec().trajectory == Trajectory::poses);
    for (int view = 0; view < projections; ++view)
      // Rays to the line between the two places meet the axis.
      for (const double row : {-0.5, 2.5, 5.5}) {
        const double column = 4 - (0.5 + 0.2 * (row - 2.5) / 6) / 0.5;
        const Ray ray = scan.scan.geometry->ray(view, column, row);
        const Vec3 across = cross(ray.direction, {0, 0, 1});
        EXPECT_NEAR(dot(ray.origin_mm, across), 0, 1e-9);
      }
  }

  /// The programs of the scanner write names in the code page of Windows.
  void namesMayBeInTheCodePageOfWindows() {
    QByteArray text = settings();
    text.replace("Name=part", "Name=r\xF6hre");
    write_scan_files(text);
    for (int number = 1; number <= projections; ++number) {
      const std::string end = "_000" + std::to_string(number) + ".tif";
      std::filesystem::rename(path("part" + end), path("r\xC3\xB6hre" + end));
    }
    QVERIFY(is_assumed(import_scan(request()), "projections",
                       "r\xC3\xB6hre_0001.tif to r\xC3\xB6hre_0008.tif, 8 files"));
  }

  /// As some editors of Windows store texts.
  void settingsMayBeUtf16() {
    const QByteArray plain = settings("ObjectOffsetX=0.25\r\n");
    QByteArray wide("\xFF\xFE");
    for (const char byte : plain) wide.append(byte).append('\0');
    write_scan_files(wide);
    QVERIFY(import_formats().recognise(path("part.xtekct")).certainty == Certainty::certain);
    const ImportedScan scan = import_scan(request());
    QCOMPARE(scan.scan.geometry->spec().central_column, 4 - 0.25 * 4 / 0.5);
    QVERIFY(scan.scan.geometry->beam() == Beam::cone);
  }

  void placesOfTheAxisThatContradictAreNoted() {
    const char* const places =
        "ObjectOffsetX=0.25\r\nCentreOfRotationTop=%1\r\n"
        "CentreOfRotationBottom=%1\r\n";
    const auto noted = [&](const char* place) {
      write_scan_files(settings(QByteArray(places).replace("%1", place)));
      const ImportedScan scan = import_scan(request());
      if (scan.scan.geometry->spec().central_column != 4 - 0.25 * 4 / 0.5) qFatal("another axis");
      return has_part(scan.scan.notes,
                      "ObjectOffsetX, 0.25 mm, places the axis 1 mm off the middle of the "
                      "detector, CentreOfRotationTop and CentreOfRotationBottom 0.4 mm: the first "
                      "was taken; --centre states the column of the axis");
    };
    QVERIFY(!noted("1.0"));
    QVERIFY(noted("0.4"));
  }

  void contradictionsAreNoted() {
    write_scan_files(settings().replace("VoxelSizeX=0.125", "VoxelSizeX=0.13"));
    const ImportedScan voxel = import_scan(request());
    QVERIFY(has_part(voxel.scan.notes, "VoxelSizeX is 0.13 mm, but a detector cell is 0.125 mm"));
    EXPECT_NEAR(voxel.scan.geometry->spec().column_pitch_mm, 0.5, 1e-9);
    write_scan_files(settings().replace("AngularStep=45", "AngularStep=40"));
    const ImportedScan arc = import_scan(request());
    QVERIFY(has_part(arc.scan.notes, "Projections x AngularStep is 320 degrees, no whole turn"));
    EXPECT_NEAR(degrees(arc.scan.geometry->angle_rad(7)), 285, 1e-9);
  }

  /// All that a cut file lacks is named at once.
  void missingKeysAreNamed() {
    const QByteArray whole = settings();
    write_scan_files(whole.left(whole.indexOf("DetectorPixelSizeY")));
    EXPECT_THROWS(InputError, import_scan(request()),
                  "[XTekCT] DetectorPixelSizeY, Projections, AngularStep: are missing");
    write_scan_files(whole.left(whole.indexOf("AngularStep")));
    EXPECT_THROWS(InputError, import_scan(request()), "[XTekCT] AngularStep: is missing");
  }

  /// Each frame that is there has the angle of its number.
  void missingFrames() {
    write_scan_files(settings());
    for (const char* name : {"part_0001.tif", "part_0004.tif", "part_0008.tif"})
      std::filesystem::remove(path(name));
    const ImportedScan scan = import_scan(request());
    expect_angles(scan, {50, 95, 185, 230, 275});
    QVERIFY(
        has_part(scan.scan.notes, "frame 0004 is missing between part_0003.tif and part_0005.tif"));
    QVERIFY(has_part(scan.scan.notes, "5 of the 8 projections are there"));
    // So it has in a list for all projections, for those from the first frame to the last, or for
    // the frames alone; an arc is that of all projections.
    ImportRequest listed = request();
    listed.angles = path("list.txt");
    write_file(path("list.txt"), "0\n10\n21\n33\n46\n60\n75\n91\n");
    expect_angles(import_scan(listed), {10, 21, 46, 60, 75});
    write_file(path("list.txt"), "10\n21\n33\n46\n60\n75\n");
    expect_angles(import_scan(listed), {10, 21, 46, 60, 75});
    write_file(path("list.txt"), "1\n2\n4\n8\n16\n");
    expect_angles(import_scan(listed), {1, 2, 4, 8, 16});
    write_file(path("list.txt"), "1\n2\n4\n8\n16\n32\n64\n");
    EXPECT_THROWS(InputError, import_scan(listed), "has 7 angles for 5 frames");
    ImportRequest over_arc = request();
    over_arc.arc_deg = 70;
    expect_angles(import_scan(over_arc), {10, 20, 40, 50, 60});
    for (int number = 1; number <= 9; ++number) folder_->write_frame(number);
    EXPECT_THROWS(InputError, import_scan(request()), "states 8 projections, but there are 9");
  }

  void whatIsWrongIsNamed() {
    write_scan_files(settings().replace("SrcToObject=100", "SrcToObject=near"));
    EXPECT_THROWS(InputError, import_scan(request()),
                  "[XTekCT] SrcToObject: \"near\" is no number");
    write_scan_files(settings().replace("SrcToObject=100", "SrcToObject=500"));
    EXPECT_THROWS(InputError, import_scan(request()), "source_to_detector_mm is not larger");
    write_scan_files(settings().replace("Projections=8", "Projections=2000000000"));
    EXPECT_THROWS(InputError, import_scan(request()), "Projections: is 2000000000; give");
    write_scan_files(settings().replace("DetectorPixelsX=9", "DetectorPixelsX=10"));
    EXPECT_THROWS(InputError, import_scan(request()), "is of 8 views of 10 x 6 cells");
    write_scan_files(settings().replace("InputFolderName=", "InputFolderName=.."));
    EXPECT_THROWS(InputError, import_scan(request()), "names projections outside its folder");
    write_scan_files(settings().replace("InputFolderName=", "InputFolderName=C:\\data"));
    QVERIFY(has_part(import_scan(request()).scan.notes, "(InputFolderName) is not there"));
    write_scan_files(settings().replace("Name=part", "Name=other"));
    EXPECT_THROWS(InputError, import_scan(request()), "there is no other_0001.tif or the like");
  }

  void cutFiles() {
    write_scan_files(settings());
    for (const char* name : {"part.xtekct", "part_0003.tif"})
      read_cut_files(path(name), [&] { import_scan(request()); });
  }

  void aRealFileWithoutProjections() {
    NEED_DATA("scans-in/nikon_xtekct_R02");
    const std::string file = data_path("scans-in/nikon_xtekct_R02/settings.xtekct");
    const TiffSettings read = read_nikon_settings(file);
    const ScanSpec& spec = read.stated.spec;
    QCOMPARE(spec.detector_columns, 2000);
    QCOMPARE(spec.detector_rows, 2000);
    EXPECT_NEAR(spec.source_to_isocenter_mm, 76.7192516326904, 1e-6);
    EXPECT_NEAR(spec.source_to_detector_mm, 1127.464, 1e-6);
    EXPECT_NEAR(spec.column_pitch_mm, 0.2, 1e-6);
    EXPECT_NEAR(spec.row_pitch_mm, 0.2, 1e-6);
    EXPECT_NEAR(spec.central_column, 999.5, 1e-6);
    QCOMPARE(spec.view_angles_rad.size(), std::size_t{3142});
    EXPECT_NEAR(degrees(spec.view_angles_rad[0]), 5.84749984741211, 1e-6);
    EXPECT_NEAR(degrees(spec.view_angles_rad[3141]), 5.84749984741211 + 3141 * 0.11457670273711,
                1e-6);
    // The voxel that the file itself states is the cell at the axis.
    EXPECT_NEAR(ScanGeometry(spec).column_pitch_at_isocenter_mm(), 0.0136091712918298, 1e-8);
    EXPECT_NEAR(read.white_level, 60000, 1e-9);
    QVERIFY(read.stated.notes.empty());
    ImportRequest request;
    request.path = file;
    EXPECT_THROWS(InputError, import_scan(request),
                  "its projections are missing: there is no SNO20160707_R02_01_Cu025_0001.tif");
  }
};

GANTRY_TEST(TestNikonScan)
#include "test_nikon_scan.moc"
