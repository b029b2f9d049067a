/* The nearest number with 10 bits behind its first one, ties away from zero: what products of tf32 read of a number. */
static __device__ __forceinline__ float lw_tf32(float value)
{
  float rounded(value);
  asm("{ .reg .b32 bits; cvt.rna.tf32.f32 bits, %0; mov.b32 %0, bits; }" : "+f"(rounded));
  return rounded;
}

/* D = A B + D by the threads of a warp, of which number 4 r + c has A[r + 8 h][c + 4 s] as a(2 s + h), B[c + 4 s][r] as b(s), and D[r + 8 h][2 c + e] as d(2 h + e). */
static __device__ __forceinline__ void lw_matrix_16x8x8_tf32(float &d0, float &d1, float &d2, float &d3, float a0, float a1, float a2, float a3, float b0, float b1)
{
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(__float_as_uint(a0)), "r"(__float_as_uint(a1)), "r"(__float_as_uint(a2)), "r"(__float_as_uint(a3)), "r"(__float_as_uint(b0)), "r"(__float_as_uint(b1)));
}
