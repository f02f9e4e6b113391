#pragma once

// One instruction of the Tensor Cores: D (16 x 8, float) += A (16 x 16) B (16 x 8), halves. Lane
// 4 g + t holds of A rows g and g + 8, columns 2 t, 2 t + 1 (a0, a1) and 8 further (a2, a3); of B
// column g, rows 2 t, 2 t + 1 (b0) and 8 further (b1); of D rows g and g + 8, columns 2 t, 2 t + 1.
// (PTX ISA, mma.m16n8k16; older devices do it in two halves.)
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

/// An 8 x 8 matrix of halves, two of row g in each lane, turned.
__device__ inline unsigned turn_8x8(unsigned rows) {
  unsigned columns;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0,%1;" : "=r"(columns) : "r"(rows));
  return columns;
}

}  // namespace gantry::device
