/* Functions that leave the row that they are given. */
#include "matrices.h"

static void scale(double *p, int n, double f){ for(int k=0;k<n;k++) p[k]=p[k]*f+1; }
int main(void){ init(); int i;
#pragma scop
 for(i=0;i<N-1;i++) { scale(&A[i][0], 2*N, 0.5); A[i][3]=A[i+1][2]+1; }
 scale(A[0], N*N, 0.25);
 for(i=0;i<N;i++) B[i][0]=A[i][5];
#pragma endscop
 show(); return 0; }
