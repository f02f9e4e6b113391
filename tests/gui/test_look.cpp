// How the window looks and is reached: dark palettes, icons, names for screen readers, keyboard.
#include "gui/help/formula_panel.hpp"
#include "gui/panels/panel_docks.hpp"
#include "gui/panels/rail.hpp"
#include "gui/render/painter.hpp"
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
#include "tests/gui/window_fixture.hpp"
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

class TestLook : public QObject {
  Q_OBJECT
  std::unique_ptr<WindowFixture> w_;

  MainWindow& window() { return *w_->window; }
  static QPalette dark() {
    QPalette palette;
    palette.setColor(QPalette::Window, QColor(45, 45, 48));
    palette.setColor(QPalette::Base, QColor(30, 30, 30));
    palette.setColor(QPalette::AlternateBase, QColor(38, 38, 41));
    palette.setColor(QPalette::Button, QColor(60, 60, 64));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
      palette.setColor(role, QColor(235, 235, 235));
    return palette;
  }
  /// WCAG 2.1: relative luminance, and the contrast of two colours.
  static double luminance(const QColor& colour) {
    const auto linear = [](double c) {
      return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
           0.0722 * linear(colour.blueF());
  }
  static double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
  }
  /// Opens every step, so that every form has been shown once; calls body with each.
  void atEveryStep(const std::function<void()>& body) {
    for (const PanelSpec& spec : panel_list()) {
      window().panels().open(spec.key);
      QCoreApplication::processEvents();
      body();
    }
  }
  /// Calls body in every workspace, and with every panel of the inspector and of the track.
  void everywhere(const std::function<void()>& body) {
    for (const WindowLayout layout :
         {WindowLayout::data, WindowLayout::compare, WindowLayout::single, WindowLayout::space,
          WindowLayout::sweep, WindowLayout::present}) {
      window().applyLayout(layout);
      QCoreApplication::processEvents();
      body();
    }
    window().applyLayout(WindowLayout::compare);
    atEveryStep(body);
  }
  /// Controls that a user sees, but for those that Qt makes inside others.
  std::vector<QWidget*> controls() {
    std::vector<QWidget*> found;
    for (QWidget* widget : window().findChildren<QWidget*>()) {
      const bool is_control = qobject_cast<QAbstractButton*>(widget) != nullptr ||
                              qobject_cast<QComboBox*>(widget) != nullptr ||
                              qobject_cast<QAbstractSpinBox*>(widget) != nullptr ||
                              qobject_cast<QLineEdit*>(widget) != nullptr ||
                              qobject_cast<QPlainTextEdit*>(widget) != nullptr ||
                              qobject_cast<QAbstractItemView*>(widget) != nullptr ||
                              qobject_cast<QSlider*>(widget) != nullptr;
      const bool is_inner = widget->objectName().startsWith(QStringLiteral("qt_")) ||
                            qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                            qobject_cast<QComboBox*>(widget->parentWidget()) != nullptr ||
                            qobject_cast<QLineEdit*>(widget->parentWidget()) != nullptr ||
                            widget->inherits("QComboBoxPrivateContainer") ||
                            widget->inherits("QHeaderView") || widget->inherits("QTabBar");
      if (is_control && !is_inner && widget->isVisible()) found.push_back(widget);
    }
    return found;
  }
  /// The colour behind a widget: that of the nearest one around it that fills its ground.
  static QColor groundOf(const QWidget* widget) {
    const bool is_field = qobject_cast<const QLineEdit*>(widget) != nullptr ||
                          qobject_cast<const QAbstractItemView*>(widget) != nullptr;
    if (is_field) return widget->palette().color(QPalette::Base);
    for (const QWidget* at = widget; at != nullptr; at = at->parentWidget())
      if (at->autoFillBackground() || at->isWindow()) return at->palette().color(QPalette::Window);
    return widget->palette().color(QPalette::Window);
  }
  static QString describe(const QWidget* widget) {
    QString path;
    for (; widget != nullptr; widget = widget->parentWidget())
      path += QStringLiteral("%1 \"%2\" < ")
                  .arg(QLatin1String(widget->metaObject()->className()), widget->objectName());
    return path;
  }

 private slots:
  void init() {
    w_ = std::make_unique<WindowFixture>();
    QVERIFY(QTest::qWaitForWindowExposed(w_->window.get()));
    w_->openSpatial();  // several slices, so that no workspace is empty
    WAIT_FOR(w_->isReady());
  }
  void cleanup() {
    QApplication::setPalette(QPalette());
    w_.reset();
  }

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

