/* Functions that are given overlapping parts of an array. */
#include "matrices.h"

static void cp(double *d, const double *s, int n){ for(int k=0;k<n;k++) d[k]=s[k]+1; }
static void ex(double *restrict d, double *restrict s){ double t=*d; *d=*s; *s=t; }
int main(void){ init(); int i,j;
#pragma scop
 for(i=1;i<N;i++) cp(A[i]+1, A[i-1], N-1);
 for(i=1;i<N;i++) cp(&A[i][1], &A[i][0], N-1);
 for(i=0;i<N;i++) for(j=0;j<i;j++) ex(&A[i][j],&A[j][i]);
 for(i=0;i<N;i++) ex(&B[idx[i]][0], &B[i][1]);
#pragma endscop
 show(); return 0; }
