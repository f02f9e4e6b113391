#pragma once

#include <cstddef>
#include <string>

namespace gantry {

class Array;

enum class BackendKind { cpu, cuda };

/// Memory and vector arithmetic of one device, or of the CPU. Vectors are float32, sums are
/// accumulated in float64. The public operations check lengths and backends once and throw
/// ShapeError; the do_* functions rely on these checks. Results do not depend on the number of
/// threads.
class Backend {
 public:
  virtual ~Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  virtual BackendKind kind() const = 0;
  virtual std::string name() const = 0;        ///< "CPU, 8 threads", "NVIDIA H200"
  virtual std::size_t free_bytes() const = 0;  ///< memory that is still free for arrays
  /// Returns true once the device has failed for good: every operation of this backend then throws;
  /// other backends still work.
  virtual bool lost() const { return false; }

  /// Returns memory for `count` values, not initialised. Throws OutOfMemory.
  virtual float* allocate(std::size_t count) = 0;
  virtual void release(float* memory) noexcept = 0;

  virtual void upload(const float* host, float* device, std::size_t count) = 0;
  virtual void download(const float* device, float* host, std::size_t count) const = 0;
  virtual void synchronize() const = 0;
  /// Copy `lines` runs of `count` values each. The runs are contiguous on the device, and start
  /// `pitch` values apart on the host.
  virtual void upload_lines(const float* host, std::size_t pitch, float* device, std::size_t count,
                            std::size_t lines);
  virtual void download_lines(const float* device, std::size_t count, std::size_t lines,
                              float* host, std::size_t pitch) const;

  /// Copies `lines` runs of `count` values each to the host. The runs start `stride` values apart
  /// on the device, and are contiguous on the host. Nothing but these values is transferred.
  virtual void gather_lines(const float* device, std::size_t stride, std::size_t count,
                            std::size_t lines, float* host) const;

  /// Limits the memory of all arrays of this backend to this number of bytes, which free_bytes()
  /// takes into account, for a device that is shared. Backends of host memory ignore the limit.
  virtual void limit_memory(std::size_t) {}

  void fill(Array& x, float value);                                        ///< x = value
  void fill(Array& x, float value, std::size_t first, std::size_t count);  ///< on a part of x
  void copy(const Array& x, Array& y);                                     ///< y = x
  void axpby(float a, const Array& x, float b, Array& y);                  ///< y = a x + b y
  double axpby_norm(float a, const Array& x, float b, Array& y);  ///< as axpby; returns <y, y>
  void multiply(const Array& x, Array& y);                        ///< y = x y, element by element
  void safe_reciprocal(Array& x, float threshold);                ///< x = |x| > threshold ? 1/x : 0
  void clamp(Array& x, float low, float high);                    ///< x = min(max(x, low), high)
  double dot(const Array& x, const Array& y) const;               ///< <x, y>
  double weighted_square(const Array& w, const Array& x) const;   ///< sum_i w_i x_i^2
  /// x = max(x + a c g, low), element by element; returns the squared norm of the change of x.
  double scaled_update(Array& x, float a, const Array& c, const Array& g, float low);
  /// r = b - r; returns the squared norm of the result. With `weights`, r is afterwards multiplied
  /// by the weights, element by element.
  double residual(const Array& b, Array& r, const Array* weights);
  /// Does the same for the elements first .. first + count - 1 alone.
  double residual(const Array& b, Array& r, const Array* weights, std::size_t first,
                  std::size_t count);
  /// r = max(b, 0) / r, or 0 where r is at most 1e-20; returns ||b - r||^2 with r as before the
  /// call. With `weights`, r is afterwards multiplied by the weights, element by element. Used by
  /// methods that multiply by A^T (b / A x).
  double ratio(const Array& b, Array& r, const Array* weights);
  /// Does the same for the elements first .. first + count - 1 alone.
  double ratio(const Array& b, Array& r, const Array* weights, std::size_t first,
               std::size_t count);
  /// x = max(x g / c, 0) where c > threshold, else x; returns the squared norm of the change of x.
  double multiplicative_update(Array& x, const Array& g, const Array& c, float threshold);

 protected:
  Backend() = default;

  static constexpr float smallest_divisor = 1e-20F;  ///< division by less could overflow

 private:
  virtual void do_fill(std::size_t n, float* x, float value) = 0;
  virtual void do_copy(std::size_t n, const float* x, float* y) = 0;
  virtual void do_axpby(std::size_t n, float a, const float* x, float b, float* y) = 0;
  virtual double do_axpby_norm(std::size_t n, float a, const float* x, float b, float* y) {
    do_axpby(n, a, x, b, y);
    return do_dot(n, y, y);
  }
  virtual void do_multiply(std::size_t n, const float* x, float* y) = 0;
  virtual void do_safe_reciprocal(std::size_t n, float* x, float threshold) = 0;
  virtual void do_clamp(std::size_t n, float* x, float low, float high) = 0;
  virtual double do_dot(std::size_t n, const float* x, const float* y) const = 0;
  virtual double do_weighted_square(std::size_t n, const float* w, const float* x) const = 0;
  virtual double do_scaled_update(std::size_t n, float* x, float a, const float* c, const float* g,
                                  float low) = 0;
  virtual double do_residual(std::size_t n, const float* b, float* r, const float* weights) = 0;
  virtual double do_ratio(std::size_t n, const float* b, float* r, const float* weights) = 0;
  virtual double do_multiplicative_update(std::size_t n, float* x, const float* g, const float* c,
                                          float threshold) = 0;
};

}  // namespace gantry
