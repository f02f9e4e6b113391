// gantry: the program with the window.
#include "app/composition.hpp"
#include "app/signal_notifier.hpp"
#include "app/start_timer.hpp"
#include "app/thread_policy.hpp"
#include "app/unattended.hpp"
#include "app/version.hpp"
#include "core/base/error.hpp"
#include "core/base/heap_arenas.hpp"
#include "gui/main_window.hpp"
#include "gui/session/autosave.hpp"
#include "gui/session/program_end.hpp"
#include "gui/session/session_files.hpp"
#include "gui/start/start_page.hpp"
#include "gui/views/vtk_view.hpp"
#include "gui/widgets/banners.hpp"
#include "gui/widgets/window_style.hpp"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QScreen>
#include <QSessionManager>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

namespace {

using namespace gantry;

constexpr int usual_autosave_s = 60;

/// Gives the window a size, and moves a window that stood elsewhere before back onto its screen.
void resize_on_screen(QWidget& window, const QSize& size) {
  window.resize(size);
  const QScreen* screen = window.screen();
  if (screen == nullptr || !window.testAttribute(Qt::WA_Moved)) return;  // stood nowhere yet
  const QRect room = screen->availableGeometry();
  const auto within = [](int at, int least, int most) {
    return std::max(least, std::min(at, most));
  };
  window.move(within(window.x(), room.left(), room.right() + 1 - size.width()),
              within(window.y(), room.top(), room.bottom() + 1 - size.height()));
}

/// Returns the interval of automatic saving, s; 0: none.
double autosave_seconds() {
  const QByteArray given = qgetenv("GANTRY_AUTOSAVE");
  if (given.isEmpty())
    return std::max(
        0.0, QSettings().value(QStringLiteral("autosaveSeconds"), usual_autosave_s).toDouble());
  return std::max(0.0, given.toDouble());  // a text such as "off" gives 0
}

/// Returns null if automatic saving is off, or if its folder cannot be made, which a banner
/// reports.
Autosave* make_autosave(MainWindow& window) {
  const double seconds = autosave_seconds();
  if (seconds == 0) return nullptr;
  const QString base = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
  try {
    auto* autosave = new Autosave(window, base + QStringLiteral("/autosave"), seconds);
    autosave->keepOnClose();
    autosave->offerOn(window.startPage());
    autosave->offerRestoring();
    return autosave;
  } catch (const Error& error) {
    window.banners().show(QStringLiteral("autosave"), Banners::Kind::error,
                          QString::fromUtf8(error.what()));
    return nullptr;
  }
}

const QString started = QStringLiteral("started");

/// Whether nobody has used the program before: it was never started, no window was ever closed, or
/// has left anything.
bool is_first_start(const Autosave* autosave) {
  const QSettings settings;
  return !settings.contains(started) && !settings.contains(QStringLiteral("geometry")) &&
         (autosave == nullptr || autosave->earlier().empty());
}

/// Written at once, because a program that is killed writes nothing at its end.
void remember_start() {
  QSettings settings;
  settings.setValue(started, true);
  settings.sync();
}

/// Whether the program is only asked what it can do, which needs no display.
bool only_tells(int argc, char** argv) {
  constexpr std::array<std::string_view, 5> questions = {"-h", "--help", "--help-all", "-v",
                                                         "--version"};
  return std::any_of(argv, argv + argc, [&](const char* argument) {
    return std::ranges::find(questions, argument) != questions.end();
  });
}

int run(QApplication& application) {
  QCommandLineParser parser;
  parser.setApplicationDescription(
      QStringLiteral("A workbench for iterative X-ray CT reconstruction"));
  parser.addPositionalArgument(
      QStringLiteral("path"),
      QStringLiteral("scan, volume, DICOM folder, session or experiment to open"));
  const QCommandLineOption unattended(
      QStringLiteral("unattended"),
      QStringLiteral("run everything for N iterations, write results, quit"), QStringLiteral("N"));
  const QCommandLineOption out(QStringLiteral("out"), QStringLiteral("where unattended results go"),
                               QStringLiteral("folder"), QStringLiteral("gantry-out"));
  const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("window size in pixels"),
                                QStringLiteral("WxH"));
  const QCommandLineOption time_start(
      QStringLiteral("time-start"),
      QStringLiteral("print how long the first picture takes after the start, then quit"));
  parser.addOptions({unattended, out, size, time_start});
  parser.addHelpOption();
  parser.addVersionOption();
  parser.process(application);

  Program program = compose();
  program.find_devices();
  MainWindow window(program.catalog, program.backends, QString::fromStdString(version_text()));
  if (parser.isSet(size)) {
    const QStringList sides = parser.value(size).split(QLatin1Char('x'));
    if (sides.size() == 2) resize_on_screen(window, {sides[0].toInt(), sides[1].toInt()});
  }
  new SessionFiles(window);
  window.show();
  if (parser.isSet(time_start)) new StartTimer(window);
  if (parser.isSet(unattended)) {
    bool number = false;
    const int iterations = parser.value(unattended).toInt(&number);
    if (!number || iterations < 1) {
      std::fprintf(stderr, "gantry: --unattended needs a number of iterations, 1 or more\n");
      return 2;
    }
    new Unattended(window, iterations, parser.value(out));
  }
  Autosave* autosave = parser.isSet(unattended) ? nullptr : make_autosave(window);
  const SignalNotifier signal_notifier;
  auto* end = new ProgramEnd(window, autosave);
  QObject::connect(&signal_notifier, &SignalNotifier::received, end, &ProgramEnd::endBySignal);
  QObject::connect(
      &application, &QGuiApplication::commitDataRequest, end,
      [end](QSessionManager& session) {
        const bool may_ask = session.allowsInteraction();
        if (!end->endSession(may_ask)) session.cancel();
        if (may_ask) session.release();
      },
      Qt::DirectConnection);
  const bool is_first = is_first_start(autosave);
  if (!parser.isSet(unattended)) remember_start();
  if (!parser.positionalArguments().isEmpty())
    window.open(parser.positionalArguments().front());
  else if (parser.isSet(unattended) || is_first)
    window.openReadyExperiment();
  else
    window.showStartPage();
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  gantry::wait_without_spinning(argv);
  gantry::limit_heap_arenas();
  // A write beyond the limit of file size then fails with an error message.
  std::signal(SIGXFSZ, SIG_IGN);
  if (only_tells(argc, argv)) qputenv("QT_QPA_PLATFORM", "offscreen");
  QSurfaceFormat::setDefaultFormat(gantry::VtkView::surfaceFormat());
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("Gantry"));
  QApplication::setOrganizationName(QStringLiteral("Gantry"));
  QApplication::setApplicationVersion(QString::fromStdString(gantry::version_number()));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/gantry/icons/gantry.png")));
  QGuiApplication::setDesktopFileName(QStringLiteral("gantry"));
  QApplication::setStyle(new gantry::WindowStyle);
  try {
    return run(application);
  } catch (const std::bad_alloc&) {
    std::fputs("gantry: there is not enough memory; close other programs\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gantry: %s\n", error.what());
  }
  return 1;
}
