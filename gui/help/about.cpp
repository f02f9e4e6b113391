#include "gui/help/about.hpp"

#include <QApplication>
#include <QMessageBox>
#include <vtkVersion.h>

namespace gantry {

QString about_text(const BackendList& backends, const QString& version) {
  QString text = QStringLiteral("<h3>%1</h3><p>%2</p><p><b>%3</b></p><ul>")
                     .arg(version.toHtmlEscaped(),
                          QObject::tr("A workbench for iterative X-ray CT reconstruction"),
                          QObject::tr("Devices"));
  for (const auto& entry : backends.entries()) {
    const QString name = QString::fromStdString(entry.name).toHtmlEscaped();
    text +=
        entry.available()
            ? QStringLiteral("<li>%1</li>").arg(name)
            : QStringLiteral("<li>%1: %2 (%3)</li>")
                  .arg(
                      name, QObject::tr("not available"),
                      QString::fromStdString(entry.backend->unavailable_because()).toHtmlEscaped());
  }
  text +=
      QStringLiteral("</ul><p>Qt %1, VTK %2</p><p>%3</p>")
          .arg(QString::fromLatin1(qVersion()), QString::fromLatin1(vtkVersion::GetVTKVersion()),
               QObject::tr("BSD 3-Clause licence. No diagnostic use."));
  return text;
}

void show_about(QWidget* parent, const BackendList& backends, const QString& version) {
  QMessageBox box(parent);
  box.setWindowTitle(QObject::tr("About Gantry"));
  box.setTextFormat(Qt::RichText);
  box.setIconPixmap(QApplication::windowIcon().pixmap(64, 64));
  box.setText(about_text(backends, version));
  box.exec();
}

}  // namespace gantry
