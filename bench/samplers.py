"""How fast is exact chance? Draws per second beside numpy's inexact floats and beside OpenDP's exact samplers.

Every draw of ours is made of AES-256 bits. OpenDP samples one number at a time in Rust, from its own
cryptographic bits; it is asked for fewer draws, and the figures are per draw. A coin of OpenDP is one call
from Python, so that figure is mostly the call.

Run: python bench/samplers.py
"""

from __future__ import annotations

import numpy as np
from timing import is_present, median_of, write

from sfumato.noise.bernoulli import bernoulli, bernoulli_exp, bernoulli_many
from sfumato.noise.bits import SystemBits
from sfumato.noise.categorical import categorical
from sfumato.noise.discrete_gaussian import discrete_gaussian
from sfumato.noise.discrete_laplace import discrete_laplace, geometric
from sfumato.noise.exponential_mechanism import exponential_mechanism, permute_and_flip
from sfumato.noise.grid import uniform_grid
from sfumato.noise.integers import uniform_integers
from sfumato.noise.packed import bernoulli_packed
from sfumato.noise.subsets import subsets

N = 1_000_000
SCALES = (1, 10, 1000, 10**6)
DEVIATIONS = (1, 10, 1000)
RNG = np.random.default_rng(1)


def ours():
    """Name -> (run, number of draws)."""
    bits, p, scores = SystemBits(), np.full(N, 0.3), RNG.integers(0, 1000, 100_000)
    runs = {
        "words": (lambda: bits.words(N), N),
        "bernoulli 0.3": (lambda: bernoulli(10 * N, 0.3, bits=bits), 10 * N),
        "bernoulli_packed 0.3": (lambda: bernoulli_packed(10 * N // 8, 0.3, bits=bits), 10 * N),
        "bernoulli_many": (lambda: bernoulli_many(p, bits=bits), N),
        "bernoulli_exp 1": (lambda: bernoulli_exp(10 * N, 1, bits=bits), 10 * N),
        "integers 100": (lambda: uniform_integers(N, 100, bits=bits), N),
        "integers 1e15": (lambda: uniform_integers(N, 10**15, bits=bits), N),
        "grid": (lambda: uniform_grid(N, bits=bits), N),
        "categorical 16": (lambda: categorical(N, np.arange(1, 17), bits=bits), N),
        "subsets 30 of 128": (lambda: subsets(N // 10, 128, 30, bits=bits), N // 10),
        "subsets 4 of 10^6": (lambda: subsets(N // 10, 10**6, 4, bits=bits), N // 10),
        "geometric 10": (lambda: geometric(N, 10, bits=bits), N),
        "exponential 10^5": (lambda: exponential_mechanism(scores, 0.05, bits=bits), 1),
        "permute-and-flip 10^5": (lambda: permute_and_flip(scores, 0.05, bits=bits), 1),
    }
    runs |= {f"laplace {s}": (lambda s=s: discrete_laplace(N, s, bits=bits), N) for s in SCALES}
    return runs | {f"gaussian {s}": (lambda s=s: discrete_gaussian(N, s, bits=bits), N) for s in DEVIATIONS}


def inexact():
    """The same from numpy's generator: neither exact nor secure."""
    runs = {
        "words": (lambda: RNG.integers(0, 2**64, N, dtype=np.uint64), N),
        "bernoulli 0.3": (lambda: RNG.random(10 * N) < 0.3, 10 * N),
        "integers 100": (lambda: RNG.integers(0, 100, N), N),
        "grid": (lambda: RNG.random(N), N),
        "categorical 16": (lambda: RNG.choice(16, N, p=np.arange(1, 17) / 136), N),
        "geometric 10": (lambda: RNG.geometric(1 - np.exp(-0.1), N), N),
    }
    runs |= {f"laplace {s}": (lambda s=s: np.rint(RNG.laplace(scale=s, size=N)), N) for s in SCALES}
    return runs | {f"gaussian {s}": (lambda s=s: np.rint(RNG.normal(scale=s, size=N)), N) for s in DEVIATIONS}


def opendp():
    """OpenDP on a vector of zeros, a yes-no answer, and a vector of scores."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    few, scores = 20_000, RNG.integers(0, 1000, 100_000).tolist()
    vector, zeros = dp.vector_domain(dp.atom_domain(T=int)), [0] * few
    answer = dp.m.make_randomized_response_bool(prob=0.7)
    best = dp.m.make_noisy_max(
        dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int), dp.max_divergence(), scale=20.0
    )
    laplace = {s: dp.m.make_laplace(vector, dp.l1_distance(T=int), scale=float(s)) for s in SCALES}
    gaussian = {s: dp.m.make_gaussian(vector, dp.l2_distance(T=int), scale=float(s)) for s in DEVIATIONS}
    runs = {
        "bernoulli 0.3": (lambda: [answer(True) for _ in range(few)], few),
        "permute-and-flip 10^5": (lambda: best(scores), 1),
    }
    runs |= {f"laplace {s}": (lambda s=s: laplace[s](zeros), few) for s in SCALES}
    return runs | {f"gaussian {s}": (lambda s=s: gaussian[s](zeros), few) for s in DEVIATIONS}


def per_draw(runs, times):
    """Nanoseconds per draw."""
    out = {}
    for name, (run, draws) in runs.items():
        run()
        out[name] = median_of(run, times)["wall_s"] / draws * 1e9
    return out


def main():
    """Everything in one run, with ratios."""
    mine, floor = per_draw(ours(), 7), per_draw(inexact(), 5)
    peer = per_draw(opendp(), 3) if is_present("opendp") else {}
    rows = []
    for name, ns in mine.items():
        row = {"draw": name, "ns": ns, "million_per_s": 1e3 / ns}
        if name in floor:
            row |= {"numpy_ns": floor[name], "numpy_ratio": floor[name] / ns}
        if name in peer:
            row |= {"opendp_ns": peer[name], "opendp_ratio": peer[name] / ns}
        rows.append(row)
    write("samplers", rows, peers=("opendp",), runs="7 of ours, 5 of numpy, 3 of OpenDP")


if __name__ == "__main__":
    main()
