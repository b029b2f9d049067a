/* Forces between all pairs of particles. */
#include <math.h>
#include <stdio.h>

#define N 32

static double pos[N][3], force[N][3], mass[N];

int main(void)
{
    int i, j, d;
    for (i = 0; i < N; i++) {
        mass[i] = 1 + i % 3;
        for (d = 0; d < 3; d++)
            pos[i][d] = (i * (d + 2) * 7) % 31;
    }
#pragma scop
    for (i = 0; i < N; i++)
        for (d = 0; d < 3; d++)
            force[i][d] = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            double r2 = 0.01;
            for (d = 0; d < 3; d++)
                r2 += (pos[j][d] - pos[i][d]) * (pos[j][d] - pos[i][d]);
            for (d = 0; d < 3; d++)
                force[i][d] += mass[j] * (pos[j][d] - pos[i][d]) / (r2 * sqrt(r2));
        }
#pragma endscop
    double s = 0;
    for (i = 0; i < N; i++)
        s += force[i][0] + 2 * force[i][1] - force[i][2];
    printf("%.12g\n", s);
    return 0;
}
