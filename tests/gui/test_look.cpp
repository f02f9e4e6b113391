// How the window looks and is reached: dark palettes, icons, names for screen readers, keyboard.
#include "gui/help/formula_panel.hpp"
#include "gui/panels/rail.hpp"
#include "gui/render/painting/window_texts.hpp"
#include "gui/runs/run_card.hpp"
#include "gui/runs/runs_panel.hpp"
#include "gui/top_bar.hpp"
#include "gui/track/convergence_panel.hpp"
#include "gui/track/profile_panel.hpp"
#include "gui/views/chart_view.hpp"
#include "gui/views/slice_view.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/widgets/icons.hpp"
#include "gui/widgets/palette.hpp"
#include "tests/gui/look_fixture.hpp"
#include "tests/support/test_program.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSlider>
#include <QStyleOptionButton>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <set>

using namespace gantry;
using namespace gantry::test;

class TestLook : public QObject, LookFixture {
  Q_OBJECT
 private slots:
  void init() { open(); }
  void cleanup() { close(); }

  /// Charts stand beside the pictures: they are dark where the stage is, whatever the palette.
  void chartsAreAsDarkAsTheStage() {
    const auto brightness = [this] {
      QCoreApplication::processEvents();
      return qGray(window().convergence().chart().grabImage(1).pixel(2, 2));
    };
    auto* light = window().findChild<QAction*>(QStringLiteral("lightStage"));
    for (const QPalette& palette : {QPalette(), dark()}) {
      QApplication::setPalette(palette);
      QVERIFY(brightness() < 60);
      light->trigger();
      QVERIFY(brightness() > 200);
      light->trigger();
      QVERIFY(brightness() < 60);
    }
  }

  /// In every workspace, half of a screen of 1920 pixels suffices, which is also what a scale
  /// factor of 2 leaves of that screen; with a panel of the inspector, a screen of 1280 x 800.
  void theWindowFitsASmallScreen() {
    const MainWindow fresh(w_->program.catalog, w_->program.backends,
                           QStringLiteral("Gantry test"));
    QVERIFY(fresh.height() <= 900);  // as it asks for, where the screen has room
    everywhere([&] {
      const QSize least = window().minimumSizeHint();
      const bool inspects = std::ranges::any_of(panel_list(), [&](const PanelSpec& spec) {
        const auto* dock = window().findChild<QDockWidget*>(spec.key);
        return spec.place == PanelPlace::inspector && dock != nullptr && dock->isVisible();
      });
      QVERIFY2(least.width() <= (inspects ? 1280 : 960) && least.height() <= 700,
               qPrintable(QStringLiteral("%1 x %2").arg(least.width()).arg(least.height())));
    });
  }

  /// Whatever panels need while they come and go.
  void workspacesKeepTheSizeOfTheWindow() {
    window().resize(960, 560);
    QCoreApplication::processEvents();
    for (const WindowLayout layout :
         {WindowLayout::data, WindowLayout::compare, WindowLayout::sweep, WindowLayout::present,
          WindowLayout::data}) {
      window().applyLayout(layout);
      WAIT_FOR(window().size() == QSize(960, 560));
    }
  }

  /// Also after their texts have become longer.
  void wrappedTextsAreShownWhole() {
    window().resize(1280, 800);
    atEveryStep([&] {
      const auto cut = [&]() -> const QLabel* {
        for (const QLabel* label : window().findChildren<QLabel*>())
          if (label->isVisible() && label->wordWrap() && !label->text().isEmpty() &&
              label->height() < label->heightForWidth(label->width()))
            return label;
        return nullptr;
      };
      const bool whole = QTest::qWaitFor([&] { return cut() == nullptr; }, 2000);
      QVERIFY2(whole, qPrintable(whole ? QString() : describe(cut()) + cut()->text()));
    });
  }

  /// A desktop may state a light alternate ground for a dark window.
  void cardsFitTheWindow() {
    QPalette palette = dark();
    palette.setColor(QPalette::AlternateBase, Qt::white);
    QApplication::setPalette(palette);
    window().panels().open(QStringLiteral("runs"));
    QCoreApplication::processEvents();
    const auto cards = window().findChildren<RunCard*>();
    QVERIFY(cards.size() > 1);
    for (RunCard* card : cards)
      QVERIFY(contrast(card->grab().toImage().pixelColor(card->width() / 2, 4),
                       palette.color(QPalette::WindowText)) >= 4.5);
  }

