/* Functions that perhaps write before they return. */
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

static void maybe(double *p, double x){ if(x<50) return; *p=x; }
static void loopret(double *p, const double *q, int n){ for(int k=0;k<n;k++){ if(q[k]>100) return; p[k]=q[k]; } p[0]=-1; }
int main(void){ init(); int i,j;
#pragma scop
 for(i=0;i<N;i++) for(j=0;j<N;j++) maybe(&B[i][j], A[i][j]);
 for(i=1;i<N;i++) { loopret(B[i], A[i-1], N); loopret(A[i], B[i], N-1); }
#pragma endscop
 show(); return 0; }
