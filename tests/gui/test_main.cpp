// The main function of test programs that open windows.
#include "core/base/heap_arenas.hpp"
#include "gui/views/vtk_view.hpp"
#include "gui/widgets/window_style.hpp"
#include "tests/support/test_program.hpp"

#include <QApplication>
#include <QSurfaceFormat>

int main(int argc, char** argv) {
  gantry::limit_heap_arenas();  // as the program does
  QSurfaceFormat::setDefaultFormat(gantry::VtkView::surfaceFormat());
  const QApplication application(argc, argv);
  QApplication::setStyle(new gantry::WindowStyle);
  return gantry::test::run_tests(argc, argv);
}