  /// Icons are drawn in the text colour of the palette in force, also if it changes afterwards.
  void iconsAreVisibleOnEveryGround() {
    const QIcon icon = lineIcon(QStringLiteral("stop"));
    QVERIFY(!icon.isNull());
    for (const QPalette& palette : {QPalette(), dark(), QPalette()}) {
      QApplication::setPalette(palette);
      const QColor ink = icon.pixmap(24, 24).toImage().pixelColor(12, 12);
      QVERIFY(contrast(ink, palette.color(QPalette::Window)) >= 4.5);
    }
    QVERIFY(lineIcon(QStringLiteral("no such icon")).isNull());
  }

  /// WCAG 2.1 AA, on light and dark windows; messages included.
  void textsHaveContrast() {
    for (const QPalette& palette : {QPalette(), dark()}) {
      QApplication::setPalette(palette);
      window().banners().show(QStringLiteral("a"), Banners::Kind::error, QStringLiteral("error"));
      window().banners().show(QStringLiteral("b"), Banners::Kind::note, QStringLiteral("note"));
      window().banners().ask(QStringLiteral("c"), QStringLiteral("question"), {});
      QCoreApplication::processEvents();
      int texts = 0;
      everywhere([&] {
        for (QWidget* widget : window().findChildren<QWidget*>()) {
          const bool has_text = qobject_cast<QLabel*>(widget) != nullptr ||
                                qobject_cast<QCheckBox*>(widget) != nullptr ||
                                qobject_cast<QLineEdit*>(widget) != nullptr;
          if (!has_text || !widget->isVisible() || !widget->isEnabled()) continue;
          const QColor ink = widget->palette().color(widget->foregroundRole());
          QVERIFY2(contrast(ink, groundOf(widget)) >= 4.5,
                   qPrintable(ink.name() + QStringLiteral(" on ") + groundOf(widget).name() +
                              QStringLiteral(": ") + describe(widget)));
          ++texts;
        }
      });
      QVERIFY(texts > 40);
      for (const char* subject : {"a", "b", "c"}) window().banners().clear(QLatin1String(subject));
    }
  }

  /// A dark desktop whose disabled texts are hardly seen, and whose selections are white on light
  /// blue: what is disabled is read with 3:1 at least, a chosen button with 4.5:1.
  void faintPalettesAreMadeReadable() {
    QPalette faint = dark();
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
      faint.setColor(QPalette::Disabled, role, QColor(75, 75, 78));
    faint.setColor(QPalette::Highlight, QColor(0x3d, 0xae, 0xe9));
    faint.setColor(QPalette::HighlightedText, Qt::white);
    for (const QPalette& palette : {QPalette(), faint}) {
      QApplication::setPalette(palette);
      QCoreApplication::processEvents();
      int disabled = 0, chosen = 0;
      everywhere([&] {
        for (QWidget* widget : window().findChildren<QWidget*>()) {
          const auto* button = qobject_cast<QAbstractButton*>(widget);
          if (!widget->isVisible()) continue;
          if (button != nullptr && button->isChecked() && button->isEnabled()) {
            QVERIFY2(contrast(widget->palette().color(QPalette::HighlightedText),
                              widget->palette().color(QPalette::Highlight)) >= 4.5,
                     qPrintable(describe(widget)));
            ++chosen;
          }
          const bool has_text = qobject_cast<QLabel*>(widget) != nullptr || button != nullptr ||
                                qobject_cast<QComboBox*>(widget) != nullptr ||
                                qobject_cast<QAbstractSpinBox*>(widget) != nullptr;
          if (!has_text || widget->isEnabled()) continue;
          const QColor ink = widget->palette().color(QPalette::Disabled, widget->foregroundRole());
          const QColor ground =
              button != nullptr ? widget->palette().color(QPalette::Button) : groundOf(widget);
          QVERIFY2(contrast(ink, ground) >= 3, qPrintable(describe(widget)));
          ++disabled;
        }
      });
      QVERIFY(disabled > 5 && chosen > 5);
    }
  }

