"""What ARX was asked in the reference, in our words: criteria, loss and table of each recorded run."""

import json
import os
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from sfumato.guarantee.average_risk import AverageRisk
from sfumato.guarantee.beta_likeness import BasicBetaLikeness, EnhancedBetaLikeness
from sfumato.guarantee.delta_disclosure import DeltaDisclosurePrivacy
from sfumato.guarantee.delta_presence import DeltaPresence
from sfumato.guarantee.k_anonymity import KAnonymity
from sfumato.guarantee.k_map import KMap, KMapEstimated
from sfumato.guarantee.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveLDiversity
from sfumato.guarantee.population_uniqueness import PopulationUniqueness
from sfumato.guarantee.records_at_risk import RecordsAtRisk
from sfumato.guarantee.sample_uniqueness import SampleUniqueness
from sfumato.guarantee.t_closeness import TCloseness
from sfumato.mechanism.recode.full_domain import FullDomain
from sfumato.utility.loss.arx import ArxLoss
from sfumato.utility.loss.classification import ClassificationLoss
from sfumato.utility.loss.entropy_information_loss import EntropyInformationLoss
from sfumato.utility.loss.height import HeightLoss
from sfumato.utility.loss.kl_divergence import KLDivergenceLoss
from sfumato.utility.loss.non_uniform_entropy import NonUniformEntropyLoss
from sfumato.utility.loss.parts import Aggregate
from sfumato.utility.loss.precision import PrecisionLoss
from sfumato.utility.loss.publisher_payout import PublisherPayoutLoss
from sfumato.utility.loss.sizes import AmbiguityLoss, ClassSizeLoss, DiscernibilityLoss

N_ROWS = 30_162
USA = 317_238_626
"""The population that ARX assumes for the USA."""

QUALITY_MODELS = {
    "loss_MAXIMUM": ArxLoss(aggregate=Aggregate.MAXIMUM),
    "loss_ARITHMETIC_MEAN": ArxLoss(aggregate=Aggregate.ARITHMETIC_MEAN),
    "loss_GEOMETRIC_MEAN": ArxLoss(),
    "loss_SUM": ArxLoss(aggregate=Aggregate.SUM),
    "loss_RANK": ArxLoss(aggregate=Aggregate.RANK),
    "loss_gs0": ArxLoss(gs=0.0),
    "loss_gs1": ArxLoss(gs=1.0),
    "aecs": ClassSizeLoss(),
    "ambiguity": AmbiguityLoss(),
    "dm": DiscernibilityLoss(),
    "dmstar": DiscernibilityLoss(ignores_suppression=True),
    "entropyBasedIL": EntropyInformationLoss(),
    "nuEntropy": NonUniformEntropyLoss(),
    "nuEntropyMono": NonUniformEntropyLoss(ignores_suppression=True),
    "precompEntropy_1.0": NonUniformEntropyLoss(),
    "normEntropy": NonUniformEntropyLoss(normalized=True),
    "height": HeightLoss(),
    "kl": KLDivergenceLoss(),
    "precision": PrecisionLoss(),
    "precisionMono": PrecisionLoss(ignores_suppression=True),
    "classification": ClassificationLoss(("salary-class",)),
    "payoutProsecutor": PublisherPayoutLoss(),
}

LATTICE_MODELS = {
    "loss": ArxLoss(),
    "precision": PrecisionLoss(),
    "entropy": NonUniformEntropyLoss(),
    "aecs": ClassSizeLoss(),
    "dm": DiscernibilityLoss(),
}


def group(name):
    """The recorded runs of one group, as pytest parameters; none without the shared folder."""
    folder = Path(os.environ.get("SFUMATO_SHARED", Path(__file__).parents[3] / "shared"))
    path = folder / "reference" / "arx_reference.json"
    return recorded(path)[name] if path.is_file() else []


@cache
def recorded(path):
    """All that was recorded, read once for all groups and tests."""
    return json.loads(path.read_text())


def label(run):
    """Identifier of a recorded run."""
    return run["name"] if "name" in run else f"{run['class']}-{run['index']}"


