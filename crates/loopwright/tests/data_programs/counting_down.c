/* Loops that change their iterators in conditions, or end when these wrap around. */
#include <stdio.h>
#include <stddef.h>
#define N 700
static double A[N], B[N]; static char C[N];
void k1(unsigned n){
#pragma scop
for (unsigned i = n; i-- > 0;) A[i] = 2*B[i] + i;
#pragma endscop
}
void k2(size_t n){
size_t i = n;
#pragma scop
while (i--) A[i] += 3*B[i];
#pragma endscop
}
void k3(unsigned n){
#pragma scop
for (unsigned i = n - 1; i < n; i--) A[i] += 5*B[i];
#pragma endscop
}
void k4(unsigned n){
unsigned i;
#pragma scop
for (i = n; i > 0; --i) A[i-1] += 7*B[i-1];
#pragma endscop
}
void k5(unsigned n){
unsigned i;
#pragma scop
for (i = n; i != 0; i--) A[i-1] += 11*B[i-1];
#pragma endscop
}
void k6(int n){

#pragma scop
for (char *p = C + n; p-- > C;) *p = *p + 3;
#pragma endscop
}
void k7(int n){
#pragma scop
for (int i = -1; ++i < n;) A[i] += 13*B[i];
#pragma endscop
}
void k8(int n){
#pragma scop
for (int i = 0; i++ < n;) A[i-1] += 17*B[i-1];
#pragma endscop
}
void k9(unsigned char n){
#pragma scop
for (unsigned char i = n; i-- > 0;) A[i] += 19*B[i];
#pragma endscop
}
void k10(size_t n){
#pragma scop
for (size_t i = n; i-- != 0;) A[i] += 23*B[i];
for (size_t i = n; 0 < i--;) A[i] += B[i]*B[i];
for (size_t i = n; i--;) B[i] += 1;
#pragma endscop
}
void k11(unsigned n, unsigned m){
#pragma scop
for (unsigned i = n; i-- > 0;)
  for (unsigned j = m; j-- > i;) A[i] += B[j];
#pragma endscop
}
void k12(unsigned n){
#pragma scop
for (unsigned i = n; i-- > 3;) A[i] += 2;
#pragma endscop
}
unsigned k13(unsigned n){
unsigned i;
#pragma scop
for (i = n; i-- > 0;) A[i] += 2;
#pragma endscop
return i;
}
size_t k14(size_t n){
#pragma scop
while (n-- > 0) A[n] += 4;
#pragma endscop
return n;
}
int k15(int n){
int i;
#pragma scop
for (i = n; i-- > 0;) A[i] += 2;
#pragma endscop
return i;
}
static void sum(const char *s){ double t=0; for(int i=0;i<N;i++) t = t*0.999 + A[i] + B[i] + C[i]; printf("%s %.17g\n", s, t);} 
int main(void){
 for(int i=0;i<N;i++){B[i]=i%17-3; A[i]=i%5; C[i]=i%7;}
 int ns[]={0,1,2,3,5,255,600};
 for(int q=0;q<7;q++){int n=ns[q];
 k1(n);sum("k1");k2(n);sum("k2");k3(n);sum("k3");k4(n);sum("k4");k5(n);sum("k5");k6(n);sum("k6");k7(n);sum("k7");k8(n);sum("k8");k9(n);sum("k9");k10(n);sum("k10");k11(n,n/2);sum("k11");k11(n/2,n);sum("k11b");k12(n);sum("k12");
 printf("%u\n",k13(n));sum("k13");printf("%zu\n",k14(n));sum("k14");printf("%d\n",k15(n));sum("k15");}
 printf("%d\n",k15(-5));k7(-3);k8(-3);sum("neg");
 return 0;}
