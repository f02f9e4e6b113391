// Real series: which there are, where their slices lie, what is said about them.
#include "core/base/error.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/test_program.hpp"

#include <QJsonArray>

#include <cmath>
#include <map>

using namespace gantry;
using namespace gantry::test;

namespace {

std::vector<double> numbers(const QJsonValue& value) {
  std::vector<double> result;
  for (const auto& v : value.toArray()) result.push_back(v.toDouble());
  return result;
}

/// Positions of the slices below a folder as expected.json has them, by height along the normal.
std::map<double, Vec3> expected_positions(const std::string& folder, const QString& prefix) {
  std::map<double, Vec3> positions;
  const QJsonObject all = read_json(folder + "/expected.json");
  for (const QString& name : all.keys()) {
    if (!name.startsWith(prefix)) continue;
    const auto p = numbers(all[name].toObject()["ImagePositionPatient"]);
    const auto o = numbers(all[name].toObject()["ImageOrientationPatient"]);
    const Vec3 normal = cross({o[0], o[1], o[2]}, {o[3], o[4], o[5]});
    positions[dot({p[0], p[1], p[2]}, normal)] = {p[0], p[1], p[2]};
  }
  return positions;
}

}  // namespace

class TestDicomSeries : public QObject {
  Q_OBJECT
 private slots:
  void slicesLieWhereTheirPositionsSay_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("prefix");
    QTest::addColumn<double>("spacing_mm");  // between planes, worked out by hand from the tags
    QTest::addColumn<double>("pixel_mm");
    const double radian = std::acos(-1.0) / 180;
    QTest::newRow("axial") << "ct_philips_phantom_axial"
                           << "" << 5.0 << 0.451171875;
    QTest::newRow("tilt -18.5") << "ct_philips_phantom_tilt"
                                << "tilt_neg/" << 2.5 * std::cos(18.5 * radian) << 0.482421875;
    QTest::newRow("tilt +16.5") << "ct_philips_phantom_tilt"
                                << "tilt_pos/" << 2.5 * std::cos(16.5 * radian) << 0.40625;
    QTest::newRow("tilt without tag") << "ct_bad_series"
                                      << "tilt_without_tag/" << 5.0 * 0.970295726276 << 0.41796875;
    QTest::newRow("descending names") << "ct_dicomdir_small"
                                      << "98892001_CT5N/" << 2.5 << 0.488281;
    QTest::newRow("38 rows, 24 columns") << "ct_enhanced_multiframe"
                                         << "legacy_converted_24x38x3/IMG" << 2.5 << 0.7;
  }
  void slicesLieWhereTheirPositionsSay() {
    QFETCH(QString, folder);
    QFETCH(QString, prefix);
    QFETCH(double, spacing_mm);
    QFETCH(double, pixel_mm);
    NEED_DATA(folder.toStdString());
    const std::string root = folder.toStdString();
    DicomLoadOptions options;
    if (prefix.endsWith("IMG"))
      options.series = "1.2.826.0.1.3680043.2.1125.1.9881642883347102869241902700569139";
    const LoadedVolume v =
        load_dicom(data_path(root + "/" + prefix.section('/', 0, 0).toStdString()), options);
    const auto expected = expected_positions(root, prefix);
    QCOMPARE(static_cast<std::size_t>(v.grid.nz), expected.size());
    QVERIFY(v.frame.has_value());
    EXPECT_NEAR(v.grid.spacing_mm.z, spacing_mm, 1e-5);
    EXPECT_NEAR(v.grid.spacing_mm.x, pixel_mm, 1e-12);
    QCOMPARE(v.grid, VolumeGrid::centered(v.grid.nx, v.grid.ny, v.grid.nz, v.grid.spacing_mm));
    int iz = 0;
    for (const auto& [height, position] : expected) {
      const Vec3 p = v.frame->to_patient(v.grid.voxel_center_mm(0, 0, iz++));
      EXPECT_NEAR(norm(p - position), 0, iz == 1 ? 1e-9 : 1e-4);
    }
  }

  void firstVoxelAndRowsAndColumnsMapExactly() {
    NEED_DATA("ct_philips_phantom_tilt");
    const LoadedVolume v = load_dicom(data_path("ct_philips_phantom_tilt/tilt_neg"));
    // By hand: IPP + 100 columns along the row direction + 50 rows along the column direction.
    const Vec3 p = v.frame->to_patient(v.grid.voxel_center_mm(100, 50, 0));
    const double d = 0.482421875;
    EXPECT_NEAR(p.x, -123.5 + 100 * d, 1e-6);
    EXPECT_NEAR(p.y, -15.64097 + 50 * d * 0.9483237, 1e-5);
    EXPECT_NEAR(p.z, 794.845191756896 - 50 * d * 0.3173047, 1e-5);
    EXPECT_NEAR(norm(v.frame->x_axis), 1, 1e-12);
    EXPECT_NEAR(norm(v.frame->y_axis), 1, 1e-12);
    EXPECT_NEAR(dot(v.frame->z_axis, cross(v.frame->x_axis, v.frame->y_axis)), 1, 1e-9);
  }

  void tiltIsKeptAndSaid() {
    NEED_DATA("ct_philips_phantom_tilt");
    const LoadedVolume v = load_dicom(data_path("ct_philips_phantom_tilt/tilt_neg"));
    EXPECT_NEAR(norm(v.frame->z_axis), 1 / std::cos(18.5 * std::acos(-1.0) / 180), 1e-5);
    QVERIFY(has_note(v, "gantry tilt: the slices are sheared by 18.5 degrees"));
    QVERIFY(has_note(v, "SpacingBetweenSlices says 2.5 mm; the positions say 2.37081 mm"));
    const LoadedVolume straight = load_dicom(data_path("ct_philips_phantom_axial"));
    QVERIFY(straight.notes.empty());
  }

  void valuesAreRescaledToAttenuation() {
    NEED_DATA("ct_philips_phantom_axial");
    const LoadedVolume v = load_dicom(data_path("ct_philips_phantom_axial"), {.mu_water = 0.019});
    QVERIFY(v.from_hu);
    QCOMPARE(v.mu_water, 0.019);
    const QJsonObject first =
        read_json("ct_philips_phantom_axial/expected.json")["I10.dcm"].toObject();  // lowest z
    double low = 1e9, high = -1e9, sum = 0;
    for (int iy = 0; iy < v.grid.ny; ++iy)
      for (int ix = 0; ix < v.grid.nx; ++ix) {
        const double stored = hu_at(v, ix, iy, 0) + 1024;
        low = std::min(low, stored);
        high = std::max(high, stored);
        sum += stored;
      }
    const auto range = numbers(first["stored_min_max_mean"]);
    EXPECT_NEAR(low, range[0], 1e-3);
    EXPECT_NEAR(high, range[1], 1e-3);
    EXPECT_NEAR(sum / 512 / 512, range[2], 1e-3);
  }

  void multiFrameEqualsItsSingleFrameOriginals() {
    NEED_DATA("ct_enhanced_multiframe");
    const std::string folder = data_path("ct_enhanced_multiframe/legacy_converted_24x38x3");
    const LoadedVolume one = load_dicom(folder + "/mf.dcm");
    const LoadedVolume three = load_dicom(folder + "/IMG0002.dcm");  // finds its neighbours
    QCOMPARE(one.grid, three.grid);
    QCOMPARE(one.grid.nx, 24);
    QCOMPARE(one.grid.ny, 38);
    QCOMPARE(one.frame, three.frame);
    QVERIFY(one.mu == three.mu);
    QCOMPARE(one.study->instance_uids.size(), std::size_t{1});
    QCOMPARE(three.study->instance_uids.size(), std::size_t{3});
  }

  void enhancedFramesAreSortedAlongTheirNormal() {
    NEED_DATA("ct_enhanced_multiframe");
    // Rows run along -x, so the normal points to -z: the upper frame, second in the file, is first.
    const LoadedVolume v = load_dicom(data_path("ct_enhanced_multiframe/eCT_Supplemental.dcm"));
    QCOMPARE(v.grid.nz, 2);
    EXPECT_NEAR(v.grid.spacing_mm.z, 10, 1e-9);
    const Vec3 first = v.frame->to_patient(v.grid.voxel_center_mm(0, 0, 0));
    EXPECT_NEAR(norm(first - Vec3{99.5, -301.5, -149}), 0, 1e-9);
    EXPECT_NEAR(norm(v.frame->z_axis - Vec3{0, 0, -1}), 0, 1e-12);
    QVERIFY(has_note(v, "given in ml/100ml/s"));
    // The same study as fragmented JPEG is a volume of its own with the same geometry.
    const LoadedVolume jpeg = load_dicom(
        data_path("ct_enhanced_multiframe/CT0012.fragmented_no_bot_jpeg_baseline.51.dcm"));
    QCOMPARE(jpeg.grid, v.grid);
    QVERIFY(has_note(jpeg, "compressed with loss"));
  }

  void seriesAreListedRecursivelyAndByDicomdir() {
    NEED_DATA("ct_dicomdir_small");
    const auto list = list_dicom_series(data_path("ct_dicomdir_small"));
    QCOMPARE(list.size(), std::size_t{3});
    QCOMPARE(list[0].description, std::string("Routine Brain"));
    QCOMPARE(list[1].description, std::string("Scout"));
    QVERIFY(list[1].localizer);
    QCOMPARE(list[2].images, 5);
    QCOMPARE(list[2].modality, std::string("CT"));
    QCOMPARE(list[2].patient_name, std::string("Doe^Peter"));
    QCOMPARE(list[2].rows, 16);
    QVERIFY(!list[2].localizer);
    QCOMPARE(list_dicom_series(data_path("ct_dicomdir_small/DICOMDIR")).size(), std::size_t{3});
    const auto one = list_dicom_series(data_path("ct_dicomdir_small/98892001_CT5N/3023"));
    QCOMPARE(one.size(), std::size_t{1});
    QCOMPARE(one[0].images, 5);
  }

  void severalSeriesAreNamedAndCanBeChosen() {
    NEED_DATA("ct_dicomdir_small");
    const std::string folder = data_path("ct_dicomdir_small");
    EXPECT_THROWS(InputError, load_dicom(folder),
                  "holds 3 series (1: \"Routine Brain\" CT, 4 images");
    EXPECT_THROWS(InputError, load_dicom(folder), "choose one by its number or series UID");
    QCOMPARE(load_dicom(folder, {.series = "3"}).grid.nz, 5);
    const std::string uid = "1.3.6.1.4.1.5962.1.1.0.0.0.1194734704.16302.0.6";
    QCOMPARE(load_dicom(folder, {.series = uid}).grid.nz, 5);
    EXPECT_THROWS(InputError, load_dicom(folder, {.series = "4"}), "holds no series \"4\"");
  }

  void multiFrameFilesOfOneSeriesAreKeptApart() {
    NEED_DATA("ct_enhanced_multiframe");
    const std::string folder = data_path("ct_enhanced_multiframe");
    const auto list = list_dicom_series(folder);
    QCOMPARE(list.size(), std::size_t{4});
    for (const DicomSeriesInfo& series : list)
      QCOMPARE(series.files.size(), std::size_t{series.images == 3 && series.rows == 38 &&
                                                        series.description == "Image 24x38x3"
                                                    ? 3U
                                                    : 1U});
    const std::string twice = "1.3.6.1.4.1.5962.1.3.10.3.1166562673.14401";
    EXPECT_THROWS(InputError, load_dicom(folder, {.series = twice}), "several times");
  }

  void badSeriesAreRefusedInPlainWords() {
    NEED_DATA("ct_bad_series");
    EXPECT_THROWS(InputError, load_dicom(data_path("ct_bad_series/missing_slice")),
                  "a slice is missing: a gap of 10 mm between IM-0001-0009-0001.dcm at 28.1075 mm "
                  "and IM-0001-0010-0001.dcm at 38.1075 mm, elsewhere 5 mm");
    EXPECT_THROWS(InputError, load_dicom(data_path("ct_dicomdir_small/98892001_CT2N")),
                  "holds localisers (scout views) only");
    EXPECT_THROWS(InputError, load_dicom(data_path("ct_dicomdir_small/77654033_CT2")),
                  "161 slices are missing: a gap of 202.5 mm between 17106 at -99.48 mm");
    EXPECT_THROWS(InputError, load_dicom(data_path("ct_odd_single/CT-MONO2-16-ankle")),
                  "PixelSpacing (0028,0030) is missing");
    EXPECT_THROWS(InputError, load_dicom(data_path("ct_odd_single/no-pixel-spacing.dcm")),
                  "its modality is US, not CT");
    EXPECT_THROWS(InputError, load_dicom(data_path("ct_odd_single/PROVENANCE.md")),
                  "is not a DICOM file");
    EXPECT_THROWS(InputError, load_dicom(data_path("scans")), "no DICOM images among its");
  }

  void paddingBecomesAir() {
    NEED_DATA("ct_odd_single");
    // Written as 63536 in an unsigned attribute, meant as -2000.
    const LoadedVolume v = load_dicom(
        data_path("ct_odd_single/GH177_D_CLUNIE_CT1_IVRLE_BigEndian_ELE_undefinded_length.dcm"));
    EXPECT_NEAR(hu_at(v, 0, 0, 0), -1000, 1e-3);
    QVERIFY(has_note(v, "voxels outside the scan field (PixelPaddingValue) are set to air"));
    // Without that attribute the values stay as they are, with a word.
    const LoadedVolume j = load_dicom(data_path("ct_odd_single/J2K_pixelrep_mismatch.dcm"));
    EXPECT_NEAR(hu_at(j, 0, 0, 0), -2000, 1e-2);
    QVERIFY(has_note(j, "values reach down to -2000 HU"));
  }

  void theChosenFileWinsOverItsRivals() {
    NEED_DATA("ct_transfer_syntaxes_ge");
    const std::string folder = data_path("ct_transfer_syntaxes_ge");
    EXPECT_THROWS(InputError, load_dicom(folder), "two images lie at the same position");
    const LoadedVolume v =
        load_dicom(folder + "/CTImage.dcm_JPEGProcess1TransferSyntax_1.2.840.10008.1.2.4.50.dcm");
    QCOMPARE(v.grid.nz, 1);
    EXPECT_NEAR(v.grid.spacing_mm.z, 5, 0);  // slice thickness
    QVERIFY(has_note(v, "other images at the position of the chosen one are left out"));
    // 8-bit values of slope 32.1216: only then is this the file that was asked for.
    const double hu = hu_at(v, 256, 256, 0);
    EXPECT_NEAR(std::remainder(hu + 4047, 32.1216), 0, 0.01);
  }

  void studyIsKept() {
    NEED_DATA("ct_philips_phantom_axial");
    const LoadedVolume v = load_dicom(data_path("ct_philips_phantom_axial"));
    const auto& a = v.study->attributes;
    QCOMPARE(a.at("PatientID"), std::string("PLASTIC"));
    QCOMPARE(a.at("PatientPosition"), std::string("HFS"));
    QVERIFY(a.contains("StudyInstanceUID") && a.contains("FrameOfReferenceUID"));
    QCOMPARE(v.study->sop_class_uid, std::string("1.2.840.10008.5.1.4.1.1.2"));
    QCOMPARE(v.study->instance_uids.size(), std::size_t{28});
  }

  void progressIsToldAndMayInterrupt() {
    NEED_DATA("ct_dicomdir_small");
    const std::string folder = data_path("ct_dicomdir_small/98892001_CT5N");
    std::vector<int> done;
    load_dicom(folder, {.progress = [&](int i, int n) { done.push_back(10 * i + n); }});
    QCOMPARE(done, (std::vector<int>{15, 25, 35, 45, 55}));
    struct Stop {};
    bool stopped = false;
    try {
      load_dicom(folder, {.progress = [](int, int) { throw Stop{}; }});
    } catch (const Stop&) {
      stopped = true;
    }
    QVERIFY(stopped);
  }

  void waterMustBePositive() {
    DicomSeriesInfo series;
    series.files = {"x"};
    EXPECT_THROWS(UsageError, load_dicom_series(series, {.mu_water = 0}), "must be positive");
    EXPECT_THROWS(UsageError, load_dicom_series(series, {.mu_water = std::nan("")}), "positive");
  }
};

GANTRY_TEST(TestDicomSeries)
#include "test_dicom_series.moc"
