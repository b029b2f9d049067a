/* Functions that use global variables, also those that they are given. */
#include "matrices.h"

static void addg(double x){ g+=x; gc++; }
static double rd(int i){ return g*0.001+A[i][i]; }
static void both(double *p){ *p+=1; g+=*p; }
int main(void){ init(); int i,j; double t=0;
#pragma scop
 for(i=0;i<N;i++) { addg(A[i][0]); for(j=0;j<N;j++) B[i][j]+=rd(j); both(&t); both(&g); A[i][1]=t; }
 for(i=0;i<N;i++) { g=i; B[i][2]+=rd(i); both(&g); A[0][i]=g; }
#pragma endscop
 g+=t; show(); return 0; }
