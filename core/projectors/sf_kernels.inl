// The loops behind sf_kernels.hpp, included after dd_kernels.inl (for minf, maxf and fast_atan)
// once per instruction set. The rules of that file hold here too.

namespace gantry::GANTRY_ISA {

namespace {

void sf_project(const SfLine& given, int count, float* __restrict__ coordinate) {
  const SfLine line = given;
  if (line.arc) {
#pragma GCC ivdep
    for (int i = 0; i < count; ++i) {
      const float at = static_cast<float>(i);
      coordinate[i] = line.gain * fast_atan((line.across + at * line.across_step) /
                                            (line.depth + at * line.depth_step)) +
                      line.bias;
    }
  } else {
#pragma GCC ivdep
    for (int i = 0; i < count; ++i) {
      const float at = static_cast<float>(i);
      coordinate[i] =
          line.gain * (line.across + at * line.across_step) / (line.depth + at * line.depth_step) +
          line.bias;
    }
  }
}

/// Integral up to x of a ramp that rises from 0 to 1 between 0 and `rise`.
inline float ramp_integral(float x, float rise, float half_inverse_rise) {
  const float on_ramp = minf(maxf(x, 0.0F), rise);
  return on_ramp * on_ramp * half_inverse_rise + maxf(x - rise, 0.0F);
}

/// A footprint: the first cell that it may touch (as place in a padded row) and its integrals over
/// that cell and the next three.
struct SfWeights {
  int first;
  float cell[sf_taps];
};

inline float chord_of(const SfChords& chords, int i) {
  const float u = chords.u + static_cast<float>(i) * chords.u_step;
  const float length = __builtin_sqrtf(u * u + chords.w * chords.w);
  return length / maxf(__builtin_fabsf(u) * chords.inverse_du,
                       __builtin_fabsf(chords.w) * chords.inverse_dw);
}

/// Trapezoid over the sorted projections of the four corners (Long, Fessler and Balter 2010).
inline SfWeights weights_of(float a, float b, float c, float d, float chord, float cells) {
  const float ab_low = minf(a, b), ab_high = maxf(a, b), cd_low = minf(c, d), cd_high = maxf(c, d);
  const float start = minf(ab_low, cd_low), end = maxf(ab_high, cd_high);
  const float inner_a = maxf(ab_low, cd_low), inner_b = minf(ab_high, cd_high);
  const float top_start = minf(inner_a, inner_b), top_end = maxf(inner_a, inner_b);
  const float rise = top_start - start, fall = end - top_end;
  // A vertical side is a ramp of no length: its integral needs no quotient.
  const float half_inverse_rise = 0.5F / maxf(rise, 1e-9F);
  const float half_inverse_fall = 0.5F / maxf(fall, 1e-9F);
  const float margin = static_cast<float>(sf_padding);
  const float shifted = minf(maxf(start + margin, 0.0F), cells + margin);
  const int first = static_cast<int>(shifted);
  const float edge = static_cast<float>(first) - margin + 1.0F;  // upper edge of the first cell
  float before = 0;
  SfWeights weights;
  weights.first = first;
#pragma GCC unroll 4
  for (int t = 0; t < sf_taps; ++t) {
    const float at = edge + static_cast<float>(t);
    const float integral = ramp_integral(at - start, rise, half_inverse_rise) -
                           ramp_integral(at - top_end, fall, half_inverse_fall);
    weights.cell[t] = chord * (integral - before);
    before = integral;
  }
  return weights;
}

constexpr int sf_chunk = 64;  // footprints made at once, as vectors, before they are spread

using Four = float __attribute__((vector_size(16), may_alias));

void sf_forward(const float* low, const float* high, const SfChords& given, const float* pixels,
                int count, int cells, CellQuad* quads) {
  const SfChords chords = given;
  const float top = static_cast<float>(cells);
  int first[sf_chunk];
  CellQuad part[sf_chunk];
  for (int begin = 0; begin < count; begin += sf_chunk) {
    const int size = mini(sf_chunk, count - begin);
#pragma GCC ivdep
    for (int j = 0; j < size; ++j) {
      const int i = begin + j;
      const SfWeights at = weights_of(low[i], low[i + 1], high[i], high[i + 1],
                                      chord_of(chords, i) * pixels[i], top);
      first[j] = at.first;
      part[j].cell[0] = at.cell[0];
      part[j].cell[1] = at.cell[1];
      part[j].cell[2] = at.cell[2];
      part[j].cell[3] = at.cell[3];
    }
    // Neighbours often meet at the same place, where one would wait for the other: four parts of
    // the chunk take turns.
    const int quarter = size / 4;
    for (int i = 0; i < quarter; ++i)
      for (int j = i; j < 4 * quarter; j += quarter)
        *reinterpret_cast<Four*>(quads + first[j]) += *reinterpret_cast<const Four*>(part + j);
    for (int j = 4 * quarter; j < size; ++j)
      *reinterpret_cast<Four*>(quads + first[j]) += *reinterpret_cast<const Four*>(part + j);
  }
}

void sf_adjoint(const float* low, const float* high, const SfChords& given, const float* row,
                int count, int cells, float* __restrict__ pixels) {
  const SfChords chords = given;
  const float top = static_cast<float>(cells);
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    const SfWeights at =
        weights_of(low[i], low[i + 1], high[i], high[i + 1], chord_of(chords, i), top);
    pixels[i] += at.cell[0] * row[at.first] + at.cell[1] * row[at.first + 1] +
                 at.cell[2] * row[at.first + 2] + at.cell[3] * row[at.first + 3];
  }
}

}  // namespace

extern const SfKernels sf_table = {sf_project, sf_forward, sf_adjoint};

}  // namespace gantry::GANTRY_ISA