  /// In Compare, a message takes its room from the track: the pictures stay where they are. They
  /// give way to further ones, so that the curves stay readable (TestBanners).
  void messagesLeaveThePicturesInPlace() {
    window().resize(1280, 800);
    window().applyLayout(WindowLayout::compare);
    QCoreApplication::processEvents();
    QTest::qWait(50);
    Banners& banners = window().banners();
    const auto place = [this] { return window().board().geometry(); };
    const auto* track = window().findChild<QDockWidget*>(QStringLiteral("convergence"));
    QVERIFY(track != nullptr && track->isVisible());
    const QRect before = place();
    const int height = track->height();
    banners.show(QStringLiteral("a"), Banners::Kind::error, QStringLiteral("error"));
    WAIT_FOR(banners.isVisible() && track->height() < height);
    WAIT_FOR(place() == before);
    // A second one takes what the track can give, and the rest from the pictures.
    banners.show(QStringLiteral("b"), Banners::Kind::warning, QStringLiteral("warning"));
    WAIT_FOR(place().height() < before.height());
    banners.clear(QStringLiteral("b"));
    WAIT_FOR(place() == before);
    banners.clear(QStringLiteral("a"));
    WAIT_FOR(track->height() == height);
    WAIT_FOR(place() == before);
    // So does the bar of an edit that waits.
    const int id = w_->run(0);
    w_->controller().start(id);
    WAIT_FOR(w_->state(id) == RunState::finished);
    WAIT_FOR(place() == before);
    w_->model().editRun(id, QStringLiteral("more"),
                        [](RunSpec& run) { run.solver_params.set("relaxation", 0.3); });
    WAIT_FOR(w_->part<QWidget>("pendingBar").isVisible() && track->height() < height);
    WAIT_FOR(place() == before);
    w_->model().undoStack().undo();
    // Also after other workspaces, some of them without the track.
    banners.show(QStringLiteral("a"), Banners::Kind::error, QStringLiteral("error"));
    for (const WindowLayout layout :
         {WindowLayout::sweep, WindowLayout::compare, WindowLayout::data, WindowLayout::compare}) {
      window().applyLayout(layout);
      QTest::qWait(20);
    }
    WAIT_FOR(place() == before);
    banners.clear(QStringLiteral("a"));
    WAIT_FOR(track->height() == height);
    WAIT_FOR(place() == before);
  }

  /// Unlike a note, a warning stays until it is closed, whatever its reader does.
  void warningsStay() {
    Banners& banners = window().banners();
    window().applyLayout(WindowLayout::compare);
    banners.show(QStringLiteral("w"), Banners::Kind::warning, QStringLiteral("warning"));
    QVERIFY(banners.findChildren<QTimer*>().isEmpty());
    window().findChild<TopBar*>()->chooseWorkspace(0);
    QVERIFY(banners.has(QStringLiteral("w")));
    w_->bannerButton(QStringLiteral("✕"))->click();
    QVERIFY(!banners.has(QStringLiteral("w")));
  }

  /// In no workspace do messages lie over anything.
  void messagesCoverNothing() {
    Banners& banners = window().banners();
    banners.show(QStringLiteral("a"), Banners::Kind::error, QStringLiteral("error"));
    banners.show(QStringLiteral("b"), Banners::Kind::note,
                 QStringLiteral("A long note. ").repeated(40));
    const auto place = [this](const QWidget& widget) {
      return QRect(widget.mapTo(&window(), QPoint()), widget.size());
    };
    const auto holds = [&] {
      QCoreApplication::processEvents();
      QVERIFY(banners.isVisible() && banners.height() > 20);
      QVERIFY(window().centralWidget()->rect().contains(banners.geometry()));
      for (const QLabel* text : banners.findChildren<QLabel*>())
        QVERIFY(text->height() >= text->heightForWidth(text->width()));
      for (const QWidget* part : window().findChildren<QWidget*>()) {
        if (!part->isVisible() || part->window() != &window()) continue;
        if (part->isAncestorOf(&banners) || banners.isAncestorOf(part) || part == &banners)
          continue;
        QVERIFY2(!place(*part).intersects(place(banners)), qPrintable(describe(part)));
      }
    };
    for (const WindowLayout layout :
         {WindowLayout::compare, WindowLayout::data, WindowLayout::space, WindowLayout::sweep}) {
      window().applyLayout(layout);
      holds();
    }
    window().showStartPage();
    holds();
    for (const char* subject : {"a", "b"}) banners.clear(QLatin1String(subject));
    QVERIFY(!banners.isVisible());
  }

  /// A note goes by itself, and when its reader goes to another workspace; an error stays.
  void notesGoByThemselves() {
    Banners& banners = window().banners();
    window().applyLayout(WindowLayout::compare);
    const auto show = [&] {
      banners.show(QStringLiteral("a"), Banners::Kind::error, QStringLiteral("error"));
      banners.show(QStringLiteral("b"), Banners::Kind::note, QStringLiteral("note"));
    };
    show();
    const QList<QTimer*> timers = banners.findChildren<QTimer*>();
    QCOMPARE(timers.size(), 1);
    QVERIFY(timers.front()->isActive() && timers.front()->interval() == 15000);
    timers.front()->start(0);
    WAIT_FOR(!banners.has(QStringLiteral("b")));
    QVERIFY(banners.has(QStringLiteral("a")));
    show();
    window().findChild<TopBar*>()->chooseWorkspace(0);
    QVERIFY(!banners.has(QStringLiteral("b")) && banners.has(QStringLiteral("a")));
  }

