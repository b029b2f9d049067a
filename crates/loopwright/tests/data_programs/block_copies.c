/* Blocks that are copied and set: overlapping, in bytes, over several rows. */
#include "matrices.h"

int main(void){ init(); int i; char c[64]; float f[40];
 for(i=0;i<64;i++) c[i]=i; for(i=0;i<40;i++) f[i]=i;
#pragma scop
 for(i=0;i<N-1;i++) memmove(&A[i][1], &A[i][0], (N-1)*sizeof(double));
 for(i=0;i<N-1;i++) memcpy(A[i], A[i+1], sizeof(A[0]));
 for(i=0;i<N-4;i++) { memcpy(&v[i*N], &v[i*N+2], 2*sizeof(double)); v[i*N+5]=v[i*N]; }
 memset(B, 0, 5*sizeof B[0]);
 for(i=0;i<N;i++) B[i][i]+=A[i][0];
 for(i=0;i<20;i++) memset(c+i, i, 3);
 for(i=0;i<10;i++) memset(&f[i], 0, 2);
 for(i=0;i<N;i++) memset(&A[i][i], 0, (N-i)*sizeof(**A)+0);
 for(i=0;i<N;i++) memset(&A[0][i], 0, sizeof(double));
 memset(&A[0][0], 1, 40*sizeof(double)); A[1][3]=2;
#pragma endscop
 for(i=0;i<64;i++) g+=c[i]*i; for(i=0;i<40;i++) g+=f[i]; show(); return 0; }
