#pragma once

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <memory>

namespace gantry {

/// Does `work` on another thread, then calls `done` with its result, or `failed` with one line, on
/// the GUI thread; neither when `context` is gone by then.
template <class Result>
void in_background(QObject* context, std::function<Result()> work, std::function<void(Result)> done,
                   std::function<void(QString)> failed) {
  const QPointer<QObject> guard(context);
  QThreadPool::globalInstance()->start(
      [guard, work = std::move(work), done = std::move(done), failed = std::move(failed)] {
        // The application outlives its thread pool; whether the context still lives is looked at on
        // its own thread.
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
