// TIFF stacks: what is written is read by libtiff, and what other programs write is read with its
// distances; what is no stack of grey values is refused with a line.
#include "core/base/error.hpp"
#include "core/io/volumes/tiff_format.hpp"
#include "core/io/volumes/volume_file.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <span>
#include <tiffio.h>
#include <utility>

using namespace gantry;
using namespace gantry::test;

class TestTiff : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string path(const char* name) const {
    return folder_.filePath(QLatin1String(name)).toStdString();
  }
  /// Of 5 x 3 x 2 voxels whose values say where they are.
  static VolumeGrid grid() {
    VolumeGrid grid = VolumeGrid::centered(5, 3, 2, {0.5, 0.75, 2.125});
    grid.origin_mm = {-1.25, 7, 3};
    return grid;
  }
  static std::vector<float> values() {
    std::vector<float> mu;
    for (std::size_t i = 0; i < grid().voxels(); ++i) mu.push_back(0.001F * static_cast<float>(i));
    return mu;
  }
  /// Writes pages of 4 x 2 pixels as another program would.
  template <class Number>
  void foreign(const char* name, int pages, std::uint16_t type, std::uint16_t colours,
               const char* description, float resolution, std::uint16_t unit) const {
    TIFF* tiff = TIFFOpen(path(name).c_str(), "w");
    for (int page = 0; page < pages; ++page) {
      TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 4);
      TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 2);
      TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8 * sizeof(Number));
      TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, type);
      TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, colours);
      TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
      TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                   colours == 1 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
      TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
      if (resolution > 0) {
        TIFFSetField(tiff, TIFFTAG_XRESOLUTION, resolution);
        TIFFSetField(tiff, TIFFTAG_YRESOLUTION, resolution);
        TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, unit);
      }
      if (description != nullptr) TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description);
      for (int row = 0; row < 2; ++row) {
        std::vector<Number> line;
        for (int i = 0; i < 4 * colours; ++i)
          line.push_back(static_cast<Number>(100 * page + 10 * row + i));
        TIFFWriteScanline(tiff, line.data(), static_cast<std::uint32_t>(row));
      }
      TIFFWriteDirectory(tiff);
    }
    TIFFClose(tiff);
  }

 private slots:
  void whatIsWrittenIsRead_data() {
    QTest::addColumn<bool>("big");
    QTest::newRow("up to 4 GB") << false;
    QTest::newRow("BigTIFF") << true;
  }
  void whatIsWrittenIsRead() {
    QFETCH(bool, big);
    const std::vector<float> mu = values();
    VolumeToWrite volume;
    volume.grid = grid();
    volume.mu = mu;
    write_tiff(path("own.tif"), volume, big);
    QFile file(QString::fromStdString(path("own.tif")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.read(4) == QByteArray(big ? "II+\0" : "II*\0", 4));
    const LoadedVolume read = load_volume(path("own.tif"));
    QVERIFY(read.grid == volume.grid);
    QVERIFY(read.mu == mu);
    QVERIFY2(read.notes.empty(), read.notes.empty() ? "" : read.notes.front().c_str());
    // as a program that knows nothing of Gantry sees it
    TIFF* tiff = TIFFOpen(path("own.tif").c_str(), "r");
    QVERIFY(tiff != nullptr);
    QCOMPARE(static_cast<int>(TIFFNumberOfDirectories(tiff)), 2);
    float x = 0, y = 0;
    QVERIFY(TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) == 1 &&
            TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) == 1);
    EXPECT_NEAR(x, 1 / 0.5, 1e-6);
    EXPECT_NEAR(y, 1 / 0.75, 1e-6);
    const char* text = nullptr;
    QVERIFY(TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) == 1);
    QVERIFY2(QString::fromUtf8(text).contains(QStringLiteral("unit=mm\nspacing=2.125\n")), text);
    TIFFClose(tiff);
  }

  /// The slices of a folder follow each other by the numbers in their names.
  void aFolderOfSlicesIsAVolume() {
    QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("slices")));
    const std::vector<float> mu = values();
    VolumeGrid flat = grid();
    flat.nz = 1;
    const auto cells = static_cast<std::size_t>(flat.nx * flat.ny);
    for (const auto& [name, slice] : {std::pair("slices/s_10.tif", 1), {"slices/s_9.tif", 0}}) {
      VolumeToWrite volume;
      volume.grid = flat;
      volume.mu = std::span(mu).subspan(static_cast<std::size_t>(slice) * cells, cells);
      write_volume(path(name), volume);
    }
    const LoadedVolume read = load_volume(path("slices"));
    QVERIFY(read.mu == mu);
    QCOMPARE(read.grid.nz, 2);
    QCOMPARE(read.grid.spacing_mm.z, flat.spacing_mm.z);
    QVERIFY(identify_file(path("slices")) == FileKind::projections);  // unless it is converted
    QVERIFY(QFile::rename(QString::fromStdString(path("slices/s_10.tif")),
                          QString::fromStdString(path("slices/s_11.tif"))));
    const LoadedVolume gap = load_volume(path("slices"));
    QCOMPARE(gap.notes.at(0), std::string("frame 10 is missing between s_9.tif and s_11.tif"));
  }

  void anotherSizeOfPixelsIsNoted() {
    QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("uneven")));
    TiffLayout layout;
    layout.across = layout.along = 20;
    layout.unit = RESUNIT_CENTIMETER;
    for (int slice = 0; slice < 3; ++slice)
      write_pages(path("uneven/s_") + std::to_string(slice) + ".tif", {Page(8)}, 4, layout);
    const auto notes = [&] {
      std::string all;
      for (const std::string& note : load_volume(path("uneven")).notes) all += note + "\n";
      return all;
    };
    QVERIFY2(notes().find("another size") == std::string::npos, notes().c_str());
    layout.across = layout.along = 25;
    write_pages(path("uneven/s_1.tif"), {Page(8)}, 4, layout);
    QVERIFY2(notes().find("s_1.tif states another size of pixels than s_0.tif, which was taken "
                          "for all slices\n") != std::string::npos,
             notes().c_str());
  }

  void wholeNumbersHaveOneScale_data() {
    QTest::addColumn<bool>("is_hu");
    QTest::newRow("1/mm") << false;
    QTest::newRow("HU") << true;
  }
  /// The least value of all slices is 0, the greatest 65535, and the line between them is stated.
  void wholeNumbersHaveOneScale() {
    QFETCH(const bool, is_hu);
    const std::vector<float> mu = values();
    VolumeToWrite volume;
    volume.grid = grid();
    volume.mu = mu;
    volume.as_hu = is_hu;
    volume.params.set("bits", std::string("16"));
    write_volume(path("own.tif"), volume);
    const LoadedVolume read = load_volume(path("own.tif"));
    QVERIFY(read.grid == volume.grid);
    const auto [least, greatest] = std::ranges::minmax(mu);
    const double half_step = 0.5 * (greatest - least) / 65535;
    for (std::size_t i = 0; i < mu.size(); ++i)
      EXPECT_NEAR(read.mu[i], mu[i], 1.01 * half_step + 1e-6 * std::abs(mu[i]));
    TIFF* tiff = TIFFOpen(path("own.tif").c_str(), "r");
    QVERIFY(tiff != nullptr);
    std::uint16_t bits = 0, format = 0;
    QVERIFY(TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &bits) == 1 && bits == 16);
    QVERIFY(TIFFGetField(tiff, TIFFTAG_SAMPLEFORMAT, &format) == 1 && format == SAMPLEFORMAT_UINT);
    std::vector<std::uint16_t> numbers;
    do {
      std::vector<std::uint16_t> line(static_cast<std::size_t>(grid().nx));
      for (int row = 0; row < grid().ny; ++row) {
        TIFFReadScanline(tiff, line.data(), static_cast<std::uint32_t>(row));
        numbers.insert(numbers.end(), line.begin(), line.end());
      }
    } while (TIFFReadDirectory(tiff) == 1);
    TIFFClose(tiff);
    QCOMPARE(numbers.size(), mu.size());
    QCOMPARE(static_cast<int>(std::ranges::min(numbers)), 0);
    QCOMPARE(static_cast<int>(std::ranges::max(numbers)), 65535);
    volume.params.set("bits", std::string("8"));
    EXPECT_THROWS(UsageError, write_volume(path("own.tif"), volume), "bits");
    volume.params.set("bits", std::string("16"));
    EXPECT_THROWS(UsageError, write_volume(path("own.nrrd"), volume), "bits");
  }

  void hounsfieldUnitsComeBack() {
    const std::vector<float> mu = values();
    VolumeToWrite volume;
    volume.grid = grid();
    volume.mu = mu;
    volume.as_hu = true;
    volume.mu_water = 0.0195;
    write_volume(path("hu.tiff"), volume);
    const LoadedVolume read = load_volume(path("hu.tiff"));
    QVERIFY(read.from_hu);
    for (std::size_t i = 0; i < mu.size(); ++i) EXPECT_NEAR(read.mu[i], mu[i], 1e-8);
  }

  void stacksOfOtherProgramsAreRead() {
    foreign<std::uint16_t>("imagej.tif", 3, SAMPLEFORMAT_UINT, 1,
                           "ImageJ=1.53t\nimages=3\nslices=3\nunit=cm\nspacing=0.2\n", 40,
                           RESUNIT_NONE);
    const LoadedVolume read = load_volume(path("imagej.tif"));
    QCOMPARE(read.grid.nx, 4);
    QCOMPARE(read.grid.ny, 2);
    QCOMPARE(read.grid.nz, 3);
    EXPECT_NEAR(read.grid.spacing_mm.x, 0.25, 1e-6);
    EXPECT_NEAR(read.grid.spacing_mm.z, 2, 1e-6);
    QCOMPARE(read.mu[2 * 8 + 4 + 3], 213.0F);
    foreign<double>("plain.tif", 2, SAMPLEFORMAT_IEEEFP, 1, nullptr, 0, RESUNIT_NONE);
    const LoadedVolume plain = load_volume(path("plain.tif"));
    QCOMPARE(plain.grid.spacing_mm.x, 1.0);
    QCOMPARE(plain.notes.size(), std::size_t{2});  // neither pixels nor slices have a size
    QVERIFY(plain.notes.front().find("taken as 1 mm") != std::string::npos);
    QCOMPARE(plain.mu.back(), 113.0F);
  }

  /// Of ImageJ's unit and spacing, the resolution and its unit, each file lacks something.
  void sizesOfImageJ_data() {
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<float>("resolution");
    QTest::addColumn<int>("unit");
    QTest::addColumn<double>("pixel_mm");
    QTest::addColumn<double>("slice_mm");
    QTest::addColumn<QString>("note");
    const QByteArray both = "unit=micron\nspacing=0.7\n";
    const QString pixels = QStringLiteral("the file states no size of pixels: they were taken as ");
    QTest::newRow("no resolution") << both << 0.0F << RESUNIT_NONE << 7e-4 << 7e-4
                                   << pixels + "the distance of slices, 7e-04 mm";
    QTest::newRow("no resolution, mm") << QByteArray("unit=mm\nspacing=2\n") << 0.0F << RESUNIT_NONE
                                       << 2.0 << 2.0 << pixels + "the distance of slices, 2 mm";
    QTest::newRow("many digits") << QByteArray("unit=mm\nspacing=0.123456789\n") << 0.0F
                                 << RESUNIT_NONE << 0.123456789 << 0.123456789
                                 << pixels + "the distance of slices, 0.123457 mm";
    QTest::newRow("all") << both << 2000.0F << RESUNIT_NONE << 5e-7 << 7e-4 << QString();
    QTest::newRow("inches by default") << both << 2.0F << RESUNIT_INCH << 5e-4 << 7e-4 << QString();
    QTest::newRow("centimetres") << both << 20000.0F << RESUNIT_CENTIMETER << 5e-4 << 7e-4
                                 << QString();
    QTest::newRow("no unit") << QByteArray("spacing=0.7\n") << 0.0F << RESUNIT_NONE << 1.0 << 1.0
                             << pixels + "1 mm";
    const QString slices =
        QStringLiteral("the file states no distance of slices: it was taken as ");
    QTest::newRow("inches alone") << QByteArray() << 254.0F << RESUNIT_INCH << 0.1 << 0.1
                                  << slices + "0.1 mm";
    QTest::newRow("pixels as unit")
        << QByteArray("unit=pixel\n") << 72.0F << RESUNIT_INCH << 1.0 << 1.0 << pixels + "1 mm";
  }
  void sizesOfImageJ() {
    QFETCH(const QByteArray, lines);
    QFETCH(const float, resolution);
    QFETCH(const int, unit);
    QFETCH(const double, pixel_mm);
    QFETCH(const double, slice_mm);
    QFETCH(const QString, note);
    foreign<std::uint16_t>("sizes.tif", 2, SAMPLEFORMAT_UINT, 1,
                           "ImageJ=1.53t\nimages=2\nslices=2\n" + lines, resolution,
                           static_cast<std::uint16_t>(unit));
    const LoadedVolume read = load_volume(path("sizes.tif"));
    EXPECT_NEAR(read.grid.spacing_mm.x, pixel_mm, 1e-6 * pixel_mm);
    EXPECT_NEAR(read.grid.spacing_mm.y, pixel_mm, 1e-6 * pixel_mm);
    EXPECT_NEAR(read.grid.spacing_mm.z, slice_mm, 1e-6 * slice_mm);
    QCOMPARE(read.notes.empty() ? QString() : QString::fromStdString(read.notes.front()), note);
  }

  /// A size that is given takes the place of what the file does not state.
  void sizesAreGivenWhereNoneAreStated() {
    const auto put = [&](const char* name, float resolution) {
      foreign<std::uint16_t>(name, 2, SAMPLEFORMAT_UINT, 1, "ImageJ=1.53t\nimages=2\nslices=2\n",
                             resolution, RESUNIT_INCH);
      return path(name);
    };
    const LoadedVolume all = load_volume(put("all.tif", 0), {.voxel_mm = Vec3{0.3, 0.4, 2}});
    const VolumeGrid& grid = all.grid;
    QCOMPARE(grid, VolumeGrid::centered(grid.nx, grid.ny, 2, {0.3, 0.4, 2}));
    QVERIFY(all.notes.empty());
    const std::string pixels = put("pixels.tif", 254);
    const LoadedVolume distance = load_volume(pixels, {.voxel_mm = Vec3{0.1, 0.1, 3}});
    EXPECT_NEAR(distance.grid.spacing_mm.x, 0.1, 1e-6);
    QCOMPARE(distance.grid.spacing_mm.z, 3.0);
    EXPECT_THROWS(UsageError, load_volume(pixels, {.voxel_mm = Vec3{0.2, 0.2, 3}}),
                  "states voxels of 0.1 x 0.1 x 0.1 mm");
  }

  /// The first bytes of the slices, by the descriptions of ImageJ and OME.
  void channelsAndFramesAreNoSlices_data() {
    QTest::addColumn<QByteArray>("description");
    QTest::addColumn<int>("pages");
    QTest::addColumn<QList<int>>("taken");
    QTest::addColumn<QString>("note");
    const QString left_out =
        QStringLiteral("the first channel of the first frame was taken, the others were left out");
    const auto imagej = [](const char* lines) {
      return QByteArray("ImageJ=1.53t\nimages=6\nunit=mm\nspacing=2\n") + lines;
    };
    const auto ome = [](const char* order, int c, int z, int t) {
      return QByteArray(
                 "<OME><Image><Pixels PhysicalSizeX=\"2\" PhysicalSizeZ=\"2\" "
                 "DimensionOrder=\"") +
             order + "\" SizeC=\"" + QByteArray::number(c) + "\" SizeZ=\"" + QByteArray::number(z) +
             "\" SizeT=\"" + QByteArray::number(t) + "\"></Pixels></Image></OME>";
    };
    QTest::newRow("channels") << imagej("channels=2\nslices=3\nhyperstack=true\n") << 6
                              << QList<int>{0, 2, 4}
                              << "the file has 2 channels, 3 slices and 1 frame: " + left_out;
    QTest::newRow("frames") << imagej("slices=3\nframes=2\n") << 6 << QList<int>{0, 1, 2}
                            << "the file has 1 channel, 3 slices and 2 frames: " + left_out;
    QTest::newRow("OME, channels first")
        << ome("XYCZT", 2, 3, 1) << 6 << QList<int>{0, 2, 4} << left_out;
    QTest::newRow("OME, channels last")
        << ome("XYZCT", 2, 3, 1) << 6 << QList<int>{0, 1, 2} << left_out;
    QTest::newRow("OME, frames first")
        << ome("XYTZC", 1, 2, 3) << 6 << QList<int>{0, 3} << left_out;
    QTest::newRow("frames alone")
        << imagej("frames=6\n") << 6 << QList<int>{0, 1, 2, 3, 4, 5}
        << QStringLiteral("the file calls its 6 pages frames: they were taken as slices");
    QTest::newRow("channels alone")
        << imagej("channels=6\n") << 6 << QList<int>{0, 1, 2, 3, 4, 5}
        << QStringLiteral("the file calls its 6 pages channels: they were taken as slices");
    QTest::newRow("more pages") << imagej("slices=6\n") << 7 << QList<int>{0, 1, 2, 3, 4, 5, 6}
                                << QStringLiteral("but has 7 pages: all were taken as slices");
    QTest::newRow("slices") << imagej("slices=6\n") << 6 << QList<int>{0, 1, 2, 3, 4, 5}
                            << QString();
    QTest::newRow("other product") << imagej("channels=2\nslices=2\n") << 6 << QList<int>{}
                                   << QStringLiteral("save a single channel of a single frame");
  }
  void channelsAndFramesAreNoSlices() {
    QFETCH(const QByteArray, description);
    QFETCH(const int, pages);
    QFETCH(const QList<int>, taken);
    QFETCH(const QString, note);
    foreign<std::uint16_t>("many.tif", pages, SAMPLEFORMAT_UINT, 1, description.constData(), 1,
                           RESUNIT_NONE);
    if (taken.empty()) {
      EXPECT_THROWS(InputError, load_volume(path("many.tif")), note.toStdString());
      return;
    }
    const LoadedVolume read = load_volume(path("many.tif"));
    QCOMPARE(read.grid.nz, static_cast<int>(taken.size()));
    for (int iz = 0; iz < read.grid.nz; ++iz)
      QCOMPARE(read.mu[read.grid.index(0, 0, iz)], static_cast<float>(100 * taken[iz]));
    QString all;
    for (const std::string& one : read.notes) all += QString::fromStdString(one);
    QVERIFY2(note.isEmpty() ? all.isEmpty() : all.contains(note), qPrintable(all));
  }

  void tilesAreRead() {
    std::vector<Page> pages(3, Page(std::size_t{40} * 20));
    std::uint16_t value = 0;
    for (Page& page : pages)
      for (std::uint16_t& pixel : page) pixel = ++value;
    TiffLayout layout;
    layout.tile_width = layout.tile_height = 16;
    write_pages(path("tiles.tif"), pages, 40, layout);
    const LoadedVolume read = load_volume(path("tiles.tif"));
    QCOMPARE(read.grid.nx, 40);
    QCOMPARE(read.grid.ny, 20);
    QCOMPARE(read.grid.nz, 3);
    for (std::size_t i = 0; i < read.mu.size(); ++i)
      QCOMPARE(read.mu[i], static_cast<float>(i + 1));
  }

  void whatIsNoStackIsRefused() {
    foreign<std::uint8_t>("colours.tif", 1, SAMPLEFORMAT_UINT, 3, nullptr, 0, RESUNIT_NONE);
    EXPECT_THROWS(InputError, load_volume(path("colours.tif")), "instead of grey values");
    const std::vector<float> mu = values();
    VolumeToWrite volume;
    volume.grid = grid();
    volume.mu = mu;
    write_volume(path("whole.tif"), volume);
    QFile file(QString::fromStdString(path("whole.tif")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    // Without its last four bytes, which say that no page follows, nothing is missing.
    for (qsizetype length = 4; length < bytes.size() - 4; length += 7) {
      QFile cut(QString::fromStdString(path("cut.tif")));
      QVERIFY(cut.open(QIODevice::WriteOnly) && cut.write(bytes.left(length)) == length);
      cut.close();
      EXPECT_THROWS(InputError, load_volume(path("cut.tif")), "cut.tif");
    }
  }

  void nothingIsLeftBehind() {
    const std::vector<float> mu = values();
    VolumeToWrite volume;
    volume.grid = grid();
    volume.mu = mu;
    EXPECT_THROWS(OutputError, write_volume(path("nowhere/a.tif"), volume), "nowhere");
  }
};

GANTRY_TEST(TestTiff)
#include "test_tiff.moc"
