/* Functions that use global variables, also those that they are given. */
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

static void addg(double x){ g+=x; gc++; }
static double rd(int i){ return g*0.001+A[i][i]; }
static void both(double *p){ *p+=1; g+=*p; }
int main(void){ init(); int i,j; double t=0;
#pragma scop
 for(i=0;i<N;i++) { addg(A[i][0]); for(j=0;j<N;j++) B[i][j]+=rd(j); both(&t); both(&g); A[i][1]=t; }
 for(i=0;i<N;i++) { g=i; B[i][2]+=rd(i); both(&g); A[0][i]=g; }
#pragma endscop
 g+=t; show(); return 0; }
