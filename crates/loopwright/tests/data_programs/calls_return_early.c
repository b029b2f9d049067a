/* Functions that perhaps write before they return. */
#include "matrices.h"

static void maybe(double *p, double x){ if(x<50) return; *p=x; }
static void loopret(double *p, const double *q, int n){ for(int k=0;k<n;k++){ if(q[k]>100) return; p[k]=q[k]; } p[0]=-1; }
int main(void){ init(); int i,j;
#pragma scop
 for(i=0;i<N;i++) for(j=0;j<N;j++) maybe(&B[i][j], A[i][j]);
 for(i=1;i<N;i++) { loopret(B[i], A[i-1], N); loopret(A[i], B[i], N-1); }
#pragma endscop
 show(); return 0; }
