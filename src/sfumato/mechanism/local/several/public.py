"""What a device must know of an oracle or a scheme to make a report that the server reads, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.mechanism.local.several.faked import Faking
from sfumato.mechanism.local.survey.public import parameters_of
from sfumato.noise.categorical import whole_weights

if TYPE_CHECKING:
    from sfumato.mechanism.local.oracle import FrequencyOracle
    from sfumato.mechanism.local.several.faked import Faked
    from sfumato.mechanism.local.several.simulate import AnyScheme
    from sfumato.table.values import Item


def device_of_oracle(oracle: FrequencyOracle[Any]) -> dict[str, Item]:
    """What makes one report by an oracle.

    Keys: `name`, which the wire form carries; `digest`, the eight bytes behind it in hexadecimal digits; `attributes`, of
    each the `mechanism`, the `bits` of a report and the exact `parameters`.

    Example:
        >>> from sfumato.mechanism.local.grr import GRR
        >>> told = device_of_oracle(GRR(1.0, 4))
        >>> told["name"], [one["bits"] for one in told["attributes"]]
        ('GRR', [2])
    """
    return {"name": oracle.name, "digest": oracle.digest.hex(), "attributes": [_attribute(oracle)]}


def device_of_scheme(scheme: AnyScheme) -> dict[str, Item]:
    """What makes one report by a scheme for several attributes.

    Keys: see `device_of_oracle`; with fake data each attribute also has `fakes`: whole weights of the fake values as texts
    of digits, or null, where the fake is the perturbed vector of zeros.

    Example:
        >>> from sfumato.mechanism.local.several.epsilon import Calibration
        >>> from sfumato.mechanism.local.several.faked import Variant
        >>> from sfumato.mechanism.local.several.rs_rfd import RSRFD
        >>> scheme = RSRFD(1.0, ((0.75, 0.25), (0.5, 0.5)), Variant.GRR, Calibration.TUPLE_LEVEL)
        >>> [one["fakes"] for one in device_of_scheme(scheme)["attributes"]]
        [['3', '1'], ['1', '1']]
    """
    if isinstance(scheme, Faking):
        attributes = [{**_attribute(one.oracle), "fakes": _weights(one)} for one in scheme.attributes]
    else:
        attributes = [_attribute(oracle) for oracle in scheme.oracles]
    return {"name": scheme.name, "digest": scheme.digest.hex(), "attributes": attributes}


def _attribute(oracle: FrequencyOracle[Any]) -> dict[str, Item]:
    """One attribute."""
    return {"mechanism": oracle.name, "bits": oracle.bits_per_report, "parameters": parameters_of(oracle)}


def _weights(attribute: Faked) -> list[str] | None:
    """The law of a fake value."""
    return None if attribute.fakes is None else [str(weight) for weight in whole_weights(attribute.fakes)]
