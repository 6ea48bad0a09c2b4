
unsigned @name@_class(const @name@_input *x)
{
    return (unsigned)(~(uint64_t)sum_0(x) >> 63);
}
