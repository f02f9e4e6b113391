#include "core/backend/array.hpp"

#include "core/base/error.hpp"

#include <utility>

namespace gantry {

Array::Array(Backend& backend, std::size_t size)
    : backend_(&backend), memory_(size == 0 ? nullptr : backend.allocate(size)), size_(size) {}

Array::~Array() {
  if (memory_ != nullptr) backend_->release(memory_);
}

Array::Array(Array&& other) noexcept
    : backend_(std::exchange(other.backend_, nullptr)),
      memory_(std::exchange(other.memory_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

Array& Array::operator=(Array&& other) noexcept {
  std::swap(backend_, other.backend_);
  std::swap(memory_, other.memory_);
  std::swap(size_, other.size_);
  return *this;
}

Array Array::from(Backend& backend, std::span<const float> values) {
  Array array(backend, values.size());
  if (!values.empty()) backend.upload(values.data(), array.data(), values.size());
  return array;
}

Array Array::filled(Backend& backend, std::size_t size, float value) {
  Array array(backend, size);
  backend.fill(array, value);
  return array;
}

Backend& Array::backend() const {
  if (backend_ == nullptr) throw ShapeError("array has no memory yet");
  return *backend_;
}

std::span<float> Array::host() {
  if (backend_ != nullptr && backend_->kind() != BackendKind::cpu)
    throw ShapeError("array is not in the memory of the CPU");
  return {memory_, size_};
}

std::span<const float> Array::host() const {
  if (backend_ != nullptr && backend_->kind() != BackendKind::cpu)
    throw ShapeError("array is not in the memory of the CPU");
  return {memory_, size_};
}

Array Array::clone() const {
  if (backend_ == nullptr) return {};
  Array copy(*backend_, size_);
  backend_->copy(*this, copy);
  return copy;
}

std::vector<float> Array::to_host() const {
  std::vector<float> values(size_);
  if (size_ != 0) backend_->download(memory_, values.data(), size_);
  return values;
}

}  // namespace gantry
