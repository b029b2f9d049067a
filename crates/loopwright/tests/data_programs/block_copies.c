/* Blocks that are copied and set: overlapping, in bytes, over several rows. */
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <math.h>
#define N 24
static double A[N][N], B[N][N], v[N * N];
static int idx[N];
static double g;
static int gc;
static void init(void){ for(int i=0;i<N;i++){ idx[i]=(i*7)%N; for(int j=0;j<N;j++){A[i][j]=i*31+j*7%13; B[i][j]=i-j*3; v[i*N+j]=i*j%17;} } g=1; gc=0; }
static void show(void){ double s=0; for(int i=0;i<N;i++) for(int j=0;j<N;j++) s=s*0.999+A[i][j]*1.5+B[i][j]*2.25+v[i*N+j]; printf("%.12g %.12g %d\n",s,g,gc); }

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
