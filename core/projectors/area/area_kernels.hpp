#pragma once

namespace gantry {

// Inner loops of the area-integral model, on eight neighbouring layers of the grid at a time, the
// lanes. Compiled once per instruction set; area_kernels() returns those that suit the processor.
//
// An edge that crosses a layer from u = a to u = b (pixels, a <= b <= a + 1) leaves of pixel k
//   F_k = mean over a <= u <= b of clamp(u - k, 0, 1)
// below it. With i = floor(a), f = a - i and l = b - a only two pixels are cut:
//   F_i + F_{i+1} = f + l/2,   F_{i+1} = max(f + l - 1, 0)^2 / (2 l),
// F_k = 1 for k < i and F_k = 0 for k > i + 1. A strip has of a pixel the difference of its two
// edges, so that each edge is computed once for two strips and, through sums along the layer, at
// three places instead of at every pixel of the strip.

constexpr int area_lanes = 8;
/// Rows of eight lanes that a layer of `width` pixels takes in sums and parts: pixel k has row
/// k + 3.
constexpr int area_rows(int width) { return width + 5; }
/// Largest number of planes that a call takes at once; they share the crossings.
constexpr int area_planes = 8;

/// Where an edge crosses the layers, in pixels: layer j from a = low + step j to a + l, with
/// l = |step| <= 1. per_twice_length is 1 / (2 l), or 0 for l = 0.
struct AreaCrossing {
  double low, step, half_length, per_twice_length;
};

/// What a pixel's value is divided by: the distance from the source to the pixel's centre, mm. The
/// pixel u of lane l lies at (u_first + u u_step, w_first + l w_step) from the source.
struct AreaDistance {
  bool applies;
  double u_first, u_step, w_first, w_step;
};

struct AreaKernels {
  /// Writes the sums along the layers, sums[row][lane]: row r holds the sum of the pixels below
  /// r - 2 of lines[pixel][lane], divided by the distance.
  void (*sum_lines)(const AreaDistance&, const float* lines, int width, double* sums);
  /// strips[plane][e][lane] += what lies between edges e - 1 and e in layers first_layer + lane;
  /// entry e = 0 is without meaning. sums[plane][row][lane] as sum_lines() writes them.
  void (*gather)(const AreaCrossing* edges, int count, int first_layer, int width,
                 const double* sums, int planes, double* strips);
  /// The transpose of gather: rises[plane][e] is what edge e adds to all that lies below it;
  /// collect_lines() reads it from parts[plane][row][lane]. All parts are rounded to multiples of
  /// the unit of which the rises are multiples and `rounding` is 1.5 * 2^52 times: their sums are
  /// exact, so that pixels outside all strips get zero.
  void (*spread)(const AreaCrossing* edges, int count, int first_layer, int width,
                 const double* rises, double rounding, int planes, double* parts);
  /// The transpose of sum_lines: adds to lines[pixel][lane] the sum of the parts of the pixel and
  /// those above it, divided by the distance, and sets the parts to zero.
  void (*collect_lines)(const AreaDistance&, int width, double* parts, double* lines);
};

/// Returns the loops for the instruction set of the processor.
const AreaKernels& area_kernels();

}  // namespace gantry
