/* Recursion, pointers to functions, state, output. */
#include "matrices.h"

static int cmp(const void*a,const void*b){ double x=*(double*)a,y=*(double*)b; gc++; return (x>y)-(x<y); }
static void rec(double *a,int n){ if(n>0){ a[n]=a[n-1]+1; rec(a,n-1);} }
static double apply(double (*f)(double), double x){ return f(x); }
static double sq(double x){ g+=1; return x*x; }
static int cnt(void){ static int k; return k++; }
static void gt(double *p){ int k=0; again: p[k]+=k; if(++k<3) goto again; }
int main(void){ init(); int i;
#pragma scop
 for(i=0;i<N;i++) { rec(A[i], i); A[i][0]+=apply(sq, i); B[i][cnt()%N]=i; gt(B[i]); }
 for(i=0;i<N;i++) { qsort(A[i], N, sizeof(double), cmp); B[0][i]=A[i][1]; }
 for(i=0;i<3;i++) { printf("%g %d\n", A[i][2], i); A[i][3]+=1; }
 for(i=0;i<N;i++) { double x = fabs(B[i][1]); B[i][2]=x; }
#pragma endscop
 show(); return 0; }
