// Written series: read back by ourselves, by pydicom, and judged by dciodvfy.
#include "core/base/error.hpp"
#include "core/io/dicom/file/dicom_uid.hpp"
#include "core/io/dicom/series/dicom_series.hpp"
#include "core/io/dicom/writer/dicom_writer.hpp"
#include "tests/core/io/dicom/dciodvfy.hpp"
#include "tests/support/data.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/loaded.hpp"
#include "tests/support/python.hpp"
#include "tests/support/run_program.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/tiny_dicom.hpp"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>

#include <cmath>
#include <csignal>
#include <fstream>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Values from `low` to `high` HU, none alike, the ends included.
std::vector<float> ramp(const VolumeGrid& grid, double low_hu, double high_hu) {
  std::vector<float> mu(grid.voxels());
  for (std::size_t i = 0; i < mu.size(); ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(mu.size() - 1);
    mu[i] = static_cast<float>(mu_from_hu(low_hu + t * (high_hu - low_hu), default_mu_water));
  }
  return mu;
}

double worst_difference_hu(std::span<const float> a, std::span<const float> b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(
        worst, std::abs(hu_from_mu(a[i], default_mu_water) - hu_from_mu(b[i], default_mu_water)));
  return worst;
}

/// Tilted by 20 degrees about x, slices stacked along the table (patient z).
PatientFrame tilted_frame() {
  const double c = std::cos(0.35), s = std::sin(0.35);
  return {{12.5, -7.25, 803.0625}, {1, 0, 0}, {0, c, -s}, {0, 0, 1 / c}};
}

}  // namespace

