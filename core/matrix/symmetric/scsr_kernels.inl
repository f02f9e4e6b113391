// The loops declared in scsr_kernels.hpp. This file is included once per instruction set, with
// GANTRY_ISA as the name of the namespace. The values of all vectors at one index lie side by side
// and fill one or more SIMD registers. The product of two floats is exact in float64, so that every
// instruction set gives the same numbers.

namespace gantry::GANTRY_ISA {

namespace {

/// A SIMD register of float64 values. Never passed or returned by value, because the calling
/// convention would depend on the instruction set.
struct Lanes1 {
  static constexpr int width = 1;
  using Doubles = double;
  static void widen(const float* at, double& to) { to = *at; }
};
struct Lanes2 {
  static constexpr int width = 2;
  typedef double Doubles __attribute__((vector_size(16)));
  static void widen(const float* at, Doubles& to) { to = Doubles{at[0], at[1]}; }
};
#ifdef __AVX__
struct Lanes4 {
  static constexpr int width = 4;
  typedef double Doubles __attribute__((vector_size(32)));
  static void widen(const float* at, Doubles& to) { to = _mm256_cvtps_pd(_mm_loadu_ps(at)); }
};
#endif
#ifdef __AVX512F__
// The conversion has a mask of all ones, because the unmasked intrinsic causes a compiler warning.
struct Lanes8 {
  static constexpr int width = 8;
  typedef double Doubles __attribute__((vector_size(64)));
  static void widen(const float* at, Doubles& to) {
    to = _mm512_maskz_cvtps_pd(0xFF, _mm256_loadu_ps(at));
  }
};
#endif

/// The values of all vectors at one index as `count` registers. A row is summed in `chains`
/// independent sums, because otherwise each addition would wait for the one before. The number of
/// chains is the same for every instruction set.
template <class Piece, int count>
struct Pieces : Piece {
  static constexpr int pieces = count, vectors = count * Piece::width, chains = vectors > 8 ? 2 : 4;

  static void load(const double* at, typename Piece::Doubles& to) {
    __builtin_memcpy(&to, at, sizeof to);
  }
  static void store(const typename Piece::Doubles& values, double* at) {
    __builtin_memcpy(at, &values, sizeof values);
  }
};

constexpr std::uint32_t scsr_chunk = 256;

/// Converts weights k .. k + count - 1 to float64.
inline void scsr_weights(const float* weight, std::uint32_t k, std::uint32_t count,
                         double* __restrict__ to) {
  const float* __restrict__ from = weight + k;
  for (std::uint32_t i = 0; i < count; ++i) to[i] = from[i];
}
inline void scsr_weights(const std::uint16_t* weight, std::uint32_t k, std::uint32_t count,
                         double* __restrict__ to) {
  const std::uint16_t* __restrict__ from = weight + k;
  for (std::uint32_t i = 0; i < count; ++i) to[i] = from_half(from[i]);
}

/// sum += w * x, for the values of all vectors at one index.
template <class L>
inline void scsr_add(typename L::Doubles* __restrict__ sum, double w, const float* __restrict__ x) {
#pragma GCC unroll 8
  for (int p = 0; p < L::pieces; ++p) {
    typename L::Doubles value;
    L::widen(x + p * L::width, value);
    sum[p] += w * value;
  }
}

template <class L, class Weight, class Column>
void scsr_multiply(const ScsrRows& rows, const Weight* weight, const Column* column, const float* x,
                   double* y) {
  double w[scsr_chunk];
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::uint32_t end = rows.start[row + 1];
    if (rows.start[row] == end) continue;
    typename L::Doubles sum[L::chains][L::pieces] = {};
    for (std::uint32_t k = rows.start[row]; k < end; k += scsr_chunk) {
      const std::uint32_t count = end - k < scsr_chunk ? end - k : scsr_chunk;
      scsr_weights(weight, k, count, w);
      const Column* at = column + k;
      std::uint32_t i = 0;
      for (; i + L::chains <= count; i += L::chains) {
#pragma GCC unroll 4
        for (int c = 0; c < L::chains; ++c)
          scsr_add<L>(sum[c], w[i + c], x + std::size_t{at[i + c]} * L::vectors);
      }
      for (; i < count; ++i) scsr_add<L>(sum[0], w[i], x + std::size_t{at[i]} * L::vectors);
    }
#pragma GCC unroll 8
    for (int p = 0; p < L::pieces; ++p) {
      double* to = y + row * L::vectors + p * L::width;
      typename L::Doubles value, all = sum[0][p] + sum[1][p];
      if constexpr (L::chains == 4) all += sum[2][p] + sum[3][p];
      L::load(to, value);
      value += rows.unit * all;
      L::store(value, to);
    }
  }
}

template <class L, class Weight, class Column>
void scsr_scatter(const ScsrRows& rows, const Weight* weight, const Column* column, const float* y,
                  double* x) {
  double w[scsr_chunk];
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::uint32_t end = rows.start[row + 1];
    typename L::Doubles value[L::pieces], sum;
    for (int p = 0; p < L::pieces; ++p) {
      L::widen(y + row * L::vectors + p * L::width, value[p]);
      value[p] *= rows.unit;
    }
    for (std::uint32_t k = rows.start[row]; k < end; k += scsr_chunk) {
      const std::uint32_t count = end - k < scsr_chunk ? end - k : scsr_chunk;
      scsr_weights(weight, k, count, w);
      const Column* at = column + k;
      for (std::uint32_t i = 0; i < count; ++i) {
#pragma GCC unroll 8
        for (int p = 0; p < L::pieces; ++p) {
          double* to = x + std::size_t{at[i]} * L::vectors + p * L::width;
          L::load(to, sum);
          sum += w[i] * value[p];
          L::store(sum, to);
        }
      }
    }
  }
}

