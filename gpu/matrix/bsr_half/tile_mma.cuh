#pragma once

// One instruction of the Tensor Cores on halves with float sums: D (16 x 8) += A (16 x 16) B (16 x
// 8). Registers of lane l = 4 g + t (PTX ISA, mma.m16n8k16):
//
//   A   rows g, g + 8; columns 2 t, 2 t + 1       a0: row g          a1: row g + 8
//                      columns 2 t + 8, 2 t + 9   a2: row g          a3: row g + 8
//   B   column g;      rows 2 t, 2 t + 1: b0      rows 2 t + 8, 2 t + 9: b1
//   D   rows g, g + 8; columns 2 t, 2 t + 1       d[0], d[1]: row g  d[2], d[3]: row g + 8
//
// Devices before compute capability 8.0 execute two instructions m16n8k8 instead.
namespace gantry::device {

__device__ inline void mma_16x8x16(float (&d)[4], unsigned a0, unsigned a1, unsigned a2,
                                   unsigned a3, unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},"
      "{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
#else
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%7,%8},{%9},{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a0), "r"(a1), "r"(b0), "r"(a2), "r"(a3), "r"(b1));
#endif
}

/// Transposes an 8 x 8 matrix of halves: lane 4 g + t passes elements 2 t, 2 t + 1 of row g and
/// receives elements 2 t, 2 t + 1 of column g.
__device__ inline unsigned transpose_8x8(unsigned rows) {
  unsigned columns;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0,%1;" : "=r"(columns) : "r"(rows));
  return columns;
}

}  // namespace gantry::device