class TestDicomWriter : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  QString path(const QString& name) const { return folder_->filePath(name); }
  std::string target() const { return path("series").toStdString(); }
  QStringList left() const {
    return QDir(folder_->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }

  const VolumeGrid small_grid_ = VolumeGrid::centered(7, 5, 3, {0.6, 0.8, 1.3});
  const std::vector<float> small_mu_ = ramp(small_grid_, -1000, 3000);
  DicomWriteRequest small_request() const {
    DicomWriteRequest request;
    request.grid = small_grid_;
    request.mu = small_mu_;
    request.series_description = "SIRT 20";
    request.derivation_description = "SIRT, 20 iterations, relaxation 1.5";
    request.software_version = "0.1.0";
    request.derivation_code = iterative_reconstruction;
    return request;
  }

  void check_with_dciodvfy(const std::string& folder) const {
    if (!has_dciodvfy()) QSKIP("dciodvfy is not installed");
    const QByteArray errors = dciodvfy_errors(QString::fromStdString(folder));
    QVERIFY2(errors.isEmpty(), errors.constData());
  }

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }
  void cleanup() { folder_.reset(); }

  void huComeBackWithinHalfAStep_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<double>("tolerance_hu");
    QTest::newRow("usual") << -1000.0 << 3000.0 << 0.5;
    QTest::newRow("lowest to highest at slope 1") << -33792.0 << 31743.0 << 0.5;
    QTest::newRow("narrow but high") << 40000.0 << 40500.0 << 500.0 / 65000 / 2;
    QTest::newRow("wide and high") << -1000.0 << 60000.0 << 61000.0 / 65000 / 2;
    QTest::newRow("metal") << -1000.0 << 500000.0 << 501000.0 / 65000 / 2;
  }
  void huComeBackWithinHalfAStep() {
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(double, tolerance_hu);
    const VolumeGrid grid = VolumeGrid::centered(33, 21, 3, {0.5, 0.5, 1});
    const std::vector<float> mu = ramp(grid, low, high);
    DicomWriteRequest request = small_request();
    request.grid = grid;
    request.mu = mu;
    write_dicom_series(target(), request);
    const LoadedVolume v = load_dicom(target());
    QCOMPARE(v.grid, grid);
    const double float_step = 1e-7 * (std::abs(low) + std::abs(high));
    const double worst = worst_difference_hu(v.mu, mu);
    QVERIFY2(worst <= 1.001 * tolerance_hu + float_step,
             qPrintable(QString("off by %1 HU").arg(worst)));
  }

  void wholeHuComeBackExactly() {
    DicomWriteRequest request = small_request();
    std::vector<float> mu(small_grid_.voxels());
    for (std::size_t i = 0; i < mu.size(); ++i)
      mu[i] = static_cast<float>(mu_from_hu(-1024.0 + 31.0 * static_cast<double>(i), 0.02));
    request.mu = mu;
    write_dicom_series(target(), request);
    QVERIFY(load_dicom(target()).mu == mu);
  }

  void aConstantVolumeIsKept() {
    DicomWriteRequest request = small_request();
    for (const double hu : {0.25, 1e6}) {
      const std::vector<float> mu(small_grid_.voxels(), static_cast<float>(mu_from_hu(hu, 0.02)));
      request.mu = mu;
      request.overwrite = true;
      write_dicom_series(target(), request);
      QVERIFY(worst_difference_hu(load_dicom(target()).mu, mu) <= 0.5);
    }
  }

  void geometryComesBack_data() {
    QTest::addColumn<bool>("tilted");
    QTest::newRow("world as patient") << false;
    QTest::newRow("tilted") << true;
  }
  void geometryComesBack() {
    QFETCH(bool, tilted);
    DicomWriteRequest request = small_request();
    VolumeGrid grid = small_grid_;
    grid.origin_mm = {10, -20, 30};  // not centred: the frame takes it up
    request.grid = grid;
    if (tilted) request.frame = tilted_frame();
    write_dicom_series(target(), request);
    const LoadedVolume v = load_dicom(target());
    EXPECT_NEAR(v.grid.spacing_mm.x, 0.6, 1e-12);
    EXPECT_NEAR(v.grid.spacing_mm.y, 0.8, 1e-12);
    EXPECT_NEAR(v.grid.spacing_mm.z, 1.3, 1e-9);
    const PatientFrame frame = request.frame.value_or(PatientFrame{});
    for (const auto& [ix, iy, iz] :
         {std::array{0, 0, 0}, {6, 0, 0}, {0, 4, 0}, {0, 0, 2}, {6, 4, 2}}) {
      const Vec3 written = frame.to_patient(grid.voxel_center_mm(ix, iy, iz));
      const Vec3 read = v.frame->to_patient(v.grid.voxel_center_mm(ix, iy, iz));
      EXPECT_NEAR(norm(written - read), 0, 1e-9);
    }
    QCOMPARE(has_note(v, "gantry tilt"), tilted);
  }

  void dciodvfyFindsNoError_data() {
    QTest::addColumn<QString>("source");
    QTest::newRow("phantom") << "";
    QTest::newRow("frame only") << "frame";
    const char* lossy =
        "ct_transfer_syntaxes_ge/CTImage.dcm_JPEG2000TransferSyntax_1.2.840.10008.1.2.4.91.dcm";
    for (const char* source :
         {"ct_dicomdir_small/98892001_CT5N", "ct_philips_phantom_tilt/tilt_pos",
          "ct_odd_single/693_UNCI.dcm", "ct_odd_single/J2K_pixelrep_mismatch.dcm",
          "ct_odd_single/CT_small.dcm", "ct_odd_single/CT-JPEGLosslessSV1.dcm",
          "ct_odd_single/D_CLUNIE_CT1_RLE_FRAGS.dcm", "ct_bad_series/tilt_without_tag",
          "ct_enhanced_multiframe/eCT_Supplemental.dcm",
          "ct_enhanced_multiframe/legacy_converted_24x38x3/mf.dcm", lossy})
      QTest::newRow(source) << QString::fromLatin1(source);
  }
  void dciodvfyFindsNoError() {
    QFETCH(QString, source);
    DicomWriteRequest request = small_request();
    LoadedVolume v;
    if (source == "frame") request.frame = tilted_frame();
    if (source.contains('/')) {
      NEED_DATA(source.toStdString());
      v = load_dicom(data_path(source.toStdString()));
      request.grid = v.grid;
      request.mu = v.mu;
      request.frame = v.frame;
      request.study = v.study;
    }
    write_dicom_series(target(), request);
    check_with_dciodvfy(target());
  }

  void impossibleStudyValuesAreMadeToFit() {
    // What archives really hold: dotted dates, overlong and multi-line text, made-up codes.
    auto study = std::make_shared<DicomStudy>();
    study->attributes = {{"PatientName", "M\xc3\xbcller^J\xc3\xb6rg\\Other"},
                         {"PatientID", std::string(80, 'x')},
                         {"PatientSex", "MALE"},
                         {"PatientBirthDate", "1950.07.04"},
                         {"StudyDate", "yesterday"},
                         {"StudyTime", "11:27:24"},
                         {"PatientAge", "very old"},
                         {"PatientPosition", "UPSIDE DOWN"},
                         {"StudyID", "a number that is far too long"},
                         {"StudyDescription", "two\nlines\tand a \\ stroke"},
                         {"KVP", "about 120"},
                         {"StudyInstanceUID", "1.02.3"},
                         {"PatientIdentityRemoved", "YES"},
                         {"LossyImageCompression", "01"}};
    study->sop_class_uid = "1.2.840.10008.5.1.4.1.1.2";
    study->instance_uids = {"not a uid", "1.2.3", "1.2.4", "1.2.5"};
    DicomWriteRequest request = small_request();
    request.study = study;
    request.series_description = std::string(100, 'd') + "\\";
    write_dicom_series(target(), request);
    const auto read = load_dicom(target());
    QCOMPARE(read.study->attributes.at("PatientName"),
             std::string("M\xc3\xbcller^J\xc3\xb6rg/Other"));
    QCOMPARE(read.study->attributes.at("PatientBirthDate"), std::string("19500704"));
    QCOMPARE(read.study->attributes.at("StudyTime"), std::string("112724"));
    QVERIFY(is_dicom_uid(read.study->attributes.at("StudyInstanceUID")));
    QVERIFY(!read.study->attributes.contains("PatientSex"));
    QVERIFY(!read.study->attributes.contains("KVP"));
    QVERIFY(has_note(read, "compressed with loss"));
    check_with_dciodvfy(target());
  }

  void pydicomReadsTheSame() {
    const QString python = python_with("pydicom");
    if (python.isEmpty()) QSKIP("no Python with pydicom");
    NEED_DATA("ct_philips_phantom_tilt");
    const LoadedVolume v = load_dicom(data_path("ct_philips_phantom_tilt/tilt_neg"));
    DicomWriteRequest request = small_request();
    request.grid = v.grid;
    request.mu = v.mu;
    request.frame = v.frame;
    request.study = v.study;
    write_dicom_series(target(), request);
    const RunResult result = run_program(python, {GANTRY_SOURCE_DIR "/tests/oracles/read_dicom.py",
                                                  QString::fromStdString(target()), path("hu")});
    QVERIFY2(result.exit_code == 0, result.errors.constData());
    const QJsonObject read = QJsonDocument::fromJson(result.output).object();
    QFile file(path("hu"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    std::vector<double> hu(v.mu.size());
    QCOMPARE(file.read(reinterpret_cast<char*>(hu.data()), file.size()),
             static_cast<qint64>(8 * hu.size()));
    for (std::size_t i = 0; i < hu.size(); ++i)
      EXPECT_NEAR(hu[i], hu_from_mu(v.mu[i], v.mu_water), 0.5);
    check_geometry(read, v);
    const QJsonObject text = read["text"].toObject();
    QCOMPARE(text["PatientID"].toString(), QString("PLASTIC"));
    QCOMPARE(text["StudyInstanceUID"].toString().toStdString(),
             v.study->attributes.at("StudyInstanceUID"));
    QCOMPARE(text["FrameOfReferenceUID"].toString().toStdString(),
             v.study->attributes.at("FrameOfReferenceUID"));
    QVERIFY(text["SeriesInstanceUID"].toString().toStdString() !=
            v.study->attributes.at("SeriesInstanceUID"));
    QCOMPARE(text["SeriesDescription"].toString(), QString("SIRT 20"));
    QCOMPARE(text["DerivationDescription"].toString(),
             QString("SIRT, 20 iterations, relaxation 1.5"));
    QCOMPARE(text["Manufacturer"].toString(), QString("Gantry"));
    QCOMPARE(text["SoftwareVersions"].toString(), QString("0.1.0"));
    QCOMPARE(text["KVP"].toString(), QString("120"));
    QCOMPARE(text["SOPClassUID"].toString(), QString("1.2.840.10008.5.1.4.1.1.2"));
    QCOMPARE(read["image_type"].toArray()[0].toString(), QString("DERIVED"));
    QCOMPARE(read["transfer_syntax"].toString(), QString("1.2.840.10008.1.2.1"));
    QCOMPARE(read["slope"].toDouble(), 1.0);
    QCOMPARE(read["intercept"].toDouble(), -1024.0);
    QCOMPARE(read["series"].toArray().size(), 1);
  }

  /// What an archive sorts and shows by, as pydicom reads it.
  void whatArchivesNeedIsKept() {
    const QString python = python_with("pydicom");
    if (python.isEmpty()) QSKIP("no Python with pydicom");
    auto study = std::make_shared<DicomStudy>();
    study->attributes = {{"PatientID", "7"},
                         {"StudyInstanceUID", "1.2.3"},
                         {"SeriesNumber", "4"},
                         {"ConvolutionKernel", "B\\30f"},
                         {"XRayTubeCurrent", "213"}};
    study->series_numbers = {4, 1004, 1005};
    DicomWriteRequest request = small_request();
    request.study = study;
    request.slice_thickness_mm = 2.5;
    const auto read = [&] {
      request.overwrite = true;
      write_dicom_series(target(), request);
      const RunResult result =
          run_program(python, {GANTRY_SOURCE_DIR "/tests/oracles/read_dicom.py",
                               QString::fromStdString(target()), path("hu")});
      return QJsonDocument::fromJson(result.output).object();
    };
    QJsonObject all = read(), text = all["text"].toObject();
    QCOMPARE(text["SeriesNumber"].toString(), QString("1006"));
    QCOMPARE(text["SliceThickness"].toString(), QString("2.5"));
    QCOMPARE(text["ConvolutionKernel"].toString(), QString("['B', '30f']"));
    QCOMPARE(text["XRayTubeCurrent"].toString(), QString("213"));
    QCOMPARE(all["derivation_codes"].toArray(),
             QJsonArray{QJsonValue(QJsonArray{"113963", "DCM", "Iterative Reconstruction"})});
    check_with_dciodvfy(target());
    request.series_number = 77;
    request.slice_thickness_mm = 0;
    text = read()["text"].toObject();
    QCOMPARE(text["SeriesNumber"].toString(), QString("77"));
    QCOMPARE(text["SliceThickness"].toString(), QString("1.3"));  // as far as the slices lie apart
  }

  /// A patient's images are their owner's alone; those of a phantom are files like any other.
  void imagesOfAPatientAreThePatientsAlone() {
    DicomWriteRequest request = small_request();
    const mode_t before = umask(022);
    write_dicom_series(target(), request);
    const auto usual = QFile::permissions(path("series/slice_0001.dcm"));
    request.study = std::make_shared<DicomStudy>();
    request.overwrite = true;
    write_dicom_series(target(), request);
    umask(before);
    constexpr auto others = QFile::ReadGroup | QFile::ReadOther;
    QVERIFY((usual & others) == others);
    for (const QString& name : {QString("series"), QString("series/slice_0001.dcm")})
      QVERIFY2(!(QFile::permissions(path(name)) & (others | QFile::ExeGroup | QFile::ExeOther)),
               qPrintable(name));
  }

  void existingFoldersAreRespected() {
    const DicomWriteRequest request = small_request();
    QVERIFY(QDir(folder_->path()).mkdir("series"));
    write_dicom_series(target(), request);  // an empty folder will do
    const std::string first = list_dicom_series(target()).front().series_uid;
    EXPECT_THROWS(OutputError, write_dicom_series(target(), request), "the folder is not empty");
    DicomWriteRequest again = request;
    again.overwrite = true;
    write_dicom_series(target() + "/", again);
    const auto list = list_dicom_series(target());
    QCOMPARE(list.size(), std::size_t{1});
    QCOMPARE(list[0].images, 3);
    QVERIFY(list[0].series_uid != first);
    TinyDicom().save(path("series/mine.dcm"));
    EXPECT_THROWS(OutputError, write_dicom_series(target(), again),
                  "the folder holds more than a series written by Gantry (mine.dcm)");
    QCOMPARE(QDir(path("series")).entryList(QDir::Files).size(), 4);
    QCOMPARE(left(), QStringList{"series"});
  }

  void whatCannotBeWrittenLeavesNothing() {
    const DicomWriteRequest request = small_request();
    EXPECT_THROWS(OutputError, write_dicom_series(path("no/such").toStdString(), request),
                  "there is no folder to put it in");
    std::ofstream(path("file").toStdString()) << "x";
    EXPECT_THROWS(OutputError, write_dicom_series(path("file").toStdString(), request),
                  "is not a folder");
    EXPECT_THROWS(OutputError, write_dicom_series(path("file/below").toStdString(), request),
                  "file/below");
    EXPECT_THROWS(OutputError, write_dicom_series("/proc/series", request), "/proc/series");
    EXPECT_THROWS(OutputError, write_dicom_series("/dev/full", request), "is not a folder");
    EXPECT_THROWS(OutputError, write_dicom_series("/", request), "");
    QCOMPARE(left(), QStringList{"file"});
  }

  void aFullDiskLeavesNothing() {
    // A limit on the size of files fails the write as a full disk does, part of the way through.
    DicomWriteRequest request = small_request();
    const VolumeGrid grid = VolumeGrid::centered(256, 256, 2, {1, 1, 1});
    const std::vector<float> mu(grid.voxels(), 0.02F);
    request.grid = grid;
    request.mu = mu;
    rlimit old{};
    getrlimit(RLIMIT_FSIZE, &old);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{100000, old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tight);
    std::string message;
    try {
      write_dicom_series(target(), request);
    } catch (const OutputError& error) {
      message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    QVERIFY2(
        message.find("slice_0001.dcm: cannot be written (File too large); allow larger files") !=
            std::string::npos,
        message.c_str());
    QCOMPARE(left(), QStringList());
  }

  void aFailureOnTheWayKeepsTheOldSeries() {
    DicomWriteRequest request = small_request();
    write_dicom_series(target(), request);
    const std::string first = list_dicom_series(target()).front().series_uid;
    request.overwrite = true;
    request.progress = [](int done, int) {
      if (done == 2) throw std::runtime_error("enough");
    };
    bool stopped = false;
    try {
      write_dicom_series(target(), request);
    } catch (const std::runtime_error&) {
      stopped = true;
    }
    QVERIFY(stopped);
    QCOMPARE(list_dicom_series(target()).front().series_uid, first);
    QCOMPARE(left(), QStringList{"series"});
  }

  void valuesAndFramesAreChecked() {
    DicomWriteRequest request = small_request();
    std::vector<float> mu = small_mu_;
    mu[small_grid_.index(4, 3, 2)] = std::nanf("");
    request.mu = mu;
    EXPECT_THROWS(OutputError, write_dicom_series(target(), request),
                  "voxel (4, 3, 2) is not a finite number");
    mu[small_grid_.index(4, 3, 2)] = -INFINITY;
    EXPECT_THROWS(OutputError, write_dicom_series(target(), request), "voxel (4, 3, 2)");
    request.mu = std::span(mu).first(5);
    EXPECT_THROWS(ShapeError, write_dicom_series(target(), request), "5 values for 105 voxels");
    request = small_request();
    request.mu_water = 0;
    EXPECT_THROWS(UsageError, write_dicom_series(target(), request), "mu_water");
    request.mu_water = 0.02;
    request.frame = PatientFrame{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    EXPECT_THROWS(UsageError, write_dicom_series(target(), request), "patient frame");
    request.frame = PatientFrame{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2}};
    EXPECT_THROWS(UsageError, write_dicom_series(target(), request), "patient frame");
    QCOMPARE(left(), QStringList());
  }

  void uidsAreNewAndValid() {
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
      const std::string uid = new_dicom_uid();
      QVERIFY2(is_dicom_uid(uid), uid.c_str());
      QVERIFY(uid.starts_with("2.25.") && seen.insert(uid).second);
    }
    for (const char* bad : {"", ".", "1.", "1..2", "1.02", "1.a", "01.2"})
      QVERIFY2(!is_dicom_uid(bad), bad);
    QVERIFY(!is_dicom_uid(std::string(65, '1')));
    QVERIFY(is_dicom_uid("1.2.840.10008.1.2") && is_dicom_uid("0"));
  }

 private:
  static void check_geometry(const QJsonObject& read, const LoadedVolume& v) {
    const QJsonArray positions = read["positions"].toArray();
    QCOMPARE(positions.size(), v.grid.nz);
    for (int iz = 0; iz < v.grid.nz; ++iz) {
      const QJsonArray p = positions[iz].toArray();
      const Vec3 expected = v.frame->to_patient(v.grid.voxel_center_mm(0, 0, iz));
      const Vec3 position{p[0].toDouble(), p[1].toDouble(), p[2].toDouble()};
      EXPECT_NEAR(norm(position - expected), 0, 1e-9);
      QCOMPARE(read["sources"].toArray()[iz].toArray()[0].toString().toStdString(),
               v.study->instance_uids[static_cast<std::size_t>(iz)]);
      QCOMPARE(read["instance_numbers"].toArray()[iz].toInt(), iz + 1);
    }
    const QJsonArray spacing = read["pixel_spacing"].toArray();
    EXPECT_NEAR(spacing[0].toDouble(), v.grid.spacing_mm.y, 0);
    EXPECT_NEAR(spacing[1].toDouble(), v.grid.spacing_mm.x, 0);
    EXPECT_NEAR(read["slice_spacing"].toDouble(), v.grid.spacing_mm.z, 1e-12);
    const QJsonArray o = read["orientation"].toArray();
    EXPECT_NEAR(norm(Vec3{o[3].toDouble(), o[4].toDouble(), o[5].toDouble()} - v.frame->y_axis), 0,
                1e-12);
  }
};

GANTRY_TEST(TestDicomWriter)
#include "test_dicom_writer.moc"