  void everyButtonHasAName() {
    atEveryStep([this] {
      for (const QAbstractButton* button : window().findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || button->objectName().startsWith(QStringLiteral("qt_")))
          continue;
        const bool is_named = !button->text().isEmpty() || !button->accessibleName().isEmpty() ||
                              !button->toolTip().isEmpty();
        QVERIFY2(is_named, qPrintable(describe(button)));
      }
    });
  }

  void everyControlIsReachedByTab() {
    int controls = 0;
    atEveryStep([&] {
      for (const QWidget* widget : window().findChildren<QWidget*>()) {
        const bool is_control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                                qobject_cast<const QComboBox*>(widget) != nullptr ||
                                qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
                                qobject_cast<const QLineEdit*>(widget) != nullptr;
        if (!is_control || !widget->isVisible() || !widget->isEnabled()) continue;
        if (widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
        QVERIFY2((widget->focusPolicy() & Qt::TabFocus) != 0, qPrintable(describe(widget)));
        ++controls;
      }
    });
    QVERIFY(controls > 40);
  }

  /// A screen reader says every control: by its text, its label, its name or its tool tip.
  void everyControlHasAName() {
    std::set<QWidget*> seen;
    everywhere([&] {
      for (QWidget* control : controls()) {
        if (!seen.insert(control).second) continue;
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(control);
        const bool is_named =
            (interface != nullptr && !interface->text(QAccessible::Name).trimmed().isEmpty()) ||
            !control->toolTip().isEmpty();
        QVERIFY2(is_named, qPrintable(describe(control)));
      }
    });
    QVERIFY(seen.size() > 60);
  }

  /// Who goes through the window by Tab sees where they are.
  void theFocusIsVisible() {
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    std::set<QWidget*> seen;
    everywhere([&] {
      for (QWidget* control : controls()) {
        if (!control->isEnabled() || (control->focusPolicy() & Qt::TabFocus) == 0) continue;
        const auto* list = qobject_cast<QAbstractItemView*>(control);
        if (list != nullptr && list->model() != nullptr && list->model()->rowCount() == 0)
          continue;  // nothing to act on
        if (control->height() < 8 || seen.contains(control)) continue;
        window().setFocus(Qt::OtherFocusReason);
        QCoreApplication::processEvents();
        const QImage without = control->grab().toImage();
        control->setFocus(Qt::TabFocusReason);
        window().setAttribute(Qt::WA_KeyboardFocusChange);  // as the Tab key sets it
        if (!control->hasFocus()) continue;                 // behind a tab
        seen.insert(control);
        QCoreApplication::processEvents();
        QVERIFY2(control->grab().toImage() != without, qPrintable(describe(control)));
      }
    });
    QVERIFY(seen.size() > 40);
  }

  /// The Tab key leads once round the window, past views, their buttons and tool bars, and at each
  /// stop something is seen that was not there before.
  void aRoundByTabShowsEveryStop() {
    window().resize(1280, 800);
    window().activateWindow();
    WAIT_FOR(window().isActiveWindow());
    window().panels().open(QStringLiteral("sinogram"));  // in front of the other tabs
    QCoreApplication::processEvents();
    window().setFocus(Qt::OtherFocusReason);
    std::set<QWidget*> stops;
    bool sees_view = false, sees_tool = false, sees_bar = false;
    QWidget* first = nullptr;
    for (int i = 0; i < 400; ++i) {
      QTest::keyClick(window().focusWidget() != nullptr ? window().focusWidget() : &window(),
                      Qt::Key_Tab);
      QTest::qWait(5);
      QWidget* at = window().focusWidget();
      QVERIFY(at != nullptr);
      if (at == first) break;
      if (first == nullptr) first = at;
      stops.insert(at);
      const QRect place(at->mapTo(&window(), QPoint()), at->size());
      QVERIFY2(at->isVisible() && window().rect().intersects(place), qPrintable(describe(at)));
      sees_view = sees_view || qobject_cast<SliceView*>(at) != nullptr;
      sees_bar = sees_bar || qobject_cast<QToolBar*>(at->parentWidget()) != nullptr;
      sees_tool = sees_tool || at->parentWidget()->objectName() == QStringLiteral("tileTools");
    }
    QVERIFY(first != nullptr && window().focusWidget() == first);
    QVERIFY2(stops.size() > 25, qPrintable(QString::number(stops.size())));
    QVERIFY(sees_view && sees_tool && sees_bar);
    // A view has a frame.
    SliceView& view = window().board().activeTile()->view();
    window().setFocus(Qt::OtherFocusReason);
    QCoreApplication::processEvents();
    const QImage without = window().grab().toImage();
    view.setFocus(Qt::TabFocusReason);
    QCoreApplication::processEvents();
    QVERIFY(window().grab().toImage() != without);
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
};

GANTRY_TEST(TestLook)
#include "test_look.moc"
