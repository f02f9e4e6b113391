#include "core/io/dicom/file/large_stack.hpp"

#include <exception>
#include <new>
#include <pthread.h>

namespace gantry {

namespace {

struct Task {
  const std::function<void()>& work;
  std::exception_ptr thrown;
};

void* run_task(void* argument) {
  auto& task = *static_cast<Task*>(argument);
  try {
    task.work();
  } catch (...) {
    task.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void on_large_stack(std::size_t bytes, const std::function<void()>& work) {
  Task task{work, {}};
  pthread_attr_t attributes;
  pthread_t thread{};
  pthread_attr_init(&attributes);
  int error = pthread_attr_setstacksize(&attributes, bytes);
  if (error == 0) error = pthread_create(&thread, &attributes, run_task, &task);
  pthread_attr_destroy(&attributes);
  if (error != 0) throw std::bad_alloc();  // no memory for the stack
  pthread_join(thread, nullptr);
  if (task.thrown) std::rethrow_exception(task.thrown);
}

}  // namespace gantry
