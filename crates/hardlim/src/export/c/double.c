/* @name@: see @name@.h. Written by hardlim. Compile it without -ffast-math, and with -ffp-contract=off where the
   processor multiplies and adds in one step: the sums below need every rounding as it is written. */
#include "@name@.h"

#include <float.h>

#if DBL_MANT_DIG != 53
#error "double must have 64 bits; on this processor, export a model with integer weights with --to c"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error "double must be computed as double; on x86, compile with -msse2 -mfpmath=sse"
#endif

/* Whether bias + sum of w[j] x[at[j]] is at least zero. The sum has about twice the digits of a double: what rounding
   takes from a product (Dekker) or a sum (Knuth) is added up as well (Ogita, Rump, Oishi 2005). */
static int fires(const double *x, const double *w, const unsigned *at, unsigned count, double bias)
{
    const double split = 134217729.0; /* 2^27 + 1 */
    double sum = bias, rest = 0.0;
    unsigned j;
    for (j = 0; j < count; j++) {
        const double a = w[j], b = x[at[j]];
        const double product = a * b;
        const double wide_a = split * a, wide_b = split * b;
        const double high_a = wide_a - (wide_a - a), high_b = wide_b - (wide_b - b);
        const double low_a = a - high_a, low_b = b - high_b;
        const double lost = low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b);
        const double total = sum + product;
        const double part = total - sum;
        rest += ((sum - (total - part)) + (product - part)) + lost;
        sum = total;
    }
    return sum + rest >= 0.0;
}
