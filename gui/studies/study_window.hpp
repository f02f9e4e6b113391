#pragma once

#include "core/base/interrupt.hpp"
#include "studies/study.hpp"

#include <QDialog>

#include <memory>
#include <thread>

class QLabel;
class QTabWidget;

namespace gantry {

class ChartView;

/// A window that computes a published table or figure and shows the results: tables with the
/// printed values beside the computed values, and charts. The computation takes seconds to minutes
/// on its own thread; closing the window interrupts the computation and waits for its end.
class StudyWindow : public QDialog {
  Q_OBJECT
 public:
  /// Starts the computation. Objects that `options` refer to must outlive the window; interrupt and
  /// progress are replaced by the window's own.
  explicit StudyWindow(const Study& study, StudyOptions options = {}, QWidget* parent = nullptr);
  ~StudyWindow() override;

  bool isComputing() const { return computing_; }
  const QTabWidget& pages() const { return *pages_; }

 signals:
  /// Asks for the menu of a chart: of this name for files, which shows what `caption` says.
  void chartMenuAsked(gantry::ChartView& chart, const QString& name, const QString& caption,
                      const QPoint& global);

 private:
  void showResult(const StudyResult& result);
  void addTable(const StudyTable& table);
  void addChart(const StudyChart& chart);

  void showProgress(double done, const QString& what);

  bool computing_ = true;
  Interrupt interrupt_;
  QLabel* text_;
  QTabWidget* pages_;
  std::jthread thread_;  // the last member: joined before other members are destroyed
};

}  // namespace gantry
