#include "core/backend/backend.hpp"

#include "core/backend/array.hpp"
#include "core/base/error.hpp"

namespace gantry {

namespace {

void require_mine(const Backend& self, const Array& x, const char* operation) {
  if (!x.empty() && &x.backend() != &self)
    throw ShapeError(std::string(operation) + ": array belongs to another backend");
}

void require_same(const Backend& self, const Array& x, const Array& y, const char* operation) {
  require_mine(self, x, operation);
  require_mine(self, y, operation);
  if (x.size() != y.size())
    throw ShapeError(std::string(operation) + ": lengths " + std::to_string(x.size()) + " and " +
                     std::to_string(y.size()) + " differ");
}

void require_range(const Array& x, std::size_t first, std::size_t count, const char* operation) {
  if (first > x.size() || count > x.size() - first)
    throw ShapeError(std::string(operation) + ": range lies outside the array");
}

}  // namespace

void Backend::upload_lines(const float* host, std::size_t pitch, float* device, std::size_t count,
                           std::size_t lines) {
  if (pitch == count) return upload(host, device, count * lines);
  for (std::size_t i = 0; i < lines; ++i) upload(host + i * pitch, device + i * count, count);
}

void Backend::download_lines(const float* device, std::size_t count, std::size_t lines, float* host,
                             std::size_t pitch) const {
  if (pitch == count) return download(device, host, count * lines);
  for (std::size_t i = 0; i < lines; ++i) download(device + i * count, host + i * pitch, count);
}

void Backend::gather_lines(const float* device, std::size_t stride, std::size_t count,
                           std::size_t lines, float* host) const {
  if (stride == count) return download(device, host, count * lines);
  for (std::size_t i = 0; i < lines; ++i) download(device + i * stride, host + i * count, count);
}

void Backend::fill(Array& x, float value) {
  require_mine(*this, x, "fill");
  do_fill(x.size(), x.data(), value);
}

void Backend::fill(Array& x, float value, std::size_t first, std::size_t count) {
  require_mine(*this, x, "fill");
  require_range(x, first, count, "fill");
  do_fill(count, x.data() + first, value);
}

void Backend::copy(const Array& x, Array& y) {
  require_same(*this, x, y, "copy");
  do_copy(x.size(), x.data(), y.data());
}

void Backend::axpby(float a, const Array& x, float b, Array& y) {
  require_same(*this, x, y, "axpby");
  do_axpby(x.size(), a, x.data(), b, y.data());
}

double Backend::axpby_norm(float a, const Array& x, float b, Array& y) {
  require_same(*this, x, y, "axpby_norm");
  return do_axpby_norm(x.size(), a, x.data(), b, y.data());
}

void Backend::multiply(const Array& x, Array& y) {
  require_same(*this, x, y, "multiply");
  do_multiply(x.size(), x.data(), y.data());
}

void Backend::safe_reciprocal(Array& x, float threshold) {
  require_mine(*this, x, "safe_reciprocal");
  do_safe_reciprocal(x.size(), x.data(), threshold);
}

void Backend::clamp(Array& x, float low, float high) {
  require_mine(*this, x, "clamp");
  do_clamp(x.size(), x.data(), low, high);
}

double Backend::dot(const Array& x, const Array& y) const {
  require_same(*this, x, y, "dot");
  return do_dot(x.size(), x.data(), y.data());
}

double Backend::weighted_square(const Array& w, const Array& x) const {
  require_same(*this, w, x, "weighted_square");
  return do_weighted_square(x.size(), w.data(), x.data());
}

double Backend::scaled_update(Array& x, float a, const Array& c, const Array& g, float low) {
  require_same(*this, x, c, "scaled_update");
  require_same(*this, x, g, "scaled_update");
  return do_scaled_update(x.size(), x.data(), a, c.data(), g.data(), low);
}

double Backend::residual(const Array& b, Array& r, const Array* weights) {
  return residual(b, r, weights, 0, r.size());
}

double Backend::residual(const Array& b, Array& r, const Array* weights, std::size_t first,
                         std::size_t count) {
  require_same(*this, b, r, "residual");
  if (weights != nullptr) require_same(*this, *weights, r, "residual");
  require_range(r, first, count, "residual");
  return do_residual(count, b.data() + first, r.data() + first,
                     weights == nullptr ? nullptr : weights->data() + first);
}

double Backend::ratio(const Array& b, Array& r, const Array* weights) {
  return ratio(b, r, weights, 0, r.size());
}

double Backend::ratio(const Array& b, Array& r, const Array* weights, std::size_t first,
                      std::size_t count) {
  require_same(*this, b, r, "ratio");
  if (weights != nullptr) require_same(*this, *weights, r, "ratio");
  require_range(r, first, count, "ratio");
  return do_ratio(count, b.data() + first, r.data() + first,
                  weights == nullptr ? nullptr : weights->data() + first);
}

double Backend::multiplicative_update(Array& x, const Array& g, const Array& c, float threshold) {
  require_same(*this, x, g, "multiplicative_update");
  require_same(*this, x, c, "multiplicative_update");
  return do_multiplicative_update(x.size(), x.data(), g.data(), c.data(), threshold);
}

}  // namespace gantry
