// The bar of the grey scale below the views: what it shows, and what drags and keys on it set.
#include "gui/render/slice_prop.hpp"
#include "gui/stage/slice_tile.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/grey_scale_bar.hpp"
#include "tests/gui/window_fixture.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gestures.hpp"
#include "tests/support/test_program.hpp"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLineEdit>

using namespace gantry;
using namespace gantry::test;

class TestGreyScale : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;

  GreyScaleBar& bar() { return w_->part<GreyScaleBar>("greyScale"); }
  ViewState& view() { return w_->window->viewState(); }
  double low() { return view().level() - 0.5 * view().window(); }
  double high() { return view().level() + 0.5 * view().window(); }
  /// Drags from a part of the bar's width to another one.
  void drag(double from, double to) {
    const auto at = [this](double part) {
      return QPoint(static_cast<int>(std::lround(part * bar().width())), bar().height() / 2);
    };
    QTest::mousePress(&bar(), Qt::LeftButton, {}, at(from));
    QTest::mouseMove(&bar(), at(to));
    QTest::mouseRelease(&bar(), Qt::LeftButton, {}, at(to));
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    w_->openSmall();
    WAIT_FOR(w_->isReady());
    w_->window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(w_->window.get()));
    view().setWindowLevel(0.04, 0.03);  // 0.01 to 0.05
  }
  void cleanup() { w_.reset(); }

  void dragsMoveOneValueOrBoth_data() {
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("black") << 0.1 << 0.02 << 0.05;
    QTest::newRow("both") << 0.5 << 0.02 << 0.06;
    QTest::newRow("white") << 0.9 << 0.01 << 0.06;
  }
  /// A drag over a quarter of the bar moves a value by a quarter of the window.
  void dragsMoveOneValueOrBoth() {
    QFETCH(const double, from);
    QFETCH(const double, low);
    QFETCH(const double, high);
    drag(from, from + 0.25);
    const double pixel = 0.04 / bar().width();
    EXPECT_NEAR(this->low(), low, pixel);
    EXPECT_NEAR(this->high(), high, pixel);
    QVERIFY(!view().windowIsAutomatic());
  }

  void theEndsNeverMeet() {
    drag(0.1, 3);
    EXPECT_NEAR(high(), 0.05, 1e-12);
    QVERIFY(low() < high());
  }

  /// A window of 0 is no window, in either unit.
  void theFieldTakesNoWindowOfZero() {
    auto& width = w_->part<QDoubleSpinBox>("windowWidth");
    for (const bool hu : {false, true}) {
      view().setHu(hu);
      width.selectAll();
      QTest::keyClicks(&width, QStringLiteral("0"));
      QTest::keyClick(&width, Qt::Key_Return);
      QVERIFY(width.value() > 0 && view().window() > 0);
      QVERIFY(w_->window->board().tiles()[0]->view().slice().window() == view().window());
    }
  }

  /// Large numbers give up decimals, not their last digits: all of a number is in its field.
  void numbersFitTheirFields_data() {
    QTest::addColumn<double>("window");
    QTest::addColumn<double>("level");
    QTest::addColumn<QString>("shown");
    QTest::newRow("raw values") << 47137.65 << 25185.5 << QStringLiteral("47137.7");
    QTest::newRow("attenuation") << 0.0378 << -0.01805 << QStringLiteral("0.03780");
    QTest::newRow("largest") << 1e6 << -1e6 << QStringLiteral("1000000");
    QTest::newRow("hundreds") << 123.456789 << -123.456789 << QStringLiteral("123.457");
  }
  void numbersFitTheirFields() {
    QFETCH(const double, window);
    QFETCH(const double, level);
    QFETCH(const QString, shown);
    view().setWindowLevel(window, level);
    auto& width = w_->part<QDoubleSpinBox>("windowWidth");
    QCOMPARE(width.text(), shown);
    for (const char* name : {"windowWidth", "windowLevel"}) {
      const auto& line = *w_->part<QDoubleSpinBox>(name).findChild<QLineEdit*>();
      QVERIFY2(line.fontMetrics().horizontalAdvance(line.text()) + 4 <= line.width(),
               qPrintable(line.text()));
    }
    // Enter without an edit changes nothing, not even the digits that are not shown.
    const double exact = view().window();
    QTest::keyClick(&width, Qt::Key_Return);
    QCOMPARE(view().window(), exact);
  }

  void keysMoveTheLevelAndTheWindow() {
    bar().setFocus();
    QTest::keyClick(&bar(), Qt::Key_Right);
    EXPECT_NEAR(view().level(), 0.03 + 0.02 * 0.04, 1e-12);
    QTest::keyClick(&bar(), Qt::Key_Down);
    EXPECT_NEAR(view().window(), 0.04 * 0.95, 1e-12);
  }

  /// Pictures are interpolated only where the box is ticked, from the start.
  void theBoxSaysWhetherPicturesAreSmooth() {
    auto& smooth = w_->part<QCheckBox>("smooth");
    const SliceProp& picture = w_->window->board().tiles()[0]->view().slice().picture();
    QVERIFY(!smooth.isChecked() && !picture.interpolated());
    smooth.click();
    QVERIFY(smooth.isChecked() && picture.interpolated());
    view().setInterpolation(Interpolation::nearest);  // as a session does
    QVERIFY(!smooth.isChecked() && !picture.interpolated());
  }

  /// A tenth of a voxel can be told, however small it is.
  void positionsHaveDigitsForTheVoxel() {
    view().setVoxel(0.5);
    QCOMPARE(view().lengthText(1.26), QStringLiteral("1.3 mm"));
    view().setVoxel(0.01);
    QCOMPARE(view().lengthText(0.0425), QStringLiteral("0.043 mm"));
  }

  void theValuesAreSaidInTheUnitOfTheViews() {
    QCOMPARE(bar().accessibleDescription(), QStringLiteral("black at 0.0100, white at 0.0500"));
    view().setHu(true);  // of water at 0.02
    QCOMPARE(bar().accessibleDescription(), QStringLiteral("black at -500, white at 1500"));
  }
};

GANTRY_TEST(TestGreyScale)
#include "test_grey_scale.moc"
