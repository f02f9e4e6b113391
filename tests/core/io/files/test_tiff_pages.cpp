// Grey values of every type come back from every layout in which libtiff writes them.
#include "core/base/error.hpp"
#include "core/io/files/tiff/tiff_pages.hpp"
#include "core/io/files/tiff/tiff_reader.hpp"
#include "tests/core/io/cut_files.hpp"
#include "tests/core/io/written_tiff.hpp"
#include "tests/support/child_processes.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QDataStream>
#include <QDir>
#include <QTemporaryDir>

#include <array>
#include <cerrno>
#include <cstdlib>

using namespace gantry;
using namespace gantry::test;

namespace {

long requests_for_more = 0, refused_request = 0;  // counted from 1; 0: none is refused

}  // namespace

/// Takes the place of libtiff's own function for lists that grow.
void* _TIFFrealloc(void* memory, tmsize_t bytes) {  // NOLINT: libtiff's name
  if (++requests_for_more == refused_request) {
    errno = ENOMEM;
    return nullptr;
  }
  return std::realloc(memory, static_cast<std::size_t>(bytes));
}

namespace {

constexpr int columns = 37, rows = 21, pages = 2;  // no multiples of the sizes of tiles

/// Values that need all bits of whole numbers, their sign, or a fraction.
template <class Number>
std::vector<Number> page_of(int page) {
  constexpr double step = std::is_floating_point_v<Number> ? 0.25
                          : sizeof(Number) == 1            ? 1
                          : sizeof(Number) == 2            ? 256
                                                           : 16777216;
  std::vector<Number> values;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int number = (50 * page + 7 * row + 3 * column) % 250;
      values.push_back(
          static_cast<Number>(step * (std::is_signed_v<Number> ? number - 125 : number)));
    }
  return values;
}

/// `reader` is made for the first file, and opens one after the other.
template <class Number>
void expect_pages(const std::string& path, const TiffLayout& layout,
                  std::unique_ptr<TiffPages>& reader) {
  std::vector<std::vector<Number>> written;
  for (int i = 0; i < pages; ++i) written.push_back(page_of<Number>(i));
  write_numbers(path, written, columns, layout);
  if (reader)
    reader->open(path);
  else
    reader = std::make_unique<TiffPages>(path);
  TiffPages& file = *reader;
  QCOMPARE(file.count(), pages);
  for (int i = 0; i < pages; ++i) {
    const TiffPage page = file.page(i);
    QCOMPARE(page.columns, columns);
    QCOMPARE(page.rows, rows);
    std::vector<float> read(std::size_t{columns} * rows, -1.0F);
    QCOMPARE(file.load(i), page);
    file.values(read);
    const auto& expected = written[static_cast<std::size_t>(i)];
    QVERIFY(std::ranges::equal(read, expected, {}, {},
                               [](Number value) { return static_cast<float>(value); }));
  }
}

void read_all(const std::string& path) {
  TiffPages file(path);
  std::vector<float> values(std::size_t{columns} * rows);
  for (int i = 0; i < file.count(); ++i) {
    file.load(i);
    file.values(values);
  }
  if (file.count() != pages) throw InputError("lacks pages", path, "");
}

/// Reads all values in this process.
void read_all_here(const std::string& path) {
  TiffReader file(path);
  for (int i = 0; i < file.count(); ++i) {
    std::vector<std::byte> stored(file.page(i).bytes());
    file.read(i, stored);
  }
}

void describe_page(TIFF* tiff, int bits, int samples, std::uint16_t photometric) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, std::uint32_t{columns});
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, std::uint32_t{rows});
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, samples);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric);
}

/// Writes a page of three samples a pixel, of 8 bits each.
void write_three_samples(const std::string& path, std::uint16_t photometric) {
  TIFF* tiff = TIFFOpen(path.c_str(), "w");
  if (tiff == nullptr) qFatal("cannot write the test file %s", path.c_str());
  describe_page(tiff, 8, 3, photometric);
  TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, std::uint32_t{rows});
  std::vector<std::uint8_t> line(std::size_t{3} * columns, 9);
  for (std::uint32_t row = 0; row < rows; ++row) TIFFWriteScanline(tiff, line.data(), row);
  TIFFClose(tiff);
}

