// Which names say that images are flats, darks or reconstructed slices.
#include "core/base/error.hpp"
#include "tests/core/io/imports/names/named_files.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

class TestFrameRoles : public QObject, private NamedFiles {
  Q_OBJECT

 private slots:
  void init() { folder_ = std::make_unique<QTemporaryDir>(); }

  /// "prefer" and "reflection" are no references, "darkroom" is no dark.
  void aWordIsWhole() {
    for (const char* name : {"darkroom_1.tif", "darkroom_2.tif"}) touch(QLatin1String(name));
    const FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{2});
    QVERIFY(files.darks.empty());
  }

  /// As flat panels and shutters call them; a scan may have an offset or a gain among other words.
  void darksAndFlatsByOtherNames() {
    for (const char* name :
         {"p_1.tif", "p_2.tif", "p_3.tif", "closed.tif", "scan_shutter_closed_1.tif",
          "Beam_off.tif", "off_2.tif", "offset_0001.tif", "Offsets/1.tif", "gain_1.tif"})
      touch(QLatin1String(name));
    for (const char* name : {"part_offset_1.tif", "high-gain.tif", "closed_lid.tif", "offer.tif"})
      touch(QLatin1String(name));
    const FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{3});
    QCOMPARE(names(files.flats), (std::vector<std::string>{"gain_1.tif"}));
    std::vector<std::string> darks = names(files.darks);
    std::ranges::sort(darks);
    QCOMPARE(darks, (std::vector<std::string>{"1.tif", "Beam_off.tif", "closed.tif", "off_2.tif",
                                              "offset_0001.tif", "scan_shutter_closed_1.tif"}));
    QCOMPARE(files.notes.size(), std::size_t{4});
  }

  /// German names, and those of scanners that shorten white and black.
  void darksAndFlatsByGermanAndShortNames() {
    for (const char* name : {"p_1.tif", "p_2.tif", "p_3.tif", "p_4.tif", "p_5.tif", "p_6.tif",
                             "Hellbild.tif", "Hellbilder/1.tif", "scan_WHT_001.tif",
                             "Dunkelbild_1.tif", "dunkelfeld.tif", "scan_BLK_001.tif"})
      touch(QLatin1String(name));
    for (const char* name : {"hellbildung.tif", "blkbox.tif"}) touch(QLatin1String(name));
    const FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{6});
    std::vector<std::string> flats = names(files.flats), darks = names(files.darks);
    std::ranges::sort(flats);
    std::ranges::sort(darks);
    QCOMPARE(flats, (std::vector<std::string>{"1.tif", "Hellbild.tif", "scan_WHT_001.tif"}));
    QCOMPARE(darks,
             (std::vector<std::string>{"Dunkelbild_1.tif", "dunkelfeld.tif", "scan_BLK_001.tif"}));
  }

  /// Capitals begin words, where no other words name a sample.
  void wordsBegunByCapitals() {
    for (const char* name : {"scan_1.tif", "scan_2.tif", "scan_3.tif", "WhiteImage_1.tif",
                             "BeforeFF_1.tif", "FFImageAfter_1.tif", "whiteimage_2.tif",
                             "BlackImage_1.tif", "BeforeDark_1.tif", "drk_1.tif", "close_1.tif",
                             "DarkCurrent.tif", "EmptyImage.tif", "blank_1.tif", "Empty/7.tif"})
      touch(QLatin1String(name));
    for (const char* name : {"WhiteRock_1.tif", "DarkMatter_1.tif", "McFf_1.tif", "offshore_1.tif",
                             "blank_sample.tif", "closeup_1.tif", "audio_0001.tif"})
      touch(QLatin1String(name));
    const FrameFiles files = list();
    QCOMPARE(names(files.projections),
             (std::vector<std::string>{"scan_1.tif", "scan_2.tif", "scan_3.tif"}));
    std::vector<std::string> flats = names(files.flats), darks = names(files.darks);
    std::ranges::sort(flats);
    std::ranges::sort(darks);
    QCOMPARE(flats, (std::vector<std::string>{"7.tif", "BeforeFF_1.tif", "EmptyImage.tif",
                                              "FFImageAfter_1.tif", "WhiteImage_1.tif",
                                              "blank_1.tif", "whiteimage_2.tif"}));
    QCOMPARE(darks, (std::vector<std::string>{"BeforeDark_1.tif", "BlackImage_1.tif",
                                              "DarkCurrent.tif", "close_1.tif", "drk_1.tif"}));
    QCOMPARE(files.left_out.size(), std::size_t{7});
    QVERIFY(std::ranges::count(files.left_out, "WhiteRock_#.tif (1 file)") == 1);
  }

  /// io and di, where nothing else is left out and the projections are more.
  void namesOfTwoLettersCountBesideALongerStack() {
    for (int i = 0; i < 5; ++i) touch(QStringLiteral("scan_%1.tif").arg(i));
    for (const char* name : {"io_0.tif", "io_1.tif", "di_0.tif"}) touch(QLatin1String(name));
    FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{5});
    QCOMPARE(names(files.flats), (std::vector<std::string>{"io_0.tif", "io_1.tif"}));
    QCOMPARE(names(files.darks), (std::vector<std::string>{"di_0.tif"}));
    QVERIFY(files.notes.size() == 2 && files.left_out.empty());
    touch(QStringLiteral("flat.tif"));  // another name says which file is the flat
    files = list();
    QCOMPARE(names(files.flats), (std::vector<std::string>{"flat.tif"}));
    QCOMPARE(files.left_out, (std::vector<std::string>{"io_#.tif (2 files)"}));
    touch(QStringLiteral("ct_1.tif"));  // the folder holds more than one scan
    files = list();
    QVERIFY(files.darks.empty());
    QCOMPARE(files.left_out, (std::vector<std::string>{"ct_#.tif (1 file)", "di_#.tif (1 file)",
                                                       "io_#.tif (2 files)"}));
    init();
    for (int i = 0; i < 5; ++i) touch(QStringLiteral("audio_%1.tif").arg(i));
    for (const char* name : {"I0_0.tif", "i0_1.tif", "i0_2.tif"}) touch(QLatin1String(name));
    QCOMPARE(list().flats.size(), std::size_t{3});
    for (int i = 3; i < 5; ++i) touch(QStringLiteral("i0_%1.tif").arg(i));
    QCOMPARE(list().projections.size(), std::size_t{5});
    QVERIFY(list().flats.empty());
  }

  /// Names that no sample has are taken without a word; what else is left out does not matter.
  void namesOfBeamlines_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("is_flat");
    for (const char* pattern :
         {"flood_%1.tif",       "floods/%1.tif",       "flood_field_%1.tif",
          "floodfield_%1.tif",  "flood_before_%1.tif", "bright_field_%1.tif",
          "brightfield_%1.tif", "BrightField%1.tif",   "bright-field_%1.tif",
          "empty_beam_%1.tif",  "emptybeam%1.tif",     "empty beam %1.tif",
          "openbeam_%1.tif",    "open_beam_%1.tif",    "scan_empty_beam_%1.tif",
          "blank_%1.tif",       "blank_image_%1.tif",  "ff%1.tif",
          "gain_%1.tif",        "gain_image_%1.tif",   "ref%1.tif"})
      QTest::addRow("%s", pattern) << QString::fromLatin1(pattern) << true;
    for (const char* pattern :
         {"offset_%1.tif", "offset_image_%1.tif", "offset_before_%1.tif", "dark_field_%1.tif",
          "darkfield%1.tif", "df_%1.tif", "drk_%1.tif", "no_beam_%1.tif", "beam-off_%1.tif"})
      QTest::addRow("%s", pattern) << QString::fromLatin1(pattern) << false;
  }
  void namesOfBeamlines() {
    QFETCH(QString, pattern);
    QFETCH(bool, is_flat);
    touch_series(QStringLiteral("scan_%1.tif"), 5);
    touch_series(pattern, 2);
    touch(QStringLiteral("overview.tif"));
    const FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{5});
    QCOMPARE(files.flats.size(), std::size_t{is_flat ? 2U : 0U});
    QCOMPARE(files.darks.size(), std::size_t{is_flat ? 0U : 2U});
    QCOMPARE(files.notes.size(), std::size_t{1});
  }

  /// Names that a sample may have as well are taken with a note, where nothing else is left out.
  void doubtfulNames_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("is_flat");
    for (const char* pattern :
         {"air_%1.tif", "air/%1.tif", "Air/img_%1.tif", "air_before_%1.tif", "background_%1.tif",
          "Background%1.tif", "bg_%1.tif", "bkg%1.tif", "bak_%1.tif", "io_%1.tif"})
      QTest::addRow("%s", pattern) << QString::fromLatin1(pattern) << true;
    for (const char* pattern : {"scanbak_0000_%1.tif", "scan_bak_%1.tif", "scan_air_%1.tif",
                                "scan_background_%1.tif", "scanflat%1.tif"})
      QTest::addRow("%s", pattern) << QString::fromLatin1(pattern) << true;
    for (const char* pattern :
         {"di_%1.tif", "scan_di_%1.tif", "scan_offset_%1.tif", "scandrk_%1.tif", "scandark%1.tif"})
      QTest::addRow("%s", pattern) << QString::fromLatin1(pattern) << false;
  }
  void doubtfulNames() {
    QFETCH(QString, pattern);
    QFETCH(bool, is_flat);
    touch_series(QStringLiteral("scan_%1.tif"), 5);
    touch_series(pattern, 2);
    FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{5});
    QCOMPARE(files.flats.size(), std::size_t{is_flat ? 2U : 0U});
    QCOMPARE(files.darks.size(), std::size_t{is_flat ? 0U : 2U});
    QVERIFY(files.left_out.empty());
    QCOMPARE(files.notes.size(), std::size_t{1});
    QVERIFY(has_note(files, is_flat ? "2 files, were taken as flats by a name that others may"
                                    : "2 files, were taken as darks by a name that others may"));
    QVERIFY(has_note(files, "name the flats (--flat) and darks (--dark), or move"));
    touch(QStringLiteral("overview.tif"));
    files = list();
    QVERIFY(files.flats.empty() && files.darks.empty());
    QCOMPARE(files.left_out.size(), std::size_t{2});
    touch_series(pattern, 9);  // these are the scan
    QCOMPARE(list().projections.size(), std::size_t{9});
  }

  /// Names with further words, as those of samples.
  void namesOfSamples_data() {
    QTest::addColumn<QString>("pattern");
    for (const char* pattern :
         {"core_flood_%1.tif", "waterflood_%1.tif", "flooded_%1.tif", "aircraft_%1.tif",
          "air_bubble_%1.tif", "airbag/part_%1.tif", "background_rock_%1.tif", "part_offset_%1.tif",
          "high-gain_%1.tif", "empty_can_%1.tif", "diamond_%1.tif"})
      QTest::addRow("%s", pattern) << QString::fromLatin1(pattern);
  }
  void namesOfSamples() {
    QFETCH(QString, pattern);
    touch_series(QStringLiteral("scan_%1.tif"), 5);
    touch_series(pattern, 2);
    const FrameFiles files = list();
    QVERIFY(files.flats.empty() && files.darks.empty());
    QCOMPARE(files.left_out.size(), std::size_t{1});
  }

  /// A sample may be named as a dark, or as a flat; a series whose name says no more is none.
  void aLongSeriesMayBeASample_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<bool>("is_sample");
    QTest::newRow("dark chocolate") << QStringLiteral("dark_chocolate_%1.tif") << true;
    QTest::newRow("white wood") << QStringLiteral("white_wood_%1.tif") << true;
    QTest::newRow("darks") << QStringLiteral("dark_image_%1.tif") << false;
    QTest::newRow("shutter") << QStringLiteral("shutter_closed_%1.tif") << false;
    QTest::newRow("a folder of darks") << QStringLiteral("darks/wood_%1.tif") << false;
  }
  void aLongSeriesMayBeASample() {
    QFETCH(QString, pattern);
    QFETCH(bool, is_sample);
    touch_series(pattern, 40);
    touch_series(QStringLiteral("flat_%1.tif"), 5);
    touch_series(QStringLiteral("dark_field_%1.tif"), 5);
    if (!is_sample) {
      EXPECT_THROWS(InputError, list(),
                    "flats (5) and darks (45); give a folder of image files whose names differ by "
                    "a number, or name the flats (--flat) and the darks (--dark), both");
      return;
    }
    FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{40});
    QVERIFY(files.flats.size() == 5 && files.darks.size() == 5);
    QVERIFY(has_note(files, "as a sample may be, and were taken as the projections"));
    touch_series(pattern, 60);
    touch_series(QStringLiteral("preview_%1.tif"), 2);
    files = list();
    QCOMPARE(files.projections.size(), std::size_t{60});
    QCOMPARE(files.left_out, (std::vector<std::string>{"preview_#.tif (2 files)"}));
    touch_series(QStringLiteral("preview_%1.tif"), 20);  // those may be the projections, too
    files = list();
    QCOMPARE(files.projections.size(), std::size_t{20});
    for (const QString& name : QDir(folder_->path()).entryList({"preview_*"}))
      QVERIFY(QFile::remove(folder_->filePath(name)));
    touch_series(QStringLiteral("flat_%1.tif"), 30);  // the most without others
    QCOMPARE(list().projections.size(), std::size_t{60});
    touch_series(QStringLiteral("flat_%1.tif"), 60);
    EXPECT_THROWS(InputError, list(), "holds no projections");
  }

  /// Where all names begin with that of a sample that is called so, their ends tell the roles.
  void aSampleNamedAsADarkHasFlatsAndDarks() {
    touch_series(QStringLiteral("dark_chocolate_%1.tif"), 40);
    touch_series(QStringLiteral("dark_chocolate_flat_%1.tif"), 3);
    touch_series(QStringLiteral("dark_chocolate_dark_%1.tif"), 2);
    const FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{40});
    QCOMPARE(names(files.flats).front(), "dark_chocolate_flat_0000.tif");
    QVERIFY(files.flats.size() == 3 && files.darks.size() == 2 && files.left_out.empty());
  }

  /// A folder of few projections that is called so.
  void aFolderNamedAsADarkMayBeASample() {
    touch_series(QStringLiteral("dark_chocolate/img_%1.tif"), 9);
    touch_series(QStringLiteral("flats/img_%1.tif"), 5);
    touch_series(QStringLiteral("darks/img_%1.tif"), 5);
    const FrameFiles files = list();
    QVERIFY(files.projections.size() == 9 && files.flats.size() == 5 && files.darks.size() == 5);
  }

  /// More slices than projections lie in a folder, or beside them.
  void slicesAreNoProjections_data() {
    QTest::addColumn<QString>("projections");
    QTest::addColumn<QString>("slices");
    for (const auto& [projections, slices] : std::vector<std::pair<const char*, const char*>>{
             {"img_%1.tif", "recon/s_%1.tif"},
             {"scan_%1.tif", "Scan_Rec/Scan_rec%1.tif"},
             {"proj/img_%1.tif", "slices/img_%1.tif"},
             {"raw/img_%1.tif", "reco/img_%1.tif"},
             {"proj_%1.tif", "slice_%1.tif"},
             {"raw/slice_%1.tif", "recon/slice_%1.tif"},
             {"img_%1.tif", "reconstruction/scan_%1.tif"}})
      QTest::addRow("%s, %s", projections, slices)
          << QString::fromLatin1(projections) << QString::fromLatin1(slices);
  }
  void slicesAreNoProjections() {
    QFETCH(QString, projections);
    QFETCH(QString, slices);
    touch_series(projections, 5);
    touch_series(slices, 9);
    touch(QStringLiteral("flat_1.tif"));
    const FrameFiles files = list();
    QCOMPARE(files.projections.size(), std::size_t{5});
    QCOMPARE(files.positions.size(), std::size_t{5});
    QCOMPARE(files.flats.size(), std::size_t{1});
    QVERIFY(files.left_out.empty());
    QCOMPARE(files.notes,
             (std::vector<std::string>{"9 files were left out as reconstructed slices by their "
                                       "names: " +
                                       QString(slices).replace("%1", "#").toStdString() +
                                       "; if they are projections, import a folder that holds "
                                       "them alone"}));
  }

  /// A scan may be called so, too.
  void aScanMayBeCalledSlices() {
    touch_series(QStringLiteral("rec_%1.tif"), 9);
    QCOMPARE(list().projections.size(), std::size_t{9});
    QVERIFY(list().notes.empty());
    touch_series(QStringLiteral("test_%1.tif"), 2);
    QCOMPARE(list().projections.size(), std::size_t{9});
    init();
    touch_series(QStringLiteral("recon_data/scan_%1.tif"), 9);
    touch(QStringLiteral("overview.tif"));
    QCOMPARE(list().projections.size(), std::size_t{9});
  }
};

GANTRY_TEST(TestFrameRoles)
#include "test_frame_roles.moc"
