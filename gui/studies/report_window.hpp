#pragma once

#include "core/backend/backend_list.hpp"
#include "core/base/interrupt.hpp"
#include "core/catalog/catalog.hpp"

#include <QDialog>

#include <string>
#include <thread>
#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;

namespace gantry {

struct StudyRun;

/// A window that computes all published studies and writes their report, one page of HTML, as
/// `gantry-cli study all` does. It asks before it starts, and for the file; what was computed is
/// written after each study, so that an interrupted report holds the studies before.
///
/// The GUI thread owns the window. A thread of its own computes the studies and writes the file;
/// closing the window interrupts it and waits for its end.
class ReportWindow : public QDialog {
  Q_OBJECT
 public:
  /// `program` is the name and version that the report states. The other objects must outlive the
  /// window.
  ReportWindow(const Catalog& catalog, const BackendList& backends, std::string program,
               QWidget* parent = nullptr);
  ~ReportWindow() override;

  bool isComputing() const { return computing_; }
  /// Computes the studies of these keys, or all if there are none, and writes the report.
  void start(const QString& path, const std::vector<std::string>& keys = {});

 signals:
  void finished();  ///< the report is written, or could not be

 private:
  void ask();
  void compute(const QString& path, const std::vector<std::string>& keys);
  void tell(double done, const QString& what);
  void end(const QString& text, const QString& path);

  const Catalog& catalog_;
  const BackendList& backends_;
  const std::string program_;
  bool computing_ = false;
  Interrupt interrupt_;
  QLabel* text_;
  QProgressBar* progress_;
  QPushButton* start_;
  std::jthread thread_;  // the last member: joined before other members are destroyed
};

}  // namespace gantry
