/* D = A B + D by the threads of a warp, of which number 4 r + c has A[r + 8 h][c + 4 s] as a(2 s + h), B[c + 4 s][r] as b(s), and D[r + 8 h][2 c + e] as d(2 h + e). */
static __device__ __forceinline__ void lw_matrix_16x8x8(double &d0, double &d1, double &d2, double &d3, double a0, double a1, double a2, double a3, double b0, double b1)
{
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+d"(d0), "+d"(d1), "+d"(d2), "+d"(d3) : "d"(a0), "d"(a1), "d"(a2), "d"(a3), "d"(b0), "d"(b1));
}
