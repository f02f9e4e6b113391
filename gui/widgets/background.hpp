#pragma once

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <memory>

namespace gantry {

/// Runs `work` on another thread, then calls `done` with its result, or `failed` with a message of
/// one line, on the GUI thread. Calls neither when `context` has been destroyed in the meantime.
template <class Result>
void in_background(QObject* context, std::function<Result()> work, std::function<void(Result)> done,
                   std::function<void(QString)> failed) {
  const QPointer<QObject> guard(context);
  QThreadPool::globalInstance()->start(
      [guard, work = std::move(work), done = std::move(done), failed = std::move(failed)] {
        // The application outlives its thread pool. Whether the context still exists is tested on
        // the context's own thread.
        try {
          auto result = std::make_shared<Result>(work());
          QMetaObject::invokeMethod(
              qApp,
              [guard, result, done] {
                if (guard) done(std::move(*result));
              },
              Qt::QueuedConnection);
        } catch (const std::exception& error) {
          const QString message = QString::fromUtf8(error.what());
          QMetaObject::invokeMethod(
              qApp,
              [guard, message, failed] {
                if (guard) failed(message);
              },
              Qt::QueuedConnection);
        }
      });
}

}  // namespace gantry
