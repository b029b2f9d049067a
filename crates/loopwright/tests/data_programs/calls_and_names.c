/* Functions whose names stand for something else where they are called. */
#include "matrices.h"

static double dot(int n,double *a,double *b){ double s=0; while(n-->0) s+=a[n]*b[n]; return s; }
static double useg(void){ return g; }
static void step(double *a,int i){ int g=2; a[i]+=g; { int i=3; a[i]+=1; } }
static void wr(double *a,int n,int m){ for(int i=0;i<n;i+=m) a[i]=i; }
static void wr2(double *a,unsigned char n){ for(int i=0;i<n;i++) a[i]=i; }
int main(void){ init(); int i; double g2=0; { double g=7; 
#pragma scop
 for(i=0;i<N;i++) { A[i][0]=dot(N,A[i],B[i]); step(A[i],i%5); g=g+i; B[i][1]=useg()+g; wr(B[i],i,3); }
 for(i=0;i<N;i++) { wr2(B[0], 256+i); A[2][i]=B[0][i]; }
#pragma endscop
 g2=g; } g+=g2; show(); return 0; }
