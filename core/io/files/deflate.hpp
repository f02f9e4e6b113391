#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace gantry {

/// Packs bytes as gzip while they are written.
class GzipPacker {
 public:
  using Sink = std::function<void(std::span<const std::byte> packed)>;
  /// Passes packed bytes to `sink` as they are ready. Throws std::bad_alloc.
  explicit GzipPacker(Sink sink);
  ~GzipPacker();
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;

  /// Appends bytes; throws what the sink does.
  void write(std::span<const std::byte> bytes);
  /// Passes the rest on. Nothing may be written afterwards.
  void finish();

 private:
  void pack(std::span<const std::byte> bytes, int flush);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry
