/* Functions that are given overlapping parts of an array. */
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
