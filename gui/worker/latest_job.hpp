#pragma once

#include "core/base/interrupt.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <thread>
#include <utility>

namespace gantry {

/// Runs work on another thread; only the latest result counts. Starting new work interrupts the
/// work that is under way and drops its result. No function waits for the work, except the
/// destructor.
class LatestJob : public QObject {
 public:
  using QObject::QObject;
  ~LatestJob() override;

  /// Starts `work`, which must check its Interrupt often. Afterwards calls `done`, or `failed` with
  /// a message of one line, on the thread of this object.
  template <class Result>
  void start(std::function<Result(const Interrupt&)> work, std::function<void(Result)> done,
             std::function<void(QString)> failed) {
    launch([work = std::move(work), done = std::move(done),
            failed = std::move(failed)](const Interrupt& interrupt) -> std::function<void()> {
      try {
        return [done, result = std::make_shared<Result>(work(interrupt))] {
          done(std::move(*result));
        };
      } catch (const std::exception& error) {
        return [failed, message = QString::fromUtf8(error.what())] { failed(message); };
      }
    });
  }
  void cancel();
  /// Returns whether the latest work has not delivered its result yet.
  bool isBusy() const { return busy_; }

 private:
  using Report = std::function<void()>;
  void launch(std::function<Report(const Interrupt&)> work);
  void finish(int ticket, const Report& report);

  int ticket_ = 0;
  bool busy_ = false;
  std::shared_ptr<Interrupt> interrupt_;  // of the latest work
  std::map<int, std::jthread> threads_;   // by ticket, until they have ended
};

}  // namespace gantry
