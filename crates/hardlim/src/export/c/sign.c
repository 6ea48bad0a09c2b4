
unsigned @name@_class(const @name@_input *x)
{
    return (unsigned)(~(uint@sum_bits@_t)sum_0(x) >> @sign_bit@);
}