  /// What is chosen is seen on dark grounds, too.
  void theWorkspaceIsMarked() {
    for (const QPalette& palette : {QPalette(), dark()}) {
      QApplication::setPalette(palette);
      window().applyLayout(WindowLayout::compare);
      QCoreApplication::processEvents();
      const auto ground = [this](const QString& text) {
        for (QToolButton* button : window().findChildren<QToolButton*>())
          if (button->text() == text && button->isVisible())
            return button->grab().toImage().pixelColor(4, button->height() / 2);
        return QColor();
      };
      QVERIFY(contrast(ground(QStringLiteral("Compare")), ground(QStringLiteral("Data"))) >= 1.5);
    }
  }

  /// The light stage is remembered.
  void theStageMayBeLight() {
    auto* light = window().findChild<QAction*>(QStringLiteral("lightStage"));
    QVERIFY(!light->isChecked());
    const auto ground = [this] {
      return window().board().palette().color(QPalette::Window).lightness();
    };
    QVERIFY(ground() < 30);
    light->trigger();
    QVERIFY(QSettings().value(QStringLiteral("lightStage")).toBool());
    QVERIFY(ground() > 180);
    light->trigger();
    QVERIFY(ground() < 30);
  }

  /// Before an audience: larger texts, no forms, the lesson below the pictures, the full screen.
  void presentingShowsTheLesson() {
    w_->startFirstLesson();
    WAIT_FOR(w_->isReady());
    auto* lesson = window().findChild<QLabel*>(QStringLiteral("lessonText"));
    WAIT_FOR(lesson->isVisible());
    const auto y = [&](const QWidget* widget) { return widget->mapTo(&window(), QPoint()).y(); };
    QVERIFY(y(lesson) < y(&window().board()));
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    const double before = textScale();
    QTest::keyClick(&window(), Qt::Key_F);
    WAIT_FOR(window().isFullScreen() && y(lesson) > y(&window().board()));
    QVERIFY(textScale() > 1.5 * before);
    QCOMPARE(lesson->font().pointSize(), 16);
    auto* formula = window().findChild<QLabel*>(QStringLiteral("lessonFormula"));
    for (const int id : w_->model().runIds()) {  // that of the selected run
      window().runs().selectRun(id);
      QVERIFY(formula->isVisible() &&
              formula->text().contains(QString::fromStdString(w_->controller().label(id))));
      const auto& solver = w_->program.catalog.solvers.at(w_->model().run(id)->solver);
      QVERIFY(formula->text().contains(typeset(QString::fromStdString(solver.formula))));
    }
    QVERIFY(!window().findChild<QComboBox*>(QStringLiteral("quantity"))->isVisible());
    QTest::keyClick(&window(), Qt::Key_F);
    WAIT_FOR(!window().isFullScreen() && y(lesson) < y(&window().board()));
    QCOMPARE(textScale(), before);
    QVERIFY(formula->isHidden());
    QVERIFY(window().findChild<QComboBox*>(QStringLiteral("quantity"))->isVisible());
  }

  /// The texts at the bottom keep from the edges of the screen.
  void theStatusKeepsFromTheEdges() {
    window().showFullScreen();
    WAIT_FOR(window().isFullScreen());
    QTest::qWait(50);
    const auto& last = w_->part<QLabel>("statusDevice");
    const auto& first = w_->part<QLabel>("statusRuns");
    const auto x = [this](const QLabel& label, const QPoint& at) {
      return label.mapTo(&window(), at).x();
    };
    QVERIFY(x(last, last.contentsRect().topRight()) <= window().width() - 6);
    QVERIFY(x(first, first.contentsRect().topLeft()) >= 4);
  }

