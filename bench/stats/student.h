/* student.h: Student's t distribution, as far as 95 % intervals and comparisons need it. */
#ifndef DUEL_STUDENT_H
#define DUEL_STUDENT_H

/* Below this lie 97.5 % of a t distribution with `freedom` degrees of freedom, which need not be whole; at least 1. */
double student_quantile(double freedom);
/* How probable |t| or more is by chance: both tails. */
double student_tail(double t, double freedom);

#endif
