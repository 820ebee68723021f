"""Exponentials by the decimal library: the slow twin of the certified ones."""

from decimal import Context, Decimal
from fractions import Fraction

CONTEXT = Context(prec=250, Emin=-(10**9), Emax=10**9)


def exp(x):
    """e^x of a rational to 240 digits, as a rational; something tiny and positive below e^-10000."""
    exponent = CONTEXT.divide(Decimal(x.numerator), Decimal(x.denominator))
    return Fraction(CONTEXT.exp(exponent)) if exponent > -10_000 else Fraction(1, 2**14_000)
