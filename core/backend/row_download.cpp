#include "core/backend/row_download.hpp"

namespace gantry {

void download_rows(const Backend& backend, const float* device, std::size_t stride,
                   std::size_t width, std::size_t rows, float* host) {
  if (const auto* gathering = dynamic_cast<const RowDownload*>(&backend))
    return gathering->download_rows(device, stride, width, rows, host);
  for (std::size_t row = 0; row < rows; ++row)
    backend.download(device + row * stride, host + row * width, width);
}

}  // namespace gantry
