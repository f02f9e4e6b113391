#pragma once

#include "core/backend/backend.hpp"

#include <cstddef>

namespace gantry {

/// A backend that gathers equally spaced rows itself, so that one copy brings them all.
class RowDownload {
 public:
  virtual ~RowDownload() = default;
  virtual void download_rows(const float* device, std::size_t stride, std::size_t width,
                             std::size_t rows, float* host) const = 0;
};

/// host[r width + i] = device[r stride + i] of i < width, r < rows: nothing else travels. Row by
/// row where the backend has no RowDownload.
void download_rows(const Backend& backend, const float* device, std::size_t stride,
                   std::size_t width, std::size_t rows, float* host);

}  // namespace gantry
