// RTK's standard output, geometry.xml beside projections.mha, and MetaImage or NRRD as projections:
// a ball beside the axis comes out where it was, whatever the origin and the directions of the
// file.
#include "core/base/error.hpp"
#include "core/io/exports/export_format.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/volumes/file_in_folder.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/imports/formats/off_centre_ball.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/small_files.hpp"
#include "tests/support/test_program.hpp"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <memory>

using namespace gantry;
using namespace gantry::test;

class TestRtkScan : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> folder_;

  std::string path(const char* name) const {
    return folder_->filePath(QLatin1String(name)).toStdString();
  }
  /// Writes RTK's geometry of the scan, for projections whose point (0, 0) is in their middle.
  void write_geometry(const char* name, const ScanGeometry& geometry) const {
    const ScanToExport scan{geometry, VolumeGrid::centered(8, 8, 8, {1, 1, 1}), "a", {}, "Gantry"};
    for (const ExportedText& text : export_formats().at("rtk").write(scan))
      if (text.name.ends_with(".xml")) write_file(path(name), QByteArray::fromStdString(text.text));
  }
  static QByteArray bytes_of(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()),
            static_cast<qsizetype>(values.size() * sizeof(float))};
  }
  /// A header of MetaImage for this detector; `directions`: the signs of columns and rows.
  static QByteArray header(const ScanSpec& spec, const QByteArray& offset,
                           const QByteArray& directions = "1 0 0 0 1 0 0 0 1",
                           const QByteArray& more = {}) {
    return "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n" +
           more + "TransformMatrix = " + directions + "\nOffset = " + offset +
           " 0\nElementSpacing = 2 2.5 1\nDimSize = " + QByteArray::number(spec.detector_columns) +
           " " + QByteArray::number(spec.detector_rows) + " " +
           QByteArray::number(qsizetype(spec.view_angles_rad.size())) +
           "\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n";
  }
  ImportedScan imported(const char* name, const char* geometry = nullptr) const {
    ImportRequest request;
    request.path = path(name);
    if (geometry != nullptr) request.geometry = path(geometry);
    return import_scan(request);
  }
  /// Checks that rays and values are those of the ball before this cone.
  static void expect_ball(const ImportedScan& imported) {
    const ScanGeometry &found = *imported.scan.geometry, expected(cone_of_ball());
    QCOMPARE(found.views(), expected.views());
    for (const int view : {0, 5}) {
      const Ray a = found.ray(view, 3, 20), b = expected.ray(view, 3, 20);
      EXPECT_NEAR(norm(a.origin_mm - b.origin_mm), 0, 1e-6);
      EXPECT_NEAR(norm(a.direction - b.direction), 0, 1e-9);
    }
    OffCentreBall::expect_in(found, imported.scan.line_integrals);
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// A folder, the geometry, and the projections with the geometry are the same scan.
  void geometryAndProjections() {
    const ScanGeometry cone(cone_of_ball());
    write_geometry("geometry.xml", cone);
    const QByteArray values = bytes_of(OffCentreBall::integrals(cone));
    write_file(path("projections.mha"), header(cone.spec(), "-27 -26.25") + values);
    write_file(path("other.mha"), header(cone.spec(), "-27 -26.25") + values);  // a copy
    expect_ball(imported("geometry.xml"));
    expect_ball(imported("projections.mha", "geometry.xml"));
    QCOMPARE(file_in_folder(folder_->path().toStdString(), {FileKind::projections}),
             path("geometry.xml"));
  }

  /// The origin of the file says where the point (0, 0) is: here 3 columns to the right of the
  /// middle, and 2 rows below it.
  void theOriginCounts() {
    ScanSpec moved = cone_of_ball();
    moved.central_column -= 3;
    moved.central_row += 2;
    write_geometry("geometry.xml", ScanGeometry(moved));
    const ScanGeometry cone(cone_of_ball());
    write_file(path("projections.mha"),
               header(cone.spec(), "-33 -21.25") + bytes_of(OffCentreBall::integrals(cone)));
    expect_ball(imported("geometry.xml"));
    expect_ball(imported("projections.mha", "geometry.xml"));
  }

  /// Columns and rows that run backwards are turned over.
  void directionsCount() {
    const ScanGeometry cone(cone_of_ball());
    write_geometry("geometry.xml", cone);
    std::vector<float> values = OffCentreBall::integrals(cone);
    for (auto row = values.begin(); row != values.end(); row += cone.columns())
      std::reverse(row, row + cone.columns());
    write_file(path("projections.mha"),
               header(cone.spec(), "27 -26.25", "-1 0 0 0 1 0 0 0 1") + bytes_of(values));
    expect_ball(imported("geometry.xml"));
    values = OffCentreBall::integrals(cone);
    const auto frame = static_cast<std::ptrdiff_t>(cone.columns()) * cone.rows();
    for (auto at = values.begin(); at != values.end(); at += frame) {
      std::reverse(at, at + frame);
      for (auto row = at; row != at + frame; row += cone.columns())
        std::reverse(row, row + cone.columns());
    }
    write_file(path("projections.mha"),
               header(cone.spec(), "-27 26.25", "1 0 0 0 -1 0 0 0 1") + bytes_of(values));
    expect_ball(imported("geometry.xml"));
    write_file(path("projections.mha"),
               header(cone.spec(), "0 0", "0 1 0 1 0 0 0 0 1") + bytes_of(values));
    EXPECT_THROWS(InputError, imported("projections.mha"), "do not lie along columns, rows");
  }

  /// Packed values, and NRRD.
  void otherFiles() {
    const ScanGeometry cone(cone_of_ball());
    write_geometry("geometry.xml", cone);
    const QByteArray values = bytes_of(OffCentreBall::integrals(cone));
    const QByteArray packed = qCompress(values).mid(4);  // behind the length
    write_file(
        path("a.mha"),
        header(cone.spec(), "-27 -26.25", "1 0 0 0 1 0 0 0 1", "CompressedData = True\n") + packed);
    expect_ball(imported("geometry.xml"));
    QVERIFY(QFile::remove(folder_->filePath(QStringLiteral("a.mha"))));
    write_file(path("a.nrrd"),
               "NRRD0004\ntype: float\ndimension: 3\nspace dimension: 3\nsizes: 28 22 12\nspace "
               "directions: (2,0,0) (0,2.5,0) (0,0,1)\nspace origin: (-27,-26.25,0)\nendian: "
               "little\nencoding: raw\n\n" +
                   values);
    expect_ball(imported("geometry.xml"));
    expect_ball(imported("a.nrrd", "geometry.xml"));
  }

  void cutFilesAreRefused() {
    const ScanGeometry cone(cone_of_ball());
    write_geometry("geometry.xml", cone);
    write_file(path("projections.mha"),
               header(cone.spec(), "-27 -26.25") + bytes_of(OffCentreBall::integrals(cone)));
    for (const char* name : {"geometry.xml", "projections.mha"})
      read_cut_files(path(name), [&] { imported("geometry.xml"); });
    read_cut_files(path("projections.mha"), [&] { imported("projections.mha", "geometry.xml"); });
  }

  /// Without an image of as many views beside it, a geometry is none; of several, none is guessed.
  void whatIsMissingIsSaid() {
    const ScanGeometry cone(cone_of_ball());
    write_geometry("geometry.xml", cone);
    EXPECT_THROWS(InputError, imported("geometry.xml"), "but no projections");
    const QByteArray values = bytes_of(OffCentreBall::integrals(cone));
    ScanSpec longer = cone_of_ball();
    longer.view_angles_rad.push_back(7);
    write_file(path("volume.mha"), header(longer, "0 0") + values + QByteArray(28 * 22 * 4, 0));
    EXPECT_THROWS(InputError, imported("geometry.xml"), "but no projections");
    QCOMPARE(file_in_folder(folder_->path().toStdString()), path("volume.mha"));
    for (const char* name : {"a.mha", "b.mha"})
      write_file(path(name), header(cone.spec(), "-27 -26.25") + values);
    EXPECT_THROWS(InputError, imported("geometry.xml"), "may be the geometry of a.mha, b.mha");
  }

  /// The last view of a geometry that has one more than its projections is left out, with a note;
  /// another difference is refused with both counts.
  void aViewMoreThanProjections() {
    const ScanGeometry cone(cone_of_ball());
    ScanSpec longer = cone_of_ball();
    longer.view_angles_rad.push_back(longer.view_angles_rad.front() + 2 * pi);
    write_geometry("geometry.xml", ScanGeometry(longer));
    write_file(path("volume.mha"), header(longer, "0 0").replace("22 13", "22 12") +
                                       bytes_of(OffCentreBall::integrals(cone)));
    EXPECT_THROWS(InputError, imported("geometry.xml"), "but no projections; name the file");
    write_file(path("projections.mha"),
               header(cone.spec(), "-27 -26.25") + bytes_of(OffCentreBall::integrals(cone)));
    for (const ImportedScan& scan :
         {imported("geometry.xml"), imported("projections.mha", "geometry.xml")}) {
      expect_ball(scan);
      QVERIFY(is_assumed(scan, "views of the geometry", "the first 12, without the last"));
    }
    QCOMPARE(file_in_folder(folder_->path().toStdString(), {FileKind::projections}),
             path("geometry.xml"));
    longer.view_angles_rad.push_back(7);
    write_geometry("geometry.xml", ScanGeometry(longer));
    EXPECT_THROWS(InputError, imported("geometry.xml"),
                  "geometry.xml: states 14 views, but beside it projections.mha holds 12; put the "
                  "geometry of these projections beside them");
    EXPECT_THROWS(InputError, imported("projections.mha", "geometry.xml"),
                  "is of 14 views of 28 x 22 cells, the projections are 12 of 28 x 22");
  }

  /// Without a geometry of RTK, on a circle by the request, the first row is the lowest one, too.
  void imagesAlone() {
    const ScanGeometry cone(cone_of_ball());
    const std::vector<float> values = OffCentreBall::integrals(cone);
    write_file(path("a.mha"), header(cone.spec(), "0 0") + bytes_of(values));
    ImportRequest request;
    request.path = path("a.mha");
    request.arc_deg = 330;
    request.source_to_axis_mm = 200;
    request.source_to_detector_mm = 300;
    const ImportedScan imported = import_scan(request);
    QVERIFY(imported.scan.line_integrals == values);
    EXPECT_NEAR(imported.scan.geometry->spec().row_pitch_mm, 2.5, 0);
    request.turn = FrameTurn{90};  // of which the origin says nothing
    EXPECT_THROWS(UsageError, import_scan(request), "the files state how source");
  }

  /// RTK reads stacks of images as well: a geometry of as many views beside them is theirs.
  void imagesBesideAGeometry() {
    const ScanGeometry cone(cone_of_ball());
    write_geometry("geometry.xml", cone);
    const auto cells = static_cast<std::ptrdiff_t>(cone.columns()) * cone.rows();
    const std::vector<float> values = OffCentreBall::integrals(cone);
    for (int view = 0; view < cone.views(); ++view)
      write_numbers(path(("p_" + std::to_string(view) + ".tif").c_str()),
                    std::vector<std::vector<float>>{
                        {values.begin() + view * cells, values.begin() + (view + 1) * cells}},
                    cone.columns(), TiffLayout{});
    write_file(path("angles.txt"), "0 1 2 3 4 5 6 7 8 9 10 11\n");
    ImportRequest request;
    request.path = folder_->path().toStdString();
    request.normalise.are_line_integrals = true;
    EXPECT_THROWS(InputError, import_scan(request),
                  "does not state the distance of detector cells");
    request.pixel_mm = 2;
    const ImportedScan imported = import_scan(request);
    EXPECT_NEAR(imported.scan.geometry->spec().source_to_isocenter_mm, 200, 1e-6);
    QCOMPARE(imported.scan.geometry->views(), 12);
    QVERIFY(has_part(imported.scan.notes, "angles.txt was not read: geometry.xml states"));
    request.centre = 14;
    EXPECT_NEAR(import_scan(request).scan.geometry->spec().central_column, 14, 0);
    request.arc_deg = 330;
    QVERIFY(has_part(import_scan(request).scan.notes, "geometry.xml states the geometry, but was"));
    request.arc_deg.reset();
    request.centre.reset();
    ScanSpec longer = cone_of_ball();
    longer.view_angles_rad.push_back(7);
    write_geometry("longer.xml", ScanGeometry(longer));
    QCOMPARE(import_scan(request).scan.geometry->views(), 12);  // by the geometry that fits
    std::filesystem::remove(path("geometry.xml"));
    QVERIFY(is_assumed(import_scan(request), "geometry", "longer.xml"));
    QVERIFY(is_assumed(import_scan(request), "views of the geometry",
                       "the first 12, without the last"));
    std::filesystem::remove(path("angles.txt"));
    longer.view_angles_rad.push_back(8);
    write_geometry("longer.xml", ScanGeometry(longer));
    EXPECT_THROWS(InputError, import_scan(request),
                  "does not state the angles of its projections: longer.xml, beside them, states "
                  "14 views for 12 projections and was not read; give a list");
  }

  /// Files of volumes stay such where nobody says that they are projections.
  void volumesStayVolumes() {
    const ScanGeometry cone(cone_of_ball());
    write_file(path("a.mha"),
               header(cone.spec(), "0 0") + bytes_of(OffCentreBall::integrals(cone)));
    QVERIFY(identify_file(path("a.mha")) == FileKind::volume);
  }
};

GANTRY_TEST(TestRtkScan)
#include "test_rtk_scan.moc"
