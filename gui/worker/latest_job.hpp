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

/// Work on another thread of which only the latest counts: to start it anew interrupts what is
/// under way, whose outcome is dropped. Nobody waits, but for the end of this object.
class LatestJob : public QObject {
 public:
  using QObject::QObject;
  ~LatestJob() override;

  /// `work` is asked to give way through its Interrupt. `done` or, with one line, `failed` is
  /// called on this object's thread.
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
  /// Whether the outcome of the latest is still to come.
  bool isBusy() const { return busy_; }

 private:
  using Tell = std::function<void()>;
  void launch(std::function<Tell(const Interrupt&)> work);
  void finish(int ticket, const Tell& tell);

  int ticket_ = 0;
  bool busy_ = false;
  std::shared_ptr<Interrupt> interrupt_;  // of the latest
  std::map<int, std::jthread> threads_;   // by ticket, until their ends are known
};

}  // namespace gantry
