#include "core/backend/lazy_backend.hpp"

#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"

#include <cstdlib>
#include <utility>

namespace gantry {

namespace {

constexpr const char* limit_variable = "GANTRY_DEVICE_MEMORY";

}  // namespace

std::optional<std::size_t> memory_limit_of_environment() {
  const char* text = std::getenv(limit_variable);
  if (text == nullptr || *text == 0) return std::nullopt;
  return parse_bytes(text, limit_variable);
}

LazyBackend::LazyBackend(BackendKind kind, std::string name, Make make)
    : kind_(kind), name_(std::move(name)), make_(std::move(make)) {}

LazyBackend::LazyBackend(std::unique_ptr<Backend> made, std::string name)
    : kind_(made->kind()), name_(std::move(name)), backend_(std::move(made)) {}

LazyBackend::LazyBackend(std::string name, std::string because)
    : kind_(BackendKind::cuda),
      name_(std::move(name)),
      impossible_(true),
      because_(std::move(because)) {}

std::optional<std::size_t> LazyBackend::limit() const {
  if (limit_bytes_ || kind_ == BackendKind::cpu) return limit_bytes_;
  return memory_limit_of_environment();
}

void LazyBackend::make() {
  const auto most = limit();
  try {
    backend_ = make_();
    if (most) backend_->limit_memory(*most);
    because_.clear();
  } catch (const UsageError&) {
    throw;  // the user has to correct a wrong setting: no other backend is tried
  } catch (const OutOfMemory& error) {
    because_ = error.what();  // not final: other processes may release memory
  } catch (const Error& error) {
    because_ = error.what();
    impossible_ = true;
  }
}

Backend* LazyBackend::get() {
  const std::scoped_lock lock(mutex_);
  if (backend_ == nullptr && !impossible_) make();
  return backend_.get();
}

Backend& LazyBackend::require() {
  if (Backend* backend = get()) return *backend;
  throw UsageError(name_ + " is not available: " + unavailable_because(), "backend",
                   "use auto or cpu");
}

bool LazyBackend::made() const {
  const std::scoped_lock lock(mutex_);
  return backend_ != nullptr;
}

bool LazyBackend::available() const {
  const std::scoped_lock lock(mutex_);
  return !impossible_;
}

bool LazyBackend::lost() const {
  const std::scoped_lock lock(mutex_);
  return backend_ != nullptr && backend_->lost();
}

std::string LazyBackend::unavailable_because() const {
  const std::scoped_lock lock(mutex_);
  return because_;
}

void LazyBackend::limit_memory(std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  limit_bytes_ = bytes;
  if (backend_ != nullptr) backend_->limit_memory(bytes);
}

}  // namespace gantry
