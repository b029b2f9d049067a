#define ceild(n,d)  (((n)<0) ? -((-(n))/(d)) : ((n)+(d)-1)/(d))
#define floord(n,d) (((n)<0) ? -((-(n)+(d)-1)/(d)) : (n)/(d))
#define max(x,y)    ((x) > (y)? (x) : (y))
#define min(x,y)    ((x) < (y)? (x) : (y))
void smooth(int tsteps, int n, double *A) {
  int t1, t2, t3, t4;
  int lbp, ubp;
  if ((n >= 3) && (tsteps >= 1)) {
    for (t1=0;t1<=floord(2*tsteps+n-4,4);t1++) {
      lbp=max(ceild(t1,2),ceild(4*t1-tsteps+1,4));
      ubp=min(min(floord(tsteps+n-3,4),floord(4*t1+n+1,8)),t1);
#pragma omp parallel for private(t3,t4)
      for (t2=lbp;t2<=ubp;t2++) {
        for (t3=max(4*t1-4*t2,4*t2-n+2);t3<=min(min(tsteps-1,4*t1-4*t2+3),4*t2+2);t3++) {
          for (t4=max(4*t2,t3+1);t4<=min(4*t2+3,t3+n-2);t4++) {
            A[(-t3+t4)] = (A[(-t3+t4)-1] + A[(-t3+t4)] + A[(-t3+t4)+1]) / 3.0;;
          }
        }
      }
    }
  }
}