/// Calls loop(weight, column) with the arrays that the rows use.
template <class Loop>
void scsr_by_kind(const ScsrRows& rows, const Loop& loop) {
  if (rows.column != nullptr)
    loop(rows.weight, rows.column);
  else if (rows.half_weight != nullptr)
    loop(rows.half_weight, rows.short_column);
  else
    loop(rows.weight, rows.short_column);
}

/// Calls loop(Pieces) with the registers for the given number of vectors.
template <class Loop>
void scsr_by_vectors(int vectors, const Loop& loop) {
#if defined(__AVX512F__)
  constexpr int most = 8;
  using Widest = Lanes8;
#elif defined(__AVX__)
  constexpr int most = 4;
  using Widest = Lanes4;
#else
  constexpr int most = 2;
  using Widest = Lanes2;
#endif
  if (vectors == 1) loop(Pieces<Lanes1, 1>());
  if (vectors == 2) loop(Pieces<Lanes2, 1>());
#ifdef __AVX__
  if (vectors == 4) loop(Pieces<Lanes4, 1>());
#else
  if (vectors == 4) loop(Pieces<Lanes2, 2>());
#endif
  if (vectors == 8) loop(Pieces<Widest, 8 / most>());
  if (vectors == 16) loop(Pieces<Widest, 16 / most>());
}

void scsr_multiply_all(const ScsrRows& rows, int vectors, const float* x, double* y) {
  scsr_by_kind(rows, [&](const auto* weight, const auto* column) {
    scsr_by_vectors(vectors,
                    [&](auto l) { scsr_multiply<decltype(l)>(rows, weight, column, x, y); });
  });
}

void scsr_scatter_all(const ScsrRows& rows, int vectors, const float* y, double* x) {
  scsr_by_kind(rows, [&](const auto* weight, const auto* column) {
    scsr_by_vectors(vectors,
                    [&](auto l) { scsr_scatter<decltype(l)>(rows, weight, column, y, x); });
  });
}

}  // namespace

extern const ScsrKernels scsr_table = {scsr_multiply_all, scsr_scatter_all};

}  // namespace gantry::GANTRY_ISA
