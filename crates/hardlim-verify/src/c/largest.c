
unsigned @name@_class(const @name@_input *x)
{
    int64_t sums[@NAME@_OUTPUTS];
    int64_t most;
    unsigned best = 0, c;
    @name@_sums(x, sums);
    most = sums[0];
    for (c = 1; c < @NAME@_OUTPUTS; c++) {
        /* All ones where this one is larger, without a branch. */
        const uint64_t larger = -((uint64_t)(most - sums[c]) >> 63);
        best = (unsigned)((best & ~larger) | (c & larger));
        most = (int64_t)(((uint64_t)most & ~larger) | ((uint64_t)sums[c] & larger));
    }
    return best;
}
