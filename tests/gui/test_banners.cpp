// Messages below the pictures: their text can be selected and copied, and the curves stay readable
// beside them.
#include "gui/track/convergence_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/widgets/selectable_text.hpp"
#include "tests/gui/look_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>

using namespace gantry;
using namespace gantry::test;

class TestBanners : public QObject, LookFixture {
  Q_OBJECT

  SelectableText& show(const QString& message, Banners::Kind kind = Banners::Kind::warning) {
    window().banners().show(QStringLiteral("a"), kind, message);
    auto& text = w_->part<SelectableText>("bannerText");
    [&] { WAIT_FOR(text.isVisible() && text.width() > 100); }();
    QCoreApplication::processEvents();
    return text;
  }
  void activate() {
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
  }
  static QString copied() { return QGuiApplication::clipboard()->text(); }
  /// The middle of the gap before a character of a text of one line.
  static QPoint before(const SelectableText& text, int character) {
    return {text.contentsRect().left() +
                text.fontMetrics().horizontalAdvance(text.text().left(character)),
            text.rect().center().y()};
  }

 private slots:
  void init() { open(); }
  void cleanup() { close(); }

  void theMouseSelects() {
    SelectableText& text = show(QStringLiteral("detector rows do not end in air"));
    const QPoint from = before(text, 9), to = before(text, 17);
    QTest::mousePress(&text, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, text.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&text, &move);
    QTest::mouseRelease(&text, Qt::LeftButton, {}, to);
    QCOMPARE(text.selectedText(), QStringLiteral("rows do "));
    QTest::mouseDClick(&text, Qt::LeftButton, {}, before(text, 11));
    QCOMPARE(text.selectedText(), QStringLiteral("rows"));
    QTest::keyClick(&text, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(copied(), QStringLiteral("rows"));
  }

  /// The keys move the caret of the text, not the slices.
  void theKeyboardSelects() {
    SelectableText& text = show(QStringLiteral("detector rows do not end in air"));
    activate();
    const int slice = window().viewState().slice();
    QVERIFY((text.focusPolicy() & Qt::TabFocus) != 0);
    const QImage without = text.grab().toImage();
    text.setFocus(Qt::TabFocusReason);
    QVERIFY(text.grab().toImage() != without);  // where the focus is, is seen
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers with = {}) {
      QTest::keyClick(&text, key, with);
    };
    for (int i = 0; i < 9; ++i) press(Qt::Key_Right);
    press(Qt::Key_Right, Qt::ShiftModifier | Qt::ControlModifier);
    QCOMPARE(text.selectedText(), QStringLiteral("rows"));
    press(Qt::Key_End, Qt::ShiftModifier);
    QCOMPARE(text.selectedText(), QStringLiteral("rows do not end in air"));
    press(Qt::Key_Home);
    press(Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(text.selectedText(), text.text());
    press(Qt::Key_Up);
    press(Qt::Key_A, Qt::ControlModifier);
    press(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(copied(), text.text());
    QCOMPARE(window().viewState().slice(), slice);
  }

  /// Of a message that is cut, all that is left out is copied, too; lines keep their breaks.
  void aCutMessageIsCopiedWhole() {
    QString message = QStringLiteral("first line\nsecond line\n");
    message += QStringLiteral("and much more of it ").repeated(30).trimmed();
    SelectableText& text = show(message);
    QVERIFY(text.isCut());
    QTest::mouseDClick(&text, Qt::LeftButton, {},
                       {text.contentsRect().left() + 2, text.height() / 4});
    QCOMPARE(text.selectedText(), QStringLiteral("first"));
    const QPoint first = text.contentsRect().topLeft() + QPoint(0, 3),
                 last = text.contentsRect().bottomRight() - QPoint(0, 3);
    QTest::mouseClick(&text, Qt::LeftButton, {}, first);
    QTest::mouseClick(&text, Qt::LeftButton, Qt::ShiftModifier, last);
    QCOMPARE(text.selectedText(), message);
  }

  void aSelectionIsReadable() {
    for (const QPalette& palette : {QPalette(), dark()}) {
      QApplication::setPalette(palette);
      SelectableText& text = show(QStringLiteral("detector rows do not end in air"));
      const QImage plain = text.grab().toImage();
      text.selectAll();
      QVERIFY(text.grab().toImage() != plain);
      const QPalette& colours = text.palette();
      QVERIFY(contrast(colours.color(QPalette::HighlightedText),
                       colours.color(QPalette::Highlight)) >= 4.5);
      window().banners().clear(QStringLiteral("a"));
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
  }

  /// Messages and the bar of a pending edit take room from the curves, but these stay readable.
  void theCurvesStayReadable() {
    window().resize(1280, 800);
    window().applyLayout(WindowLayout::compare);
    const int id = w_->run(0);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    const ChartView& chart = window().convergence().chart();
    w_->model().editRun(id, QStringLiteral("more"),
                        [](RunSpec& run) { run.solver_params.set("relaxation", 0.3); });
    for (const char* subject : {"a", "b", "c"})
      window().banners().show(
          QLatin1String(subject), Banners::Kind::error,
          QLatin1String(subject) + QStringLiteral(" long message").repeated(40));
    WAIT_FOR(w_->part<QWidget>("pendingBar").isVisible() && window().banners().height() > 100);
    QTest::qWait(100);
    constexpr int readable = 90;  // two grid lines, their numbers and the title of the axis
    QVERIFY2(chart.height() >= readable, qPrintable(QString::number(chart.height())));
    QCOMPARE(window().size(), QSize(1280, 800));
  }
};

GANTRY_TEST(TestBanners)
#include "test_banners.moc"
