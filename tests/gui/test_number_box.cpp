#include "gui/widgets/number_box.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QLineEdit>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Types a text in place of what a field shows, and presses Enter.
void type(QAbstractSpinBox& box, const QString& text) {
  box.setFocus();
  box.selectAll();
  QTest::keyClicks(&box, text);
  QTest::keyClick(&box, Qt::Key_Return);
}

}  // namespace

class TestNumberBox : public QObject {
  Q_OBJECT
 private slots:
  void readsNumbers_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("value");
    QTest::newRow("exponent") << "1e2" << 100.0;
    QTest::newRow("small") << "1e-3" << 0.001;
    QTest::newRow("comma") << "0,5" << 0.5;
    QTest::newRow("point") << "0.25" << 0.25;
    QTest::newRow("unit") << "12 mm" << 12.0;
    QTest::newRow("no number") << "1x5" << 7.0;
    QTest::newRow("above") << "1e99" << 7.0;
    QTest::newRow("below") << "-1" << 7.0;
    QTest::newRow("finer than the field") << "0.0004" << 7.0;
    QTest::newRow("a little finer") << "3.14159" << 3.142;
  }
  /// What is refused leaves the value, and the field shows it.
  void readsNumbers() {
    QFETCH(QString, typed);
    QFETCH(double, value);
    NumberBox box;
    box.setDecimals(3);
    box.setRange(0, 1000);
    box.setSuffix(QStringLiteral(" mm"));
    box.setDropsZeros(true);
    box.setValue(7);
    box.show();
    type(box, typed);
    QCOMPARE(box.value(), value);
    QCOMPARE(box.text(), QString::number(value) + QStringLiteral(" mm"));
  }

  void readsGroups() {
    NumberBox box;
    box.setDecimals(0);
    box.setRange(1, 1e12);
    box.setGroupSeparatorShown(true);
    box.setValue(1234567);
    box.show();
    QCOMPARE(box.valueFromText(box.text()), 1234567.0);
    type(box, QStringLiteral("2e6"));
    QCOMPARE(box.value(), 2e6);
  }

  void deletesIntoTheUnit() {
    NumberBox box;
    box.setRange(0, 1000);
    box.setSuffix(QStringLiteral(" photons"));
    box.setValue(5);
    box.show();
    box.setFocus();
    QTest::keyClick(&box, Qt::Key_End);
    QTest::keyClick(&box, Qt::Key_Backspace);
    QTest::keyClick(&box, Qt::Key_Return);
    QCOMPARE(box.value(), 5.0);
    QCOMPARE(box.text(), QStringLiteral("5.00 photons"));
  }

  void readsWholeNumbers() {
    WholeBox box;
    box.setRange(0, 27);
    box.setValue(9);
    box.show();
    for (const char* refused : {"999", "-7", "2.5", "99999999999", "x"}) {
      type(box, QLatin1String(refused));
      QCOMPARE(box.value(), 9);
      QCOMPARE(box.text(), QStringLiteral("9"));
    }
    type(box, QStringLiteral("2e1"));
    QCOMPARE(box.value(), 20);
  }

  /// The word of the least value can be typed, too.
  void keepsSpecialValues() {
    NumberBox box;
    box.setRange(0, 1);
    box.setSpecialValueText(QStringLiteral("off"));
    box.setValue(0.5);
    box.show();
    type(box, QStringLiteral("off"));
    QCOMPARE(box.value(), 0.0);
  }

  /// Large numbers are shown with fewer decimals; the value keeps those that are not shown.
  void showsNoMoreDigitsThanFit() {
    NumberBox box;
    box.setDecimals(5);
    box.setRange(-1e6, 1e6);
    box.setMostDigits(6);
    for (const auto& [value, shown] :
         {std::pair{47137.65, "47137.7"}, std::pair{-0.0378, "-0.03780"}, std::pair{1e6, "1000000"},
          std::pair{12.345678, "12.3457"}, std::pair{999999.7, "1000000"}}) {
      box.setValue(value);
      QCOMPARE(box.text(), QLatin1String(shown));
    }
    box.setValue(47137.65);
    box.show();
    box.setFocus();
    QTest::keyClick(&box, Qt::Key_Return);
    QCOMPARE(box.value(), 47137.65);
    type(box, QStringLiteral("47137.64"));
    QCOMPARE(box.value(), 47137.64);
  }

  /// The value that stands for a word is no number that may be typed, and no refusal names it.
  void aWordNeedNotBeANumber() {
    WindowFixture w;
    NumberBox box(w.window.get());
    box.setAccessibleName(QStringLiteral("Axis"));
    box.setRangeOrSpecial(-160, 319);
    box.setSpecialValueText(QStringLiteral("as found"));
    box.setValue(box.minimum());
    box.show();
    type(box, QStringLiteral("-161"));
    QCOMPARE(w.bannerTexts(),
             QStringList{QStringLiteral("Axis: “-161” is out of range, which is -160 to 319. "
                                        "It stays at as found")});
    type(box, QStringLiteral("-160"));
    QCOMPARE(box.value(), -160.0);
    type(box, QStringLiteral("as found"));
    QCOMPARE(box.text(), QStringLiteral("as found"));
  }

  /// Ctrl+Z in a field takes the edit back, once the number has been taken over; while it is typed,
  /// the text.
  void undoInAFieldUndoesTheEdit() {
    WindowFixture w;
    Experiment noisy = WindowFixture::small();
    noisy.noise.photons_per_ray = 1e6;
    w.open(noisy);
    WAIT_FOR(w.isReady());
    w.window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w.window.get()));
    auto& seed = w.part<QSpinBox>("seed");
    const auto set = [&] { return static_cast<int>(w.model().experiment().noise.seed); };
    const int before = seed.value();
    QVERIFY(before != 77 && before != 78);
    type(seed, QStringLiteral("77"));
    seed.setFocus();
    QCOMPARE(set(), 77);
    seed.selectAll();
    QTest::keyClicks(&seed, QStringLiteral("78"));
    QTest::keyClick(&seed, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(set(), 77);
    type(seed, QStringLiteral("77"));
    QTest::keyClick(&seed, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(set(), before);
    QCOMPARE(seed.value(), before);
  }

  /// The window says in one line what a field takes, and takes the line back with the next number.
  void saysWhatIsRefused() {
    WindowFixture w;
    Experiment noisy = WindowFixture::small();
    noisy.noise.photons_per_ray = 1e6;
    w.open(noisy);
    WAIT_FOR(w.isReady());
    auto& seed = w.part<QSpinBox>("seed");
    const int before = seed.value();
    type(seed, QStringLiteral("-7"));
    QCOMPARE(seed.value(), before);
    QCOMPARE(w.bannerTexts(),
             QStringList{QStringLiteral("Seed: “-7” is out of range, which is 0 to 2147483647. "
                                        "It stays at %1")
                             .arg(before)});
    type(seed, QStringLiteral("3"));
    QCOMPARE(w.model().experiment().noise.seed, std::uint64_t{3});
    QCOMPARE(w.bannerTexts(), QStringList());
    auto& photons = w.part<QDoubleSpinBox>("photons");
    type(photons, QStringLiteral("1e5"));
    QCOMPARE(w.model().experiment().noise.photons_per_ray, 1e5);
    type(photons, QStringLiteral("1e99"));
    QCOMPARE(w.model().experiment().noise.photons_per_ray, 1e5);
    QVERIFY2(w.bannerText().startsWith(QStringLiteral("Photons: “1e99” is out of range")),
             qPrintable(w.bannerText()));
  }
};

GANTRY_TEST(TestNumberBox)
#include "test_number_box.moc"