  /// The full screen may end while presenting goes on: the forms do not come back.
  void presentingGoesOnWithoutTheFullScreen() {
    w_->startFirstLesson();
    WAIT_FOR(w_->isReady());
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    QTest::keyClick(&window(), Qt::Key_F);
    WAIT_FOR(window().isFullScreen() && window().layout() == WindowLayout::present);
    auto* full = window().findChild<QAction*>(QStringLiteral("fullScreen"));
    for (const bool on : {false, true}) {
      full->trigger();
      WAIT_FOR(window().isFullScreen() == on);
      QTest::qWait(100);  // for the panels, which may come later
      QCOMPARE(window().layout(), WindowLayout::present);
      QVERIFY(!window().panels().rail().isVisible());
    }
    QTest::keyClick(&window(), Qt::Key_F);
    WAIT_FOR(!window().isFullScreen() && window().panels().rail().isVisible());
  }

  /// A lesson is about its pictures, from whichever workspace it was chosen.
  void aLessonShowsItsPictures() {
    for (const WindowLayout layout : {WindowLayout::sweep, WindowLayout::data}) {
      window().applyLayout(layout);
      w_->startFirstLesson();
      WAIT_FOR(w_->isReady());
      WAIT_FOR(window().layout() == WindowLayout::compare && window().board().isVisible());
    }
  }

  void theHistogramSaysWhoseItIs() {
    window().panels().open(QStringLiteral("histogram"));
    const SliceTile* tile = window().board().activeTile();
    const ChartView* chart = window().findChild<HistogramPanel*>()->findChild<ChartView*>();
    WAIT_FOR(chart->chart().titleX().name == "μ of " + tile->title().toStdString());
  }

  /// WCAG 2.1, 1.4.11: who sees no frame does not know that there is something to tick.
  void emptyBoxesAreSeen() {
    for (const QPalette& palette : {QPalette(), dark()}) {
      QApplication::setPalette(palette);
      QWidget ground;
      auto* box = new QCheckBox(&ground);
      auto* list = new QListWidget(&ground);
      list->setGeometry(0, 40, 200, 60);
      list->setFrameShape(QFrame::NoFrame);
      auto* item = new QListWidgetItem(list);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable);
      item->setCheckState(Qt::Unchecked);
      ground.show();
      QVERIFY(QTest::qWaitForWindowExposed(&ground));
      const auto weakest_frame = [](QWidget* widget, QRect frame, QPalette::ColorRole role) {
        const QImage image = widget->grab().toImage();
        const QColor behind = widget->palette().color(role);
        frame = QRect(frame.topLeft() * image.devicePixelRatio(),
                      frame.size() * image.devicePixelRatio());
        double least = 21;
        for (int x = frame.left(); x <= frame.right(); ++x)
          for (const int y : {frame.top(), frame.bottom()})
            least = std::min(least, contrast(image.pixelColor(x, y), behind));
        return least;
      };
      QStyleOptionButton option;
      option.initFrom(box);
      const double of_box = weakest_frame(
          box, box->style()->subElementRect(QStyle::SE_CheckBoxIndicator, &option, box),
          QPalette::Window);
      QVERIFY2(of_box >= 3, qPrintable(QString::number(of_box)));
      // The box of an item is as high as that of a check box, and lies in the middle of its row.
      const QImage image = list->viewport()->grab().toImage();
      const QColor base = palette.color(QPalette::Base);
      int seen = 0;
      for (int x = 0; x < 20; ++x)
        seen += contrast(image.pixelColor(x, list->visualItemRect(item).center().y()), base) >= 3;
      QCOMPARE(seen, 2);  // its left and its right side
    }
  }

  void secondaryTextIsReadable() {
    for (const QPalette& palette : {QPalette(), dark()})
      QVERIFY(contrast(mutedText(palette), palette.color(QPalette::Window)) >= 4.5);
  }

  /// A window that was closed in another workspace begins with the panels of its own.
  void panelsAreThoseOfTheWorkspace() {
    WindowFixture w;
    const auto curves = [](MainWindow& window) {
      return window.findChild<QDockWidget*>(QStringLiteral("convergence"));
    };
    WAIT_FOR(curves(*w.window)->isVisible());
    w.window->applyLayout(WindowLayout::sweep);
    QVERIFY(!curves(*w.window)->isVisible());
    QVERIFY(w.window->close());
    MainWindow again(w.program.catalog, w.program.backends, QStringLiteral("Gantry test"));
    again.show();
    WAIT_FOR(curves(again)->isVisible());
    // A panel that was closed in this workspace stays closed.
    curves(again)->close();
    QVERIFY(again.close());
    MainWindow third(w.program.catalog, w.program.backends, QStringLiteral("Gantry test"));
    third.show();
    QVERIFY(QTest::qWaitForWindowExposed(&third));
    QVERIFY(!curves(third)->isVisible());
  }
};

GANTRY_TEST(TestLook)
#include "test_look.moc"
