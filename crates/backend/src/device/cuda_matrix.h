/* D = A B + D by the threads of a warp, of which number 4 r + c has A[r][c], B[c][r], and D[r][2 c] and D[r][2 c + 1]. */
static __device__ __forceinline__ void lw_matrix_8x8x4(double &d0, double &d1, double a, double b)
{
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d0), "+d"(d1) : "d"(a), "d"(b));
}
