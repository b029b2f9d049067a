/* Rows that are allocated one by one, in another function. */
#include <stdio.h>
#include <stdlib.h>
#define N 20
static void pr(double **A,int n,int m){ double s=0; for(int i=0;i<n;i++) for(int j=0;j<m;j++) s=s*0.99+A[i][j]*(i+1); printf("%.12g\n",s); }

static double **make(int n,int m){ double **a=(double**)malloc(n*sizeof(double*)); if(!a) return NULL; for(int i=0;i<n;i++) a[i]=(double*)calloc(m,sizeof(double)); return a; }
static void mul(int n,double **C,double **A,double **B){
#pragma scop
 for(int i=0;i<n;i++) for(int j=0;j<n;j++){ C[i][j]=0; for(int k=0;k<n;k++) C[i][j]+=A[i][k]*B[k][j]; }
#pragma endscop
}
int main(void){ double **A=make(N,N),**B=make(N,N),**C=make(N,N);
 for(int i=0;i<N;i++) for(int j=0;j<N;j++){ A[i][j]=i*3+j; B[i][j]=i-j; }
 mul(N,C,A,B); mul(N,A,C,B); pr(A,N,N); pr(C,N,N); return 0; }