/// Writes a stack as ImageJ does beyond 4 GB: one directory, and the images one after the other.
void write_stack_of_one_directory(const std::string& path, const std::vector<Page>& images,
                                  const QByteArray& description, QDataStream::ByteOrder order) {
  constexpr int entries = 9;
  constexpr quint32 text_at = 8 + 2 + 12 * entries + 4;
  const quint32 images_at = text_at + static_cast<quint32>(description.size()) + 1,
                image_bytes = 2 * columns * rows;
  QByteArray bytes;
  QDataStream out(&bytes, QIODevice::WriteOnly);
  out.setByteOrder(order);
  out.writeRawData(order == QDataStream::BigEndian ? "MM" : "II", 2);
  out << quint16{42} << quint32{8} << quint16{entries};
  const auto number = [&](quint16 tag, quint32 value) {
    out << tag << quint16{4} << quint32{1} << value;
  };
  number(TIFFTAG_IMAGEWIDTH, columns);
  number(TIFFTAG_IMAGELENGTH, rows);
  number(TIFFTAG_BITSPERSAMPLE, 16);
  number(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  number(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  out << quint16{TIFFTAG_IMAGEDESCRIPTION} << quint16{2} << quint32(description.size() + 1)
      << text_at;
  number(TIFFTAG_STRIPOFFSETS, images_at);
  number(TIFFTAG_ROWSPERSTRIP, rows);
  number(TIFFTAG_STRIPBYTECOUNTS, image_bytes);
  out << quint32{0};
  out.writeRawData(description.constData(), static_cast<int>(description.size()) + 1);
  for (const Page& image : images)
    for (const std::uint16_t value : image) out << quint16{value};
  write_file(path, bytes);
}

TiffLayout tiled(std::uint16_t compression = COMPRESSION_NONE) {
  TiffLayout layout;
  layout.tile_width = 16;
  layout.tile_height = 32;
  layout.compression = compression;
  return layout;
}

}  // namespace

class TestTiffPages : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::string path() const { return folder_.filePath("a.tif").toStdString(); }

 private slots:
  void everyTypeInEveryLayout_data() {
    QTest::addColumn<QByteArray>("mode");
    QTest::addColumn<bool>("has_tiles");
    QTest::addColumn<int>("compression");
    QTest::addColumn<bool>("is_predicted");
    const std::pair<const char*, int> compressions[] = {{"plain", COMPRESSION_NONE},
                                                        {"lzw", COMPRESSION_LZW},
                                                        {"deflate", COMPRESSION_ADOBE_DEFLATE},
                                                        {"packbits", COMPRESSION_PACKBITS}};
    for (const char* mode : {"wl", "wb", "wl8", "wb8"})
      for (const bool has_tiles : {false, true})
        for (const auto& [name, compression] : compressions)
          for (const bool is_predicted : {false, true}) {
            const bool may_be_predicted =
                compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE;
            if (!is_predicted || may_be_predicted)
              QTest::addRow("%s, %s, %s%s", mode, has_tiles ? "tiles" : "strips", name,
                            is_predicted ? ", predicted" : "")
                  << QByteArray(mode) << has_tiles << compression << is_predicted;
          }
  }
  void everyTypeInEveryLayout() {
    QFETCH(const QByteArray, mode);
    QFETCH(const bool, has_tiles);
    QFETCH(const int, compression);
    QFETCH(const bool, is_predicted);
    TiffLayout layout;
    if (has_tiles) layout = tiled();
    layout.mode = mode.constData();
    layout.rows_per_strip = 4;
    layout.compression = static_cast<std::uint16_t>(compression);
    std::unique_ptr<TiffPages> reader;
    auto new_path = [&, number = 0]() mutable {
      return folder_.filePath(QStringLiteral("%1.tif").arg(number++)).toStdString();
    };
    for (const std::uint16_t planes : {PLANARCONFIG_CONTIG, PLANARCONFIG_SEPARATE}) {
      layout.planes = planes;
      layout.predictor = is_predicted ? PREDICTOR_HORIZONTAL : PREDICTOR_NONE;
      expect_pages<std::uint8_t>(new_path(), layout, reader);
      expect_pages<std::int8_t>(new_path(), layout, reader);
      expect_pages<std::uint16_t>(new_path(), layout, reader);
      expect_pages<std::int16_t>(new_path(), layout, reader);
      expect_pages<std::uint32_t>(new_path(), layout, reader);
      expect_pages<std::int32_t>(new_path(), layout, reader);
      // libtiff 4.5 writes predicted floating-point numbers wrongly where it swaps their bytes.
      if (is_predicted && mode.startsWith("wb")) continue;
      if (is_predicted) layout.predictor = PREDICTOR_FLOATINGPOINT;
      expect_pages<float>(new_path(), layout, reader);
      expect_pages<double>(new_path(), layout, reader);
    }
  }

  void cutTiles() {
    for (const int compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE}) {
      const std::vector<Page> both = {page_of<std::uint16_t>(0), page_of<std::uint16_t>(1)};
      write_pages(path(), both, columns, tiled(static_cast<std::uint16_t>(compression)));
      read_all(path());
      read_cut_files(path(), [&] { read_all(path()); });
    }
  }

  /// libtiff 4.5 reads beyond its list of values once there was no memory for one more.
  void memoryForValuesMayBeRefused() {
    write_pages(path(), {page_of<std::uint16_t>(0), page_of<std::uint16_t>(1)}, columns);
    TIFF* tiff = TIFFOpen(path().c_str(), "r+");
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "two pages");
    TIFFSetField(tiff, TIFFTAG_SOFTWARE, "a test");
    TIFFRewriteDirectory(tiff);
    TIFFClose(tiff);
    const auto descriptors = [] { return QDir(QStringLiteral("/proc/self/fd")).count(); };
    const auto before = descriptors();
    requests_for_more = 0;
    read_all_here(path());
    const long all = requests_for_more;
    QVERIFY2(all >= 2, "libtiff does not call the function of this test");
    for (long number = 1; number <= all; ++number) {
      requests_for_more = 0;
      refused_request = number;
      EXPECT_THROWS(InputError, read_all_here(path()), "needs more memory");
    }
    refused_request = 0;
    QCOMPARE(descriptors(), before);
  }

  /// Files are read in one other process after each other, which ends with their reader. A failure
  /// of the process is a failure of its file alone.
  void filesAreReadInAnotherProcess() {
    const auto named = [&](const char* name) { return folder_.filePath(name).toStdString(); };
    for (const char* name : {"a.tif", "b.tif", "crash_here.tif", "spin_here.tif"})
      write_pages(named(name), {page_of<std::uint16_t>(0), page_of<std::uint16_t>(1)}, columns);
    write_file(named("c.tif"), "no TIFF at all");
    {
      TiffPages file(named("a.tif"));
      const std::vector<int> process = child_processes();
      QCOMPARE(process.size(), 1);
      file.open(named("b.tif"));
      QCOMPARE(file.path(), named("b.tif"));
      EXPECT_THROWS(InputError, file.open(named("c.tif")), "c.tif: cannot be read as TIFF");
      file.open(named("b.tif"));
      const TiffPage loaded = file.load(1);
      QCOMPARE(file.page(1), loaded);
      QCOMPARE(child_processes(), process);
      std::vector<float> values(std::size_t{columns} * rows);
      EXPECT_THROWS(ShapeError, file.values(values), "does not fit");  // page() was asked since
      file.load(1);
      file.values(values);
      QCOMPARE(values[0], static_cast<float>(page_of<std::uint16_t>(1)[0]));
    }
    QVERIFY(child_processes().empty());
    qputenv("GANTRY_DECODER_FAILS", "1");  // on files named so
    TiffPages file(named("a.tif"));
    EXPECT_THROWS(InputError, file.open(named("crash_here.tif")),
                  "crash_here.tif: the decoder crashed while reading it (signal 11");
    EXPECT_THROWS(InputError, file.open(named("spin_here.tif")),
                  "spin_here.tif: takes too long to read for its size");
    file.open(named("a.tif"));
    QCOMPARE(file.count(), pages);
    qunsetenv("GANTRY_DECODER_FAILS");
    qputenv("GANTRY_DECODER", "/missing/gantry-decoder");
    EXPECT_THROWS(InputError, TiffPages{named("b.tif")}, "gantry-decoder is not found");
    qputenv("GANTRY_DECODER", "none");  // the user wants it so
    std::unique_ptr<TiffPages> reader;
    expect_pages<std::int16_t>(named("d.tif"), tiled(), reader);
    EXPECT_THROWS(InputError, TiffPages{named("c.tif")}, "c.tif: cannot be read as TIFF");
    qunsetenv("GANTRY_DECODER");
  }

  /// The next page is read while the values of one are converted; another question may come first.
  void aPageIsReadAhead() {
    const auto named = [&](const char* name) { return folder_.filePath(name).toStdString(); };
    const std::vector<Page> written = {page_of<std::uint16_t>(0), page_of<std::uint16_t>(1)};
    for (const char* name : {"a.tif", "b.tif", "crash_here.tif"})
      write_pages(named(name), written, columns);
    qputenv("GANTRY_DECODER_FAILS", "1");  // on files named so
    TiffPages file(named("a.tif"));
    const std::vector<int> process = child_processes();
    std::vector<float> values(std::size_t{columns} * rows);
    const auto expect = [&](int page, const std::optional<PageOfFile>& next) {
      file.values(values, next);
      QVERIFY(std::ranges::equal(values, written[static_cast<std::size_t>(page)]));
    };
    file.load(0);
    expect(0, PageOfFile{named("a.tif"), 1});
    EXPECT_THROWS(ShapeError, file.values(values), "does not fit");  // the decoder has gone on
    file.open_and_load(named("a.tif"), 1);
    expect(1, PageOfFile{named("b.tif"), 1});
    file.open_and_load(named("b.tif"), 1);
    QCOMPARE(child_processes(), process);
    expect(1, PageOfFile{named("a.tif"), 0});
    file.load(0);  // of the same file, not what was announced
    QCOMPARE(file.path(), named("b.tif"));
    QVERIFY(child_processes() != process);  // the decoder that read what was announced was ended
    expect(0, PageOfFile{named("b.tif"), 1});
    QVERIFY(file.description().empty());
    file.open_and_load(named("b.tif"), 1);
    expect(1, PageOfFile{named("crash_here.tif"), 0});
    EXPECT_THROWS(InputError, file.open_and_load(named("crash_here.tif"), 0),
                  "crash_here.tif: the decoder crashed while reading it (signal 11");
    file.open_and_load(named("a.tif"), 1);
    expect(1, {});
    qunsetenv("GANTRY_DECODER_FAILS");
  }

  void aStackOfImageJMayHaveOneDirectory_data() {
    QTest::addColumn<bool>("is_big_endian");
    QTest::newRow("little-endian") << false;
    QTest::newRow("big-endian, as ImageJ writes") << true;
  }
  void aStackOfImageJMayHaveOneDirectory() {
    QFETCH(const bool, is_big_endian);
    const auto order = is_big_endian ? QDataStream::BigEndian : QDataStream::LittleEndian;
    std::vector<Page> written;
    for (int i = 0; i < 5; ++i) written.push_back(page_of<std::uint16_t>(i));
    const auto counted = [&](const char* description) {
      write_stack_of_one_directory(path(), written, description, order);
      return TiffPages(path()).count();
    };
    QCOMPARE(counted("images=5\n"), 1);  // of another program
    QCOMPARE(counted("ImageJ=1.53t\nimages=1\n"), 1);
    EXPECT_THROWS(InputError, counted("ImageJ=1.53t\nimages=9\n"), "ends after 5 of 9 images");
    EXPECT_THROWS(InputError, counted("ImageJ=1.53t\nimages=9999999999\n"),
                  "states 9999999999 images, more than 1048576");
    QCOMPARE(counted("ImageJ=1.53t\nimages=5\nslices=5\n"), 5);
    TiffPages file(path());
    std::vector<float> values(std::size_t{columns} * rows);
    for (const int i : {4, 0, 2}) {
      const TiffPage page = file.load(i);
      QCOMPARE(page.columns, columns);
      QCOMPARE(page.rows, rows);
      file.values(values);
      QVERIFY(std::ranges::equal(values, written[static_cast<std::size_t>(i)]));
    }
    EXPECT_THROWS(InputError, file.load(5), "has no readable page 6");
  }

  /// A small file must not make the reader take the memory of a tile that it only claims.
  void aTileFarLargerThanItsFileIsRefused() {
    write_pages(path(), {page_of<std::uint16_t>(0)}, columns, tiled());
    QByteArray bytes = bytes_of_file(path());
    for (const int tag : {TIFFTAG_TILEWIDTH, TIFFTAG_TILELENGTH}) {
      QByteArray entry;
      for (const int byte : {tag & 0xFF, tag >> 8}) entry.append(static_cast<char>(byte));
      const auto at = bytes.lastIndexOf(entry);
      QVERIFY(at > 0);
      const bool is_short = bytes[at + 2] == 3;
      bytes.replace(at + 8, is_short ? 2 : 4, QByteArray("\x00\xF0\0\0", is_short ? 2 : 4));
    }
    write_file(path(), bytes);
    EXPECT_THROWS(InputError, read_all(path()), "has tiles of 7549747200 bytes");
  }

  /// Programs that were stopped leave strips and tiles whose place and length were never written.
  void missingStripsAndTilesAreRefused() {
    for (const bool has_tiles : {false, true}) {
      TIFF* tiff = TIFFOpen(path().c_str(), "w");
      QVERIFY(tiff != nullptr);
      describe_page(tiff, 16, 1, PHOTOMETRIC_MINISBLACK);
      TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
      if (has_tiles) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
      } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 4);
      }
      QCOMPARE(TIFFDeferStrileArrayWriting(tiff), 1);
      QCOMPARE(TIFFWriteCheck(tiff, has_tiles ? 1 : 0, "test"), 1);
      QCOMPARE(TIFFWriteDirectory(tiff), 1);
      QCOMPARE(TIFFSetDirectory(tiff, 0), 1);
      QCOMPARE(TIFFForceStrileArrayWriting(tiff), 1);  // of zeros
      TIFFClose(tiff);
      write_file(path(), bytes_of_file(path()) + QByteArray(4096, 'v'));
      EXPECT_THROWS(InputError, read_all_here(path()), "cannot be read in page 1");
    }
  }

  void coloursAndInvertedGreysAreRefused() {
    write_pages(path(), {page_of<std::uint16_t>(0)}, columns);
    TIFF* tiff = TIFFOpen(path().c_str(), "r+");
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
    TIFFRewriteDirectory(tiff);
    TIFFClose(tiff);
    constexpr const char* refusal = "colours or inverted greys instead of grey values";
    EXPECT_THROWS(InputError, read_all(path()), refusal);
    for (const std::uint16_t photometric : {PHOTOMETRIC_RGB, PHOTOMETRIC_MINISBLACK}) {
      write_three_samples(path(), photometric);
      EXPECT_THROWS(InputError, read_all(path()), refusal);
    }
  }
};

GANTRY_TEST(TestTiffPages)
#include "test_tiff_pages.moc"
