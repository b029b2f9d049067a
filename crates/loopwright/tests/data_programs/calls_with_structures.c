/* Functions that are given structures, parts of them and copies. */
#include "matrices.h"

struct in { double a[4]; int k; }; struct S { struct in u; double *p; double w; }; static struct S s[N];
static double f1(struct S q){ q.w+=1; return q.w+q.u.a[q.u.k]; }
static double f2(struct S q){ return q.w+q.u.a[1]+q.p[2]; }
static void f3(struct S *q,int n){ for(int i=0;i<n;i++){ q[i].u.a[i%4]+=q[i].w; q->w+=0.5; } }
static void f4(struct in *u){ u->a[0]+=u->a[3]; u->k=(u->k+1)%4; }
static void f5(struct S q){ q.p[3]+=q.w; }
static void f6(struct S *d, struct S *e){ *d=*e; }
int main(void){ init(); int i; for(i=0;i<N;i++){ s[i].p=v+i*N; s[i].w=i; for(int k=0;k<4;k++) s[i].u.a[k]=k+i; s[i].u.k=i%4; }
#pragma scop
 for(i=0;i<N;i++){ A[i][0]=f1(s[i]); f4(&s[i].u); f3(&s[i],1); }
 for(i=0;i<N-1;i++){ f3(&s[i],2); f6(&s[i],&s[i+1]); }
#pragma endscop
 for(i=0;i<N;i++) g+=s[i].w+s[i].u.a[0]*3+s[i].u.a[2]+s[i].u.k; show(); return 0; }
