/* Functions that leave the row that they are given. */
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

static void scale(double *p, int n, double f){ for(int k=0;k<n;k++) p[k]=p[k]*f+1; }
int main(void){ init(); int i;
#pragma scop
 for(i=0;i<N-1;i++) { scale(&A[i][0], 2*N, 0.5); A[i][3]=A[i+1][2]+1; }
 scale(A[0], N*N, 0.25);
 for(i=0;i<N;i++) B[i][0]=A[i][5];
#pragma endscop
 show(); return 0; }
