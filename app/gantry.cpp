// gantry: the window.
#include "app/composition.hpp"
#include "app/thread_policy.hpp"
#include "app/unattended.hpp"
#include "app/version.hpp"
#include "gui/main_window.hpp"
#include "gui/views/vtk_view.hpp"

#include <QApplication>
#include <QCommandLineParser>
#include <QIcon>
#include <QStyleFactory>

#include <cstdio>
#include <exception>
#include <new>

namespace {

int run(QApplication& application) {
  using namespace gantry;
  QCommandLineParser parser;
  parser.setApplicationDescription(
      QStringLiteral("A workbench for iterative X-ray CT reconstruction"));
  parser.addPositionalArgument(QStringLiteral("path"),
                               QStringLiteral("scan, volume, DICOM folder or experiment to open"));
  const QCommandLineOption unattended(
      QStringLiteral("unattended"),
      QStringLiteral("run everything for N iterations, write results, quit"), QStringLiteral("N"));
  const QCommandLineOption out(QStringLiteral("out"), QStringLiteral("where unattended results go"),
                               QStringLiteral("folder"), QStringLiteral("gantry-out"));
  const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("window size in pixels"),
                                QStringLiteral("WxH"));
  parser.addOptions({unattended, out, size});
  parser.addHelpOption();
  parser.addVersionOption();
  parser.process(application);

  Program program = compose();
  program.find_devices();
  MainWindow window(program.catalog, program.backends, QString::fromStdString(version_text()));
  if (parser.isSet(size)) {
    const QStringList sides = parser.value(size).split(QLatin1Char('x'));
    if (sides.size() == 2) window.resize(sides[0].toInt(), sides[1].toInt());
  }
  window.show();
  if (parser.isSet(unattended)) {
    bool number = false;
    const int iterations = parser.value(unattended).toInt(&number);
    if (!number || iterations < 1) {
      std::fprintf(stderr, "gantry: --unattended needs a number of iterations, 1 or more\n");
      return 2;
    }
    new Unattended(window, iterations, parser.value(out));
  }
  if (!parser.positionalArguments().isEmpty())
    window.open(parser.positionalArguments().front());
  else
    window.openReadyExperiment();
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  gantry::wait_without_spinning(argv);
  QSurfaceFormat::setDefaultFormat(gantry::VtkView::surfaceFormat());
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("Gantry"));
  QApplication::setOrganizationName(QStringLiteral("Gantry"));
  QApplication::setApplicationVersion(QString::fromStdString(gantry::version_number()));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/gantry/icons/gantry.png")));
  QGuiApplication::setDesktopFileName(QStringLiteral("gantry"));
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  try {
    return run(application);
  } catch (const std::bad_alloc&) {
    std::fputs("gantry: there is not enough memory; close other programs\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gantry: %s\n", error.what());
  }
  return 1;
}
