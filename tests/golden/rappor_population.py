"""The exponential population on which decoders of RAPPOR are compared."""

import numpy as np

from sfumato.mechanism.local.rappor.bloom import design_bits
from sfumato.mechanism.local.rappor.params import RapporParams

PAPER = {"bits": 128, "hashes": 2, "cohorts": 16, "f": "1/2", "p": "1/2", "q": "3/4"}


def shares(n_candidates, n_held, background):
    """Shares that decay by e⁵ over the held strings, lifted by a background; google/rappor's simulation.R."""
    decay = np.exp(-10 * np.linspace(0, 0.5, n_held)) + background
    return np.concatenate((decay / decay.sum(), np.zeros(n_candidates - n_held)))


def collection(seed, n_candidates):
    """Parameters and design of one run: another name makes other hash functions."""
    params = RapporParams(f"run {seed}", **PAPER)
    names = [f"string {i}" for i in range(n_candidates)]
    return params, names, design_bits(params, names)
