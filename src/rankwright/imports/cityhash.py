"""The hash by which CatBoost knows categories: CityHash64 (its first version) of their text, cut to 32 bits.

Its files hold hashes alone. Which whole number a hash is of is found by hashing them all, the small ones first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

MOST = 2**20  # numbers that are tried; of longer rows of them, texts would be taken for numbers now and then
AT_ONCE = 2**14
K2, K3, MULTIPLIER = (np.uint64(k) for k in (0x9AE16A3B2F90404F, 0xC949D7C7509E6557, 0x9DDFEA08EB382D69))

Words = npt.NDArray[np.uint64]


def numbers_of(hashes: Iterable[int]) -> dict[int, int]:
    """The number 0..2^20 − 1 behind each of the hashes that has one."""
    wanted = np.array(sorted(set(hashes)), dtype=np.int64)
    found: dict[int, int] = {}
    for start in range(0, MOST, AT_ONCE):
        if len(found) == len(wanted):
            break
        numbers = np.arange(start, start + AT_ONCE)
        made = hashes_of(numbers)
        for i in np.flatnonzero(np.isin(made, wanted)).tolist():
            found.setdefault(int(made[i]), int(numbers[i]))
    return found


def hashes_of(numbers: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The hash of each number below 10^8 as CatBoost's files write it: the lower 32 bits, signed."""
    out = np.empty(len(numbers), dtype=np.int64)
    powers = 10 ** np.arange(8)
    digits = np.maximum(1, np.searchsorted(powers, numbers, side="right"))
    for n in np.unique(digits).tolist():
        here = digits == n
        text = (numbers[here, None] // powers[n - 1 :: -1] % 10 + ord("0")).astype(np.uint64)
        hashed = _short(text) if n < 4 else _longer(text)
        out[here] = hashed.astype(np.uint32).astype(np.int32)
    return out


def _short(text: Words) -> Words:
    """Of 1 to 3 characters."""
    n = text.shape[1]
    y = text[:, 0] + (text[:, n >> 1] << np.uint64(8))
    z = np.uint64(n) + (text[:, n - 1] << np.uint64(2))
    return _mixed(y * K2 ^ z * K3) * K2


def _longer(text: Words) -> Words:
    """Of 4 to 8 characters."""
    n = text.shape[1]
    first, last = _word(text[:, :4]), _word(text[:, n - 4 :])
    a = _mixed(((np.uint64(n) + (first << np.uint64(3))) ^ last) * MULTIPLIER)
    return _mixed((last ^ a) * MULTIPLIER) * MULTIPLIER


def _word(four: Words) -> Words:
    shifts = np.arange(0, 32, 8, dtype=np.uint64)
    return np.asarray((four << shifts).sum(axis=1, dtype=np.uint64))


def _mixed(x: Words) -> Words:
    return x ^ (x >> np.uint64(47))