@dataclass(frozen=True)
class Question:
    """One recorded run in our words."""

    criteria: tuple
    limit: Fraction
    loss: object
    sensitive: tuple[str, ...] = ()

    @property
    def method(self):
        """The search that answers it."""
        return FullDomain(self.criteria, self.limit, self.loss)


def limit_of(run):
    """The suppression limit in the name of a run."""
    return Fraction(re.search(r"_s([\d.]+)", run["name"])[1])


def k_anonymity(run):
    """A run of the groups of k-anonymity and of search algorithms."""
    k = int(re.search(r"k(\d+)_", run["name"])[1])
    return Question((KAnonymity(k),), limit_of(run), ArxLoss())


def quality_model(run):
    """A run of the group of quality models."""
    name = re.search(r"metric=([^,]+)", run["params"])[1]
    return Question((KAnonymity(5),), limit_of(run), QUALITY_MODELS[name])


def disclosure(run):
    """A run of the group of criteria about a sensitive column."""
    (column,) = run["sensitive"]
    name = run["name"]
    criteria = [KAnonymity(5)] if name.startswith("k5") else []
    criteria.append(_about(column, re.sub(r"^k5_", "", name).split("_s")[0]))
    return Question(tuple(criteria), limit_of(run), ArxLoss(), (column,))


SENSITIVE_MODELS = {
    r"distinctL(\d+)": lambda column, n: DistinctLDiversity(column, int(n)),
    r"entropyL(\d+)": lambda column, n: EntropyLDiversity(column, n, "shannon"),
    r"entropyLgrassberger(\d+)": lambda column, n: EntropyLDiversity(column, n, "grassberger"),
    r"recursive_c([\d.]+)_l(\d+)": lambda column, c, n: RecursiveLDiversity(column, c, int(n)),
    r"hierT([\d.]+)": lambda column, t: TCloseness(column, t, "hierarchical"),
    r"(equal|ordered)T([\d.]+)": lambda column, distance, t: TCloseness(column, t, distance),
    r"basicB([\d.]+)": BasicBetaLikeness,
    r"enhB([\d.]+)": EnhancedBetaLikeness,
    r"dDisc([\d.]+)": lambda column, delta: DeltaDisclosurePrivacy(column, delta, "2", "ignored"),
}


def _about(column, text):
    """The criterion that a name such as `recursive_c3.0_l2` means."""
    for pattern, build in SENSITIVE_MODELS.items():
        if found := re.fullmatch(pattern, text):
            return build(column, *found.groups())
    raise AssertionError(text)


def risk(run):
    """A run of the group of risk and population models; None: a model that we do not have."""
    name = run["name"]
    if found := re.match(r"kmap_(ZERO_TRUNCATED_)?POISSON_k(\d+)_", name):
        kind = "zero-truncated-poisson" if found[1] else "poisson"
        criteria = (KMapEstimated(int(found[2]), 300_000, N_ROWS, "0.01", kind),)
    elif found := re.match(r"avgRisk_([\d.]+)_", name):
        criteria = (AverageRisk(found[1]),)
    elif name.startswith("avgRisk3"):
        criteria = (AverageRisk("0.05"), RecordsAtRisk("0.2", "0.05"))
    elif found := re.match(r"sampleUniq_([\d.]+)_", name):
        criteria = (SampleUniqueness(found[1]),)
    elif found := re.match(r"popUniq_([A-Z]+)_([\d.]+)_", name):
        criteria = (PopulationUniqueness(found[2], USA, found[1].lower()),)
    else:
        return None
    return Question(criteria, limit_of(run), ArxLoss())


def subset(run):
    """A run of the group with a research subset."""
    name = run["name"]
    if found := re.match(r"dPresence_([\d.]+)_([\d.]+)_", name):
        criteria = (DeltaPresence(found[1], found[2]),)
    elif found := re.match(r"kmap_subset_k(\d+)_", name):
        criteria = (KMap(int(found[1])),)
    else:
        criteria = (KAnonymity(5),)
    return Question(criteria, limit_of(run), ArxLoss())
