"""The registry of metrics: built-in ones and those that other packages register, found by name when used.

Another package registers a metric by an entry point in the group `plainly.metrics`:

    [project.entry-points."plainly.metrics"]
    my-metric = "my_package.metrics:MyMetric"

The names of plug-ins are metrics too. They are not part of `names`: what takes long runs only when it is asked for.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.registry import Registry
from plainly.metrics.base import Metric
from plainly.metrics.linguistic import FEATURES
from plainly.metrics.settings import settings_of

BUILT_IN = {
    "sari": "plainly.metrics.sari:Sari",
    "d-sari": "plainly.metrics.d_sari:DSari",
    "aligned-sari": "plainly.metrics.aligned:AlignedSari",
    "bleu": "plainly.metrics.bleu:Bleu",
    "bleu-sentence": "plainly.metrics.bleu:BleuSentence",
    "aligned-bleu": "plainly.metrics.aligned:AlignedBleu",
    "chrf": "plainly.metrics.chrf:Chrf",
    "ter": "plainly.metrics.ter:Ter",
    "f1-token": "plainly.metrics.f1_token:F1Token",
    "bertscore": "plainly.metrics.bertscore:BertScore",
    "meaning": "plainly.metrics.meaning:Meaning",
    "judge": "plainly.metrics.judge:Judge",
    "fkgl": "plainly.metrics.readability.english:Fkgl",
    "fre": "plainly.metrics.readability.by_language:FleschReadingEase",
    "smog": "plainly.metrics.readability.by_language:Smog",
    "ari": "plainly.metrics.readability.english:AutomatedReadabilityIndex",
    "coleman-liau": "plainly.metrics.readability.english:ColemanLiau",
    "gunning-fog": "plainly.metrics.readability.english:GunningFog",
    "dale-chall": "plainly.metrics.readability.english:DaleChall",
    "wstf1": "plainly.metrics.readability.one_language:WienerSachtextformel1",
    "wstf2": "plainly.metrics.readability.one_language:WienerSachtextformel2",
    "wstf3": "plainly.metrics.readability.one_language:WienerSachtextformel3",
    "wstf4": "plainly.metrics.readability.one_language:WienerSachtextformel4",
    "szigriszt-pazos": "plainly.metrics.readability.one_language:SzigrisztPazos",
    "gutierrez-polini": "plainly.metrics.readability.one_language:GutierrezDePolini",
    "crawford": "plainly.metrics.readability.one_language:Crawford",
    "gulpease": "plainly.metrics.readability.one_language:Gulpease",
    "pisarek": "plainly.metrics.readability.one_language:Pisarek",
    "osman": "plainly.metrics.readability.arabic:Osman",
    "lix": "plainly.metrics.readability.lengths:Lix",
    "rix": "plainly.metrics.readability.lengths:Rix",
    "sentence-length": "plainly.metrics.readability.lengths:SentenceLength",
    "syllables-per-word": "plainly.metrics.readability.lengths:SyllablesPerWord",
    "split-share": "plainly.metrics.readability.lengths:SplitShare",
    "samsa": "plainly.metrics.samsa:Samsa",
    "off-language": "plainly.metrics.off_language:OffLanguage",
    "compression-ratio": "plainly.metrics.features:CompressionRatio",
    "sentence-splits": "plainly.metrics.features:SentenceSplits",
    "levenshtein-similarity": "plainly.metrics.features:LevenshteinSimilarity",
    "exact-copies": "plainly.metrics.features:ExactCopies",
    "additions-proportion": "plainly.metrics.features:AdditionsProportion",
    "deletions-proportion": "plainly.metrics.features:DeletionsProportion",
    "lexical-complexity": "plainly.metrics.features:LexicalComplexity",
    "words-added": "plainly.metrics.features:WordsAdded",
    "words-deleted": "plainly.metrics.features:WordsDeleted",
    "words-kept": "plainly.metrics.features:WordsKept",
    "words-reordered": "plainly.metrics.features:WordsReordered",
    **{name: f"plainly.metrics.linguistic.metric:{name}" for name in FEATURES},
    "fkgl-tk2021": "plainly.metrics.tanprasert_kauchak:ReplicatedFkgl",
    "bleu-tk2021": "plainly.metrics.tanprasert_kauchak:ReplicatedBleu",
    "sari-tk2021": "plainly.metrics.tanprasert_kauchak:ReplicatedSari",
    "sentence-length-tk2021": "plainly.metrics.tanprasert_kauchak:ReplicatedLength",
    "syllables-per-word-tk2021": "plainly.metrics.tanprasert_kauchak:ReplicatedSyllables",
    "percent-split-tk2021": "plainly.metrics.tanprasert_kauchak:PercentSplit",
    "sentence-length-easse-de": "plainly.metrics.stodden:ReportedSentenceLength",
    "word-length-easse-de": "plainly.metrics.stodden:ReportedWordLength",
    "n-to-m-easse-de": "plainly.metrics.stodden:NToM",
}
REPLICAS = tuple(name for name in BUILT_IN if name.endswith(("-tk2021", "-easse-de")))
"""Metrics with the conventions of a paper, to compute its tables again; `all` leaves them out."""
GROUPS = {
    "features": tuple(name for name, place in BUILT_IN.items() if place.startswith("plainly.metrics.features:")),
    "linguistic": tuple(FEATURES),
}
"""Metrics that can be asked for by one name, as can `all`."""
METRICS: Registry[type[Metric]] = Registry(
    "metric",
    BUILT_IN,
    "plainly.metrics",
    "a subclass of plainly.metrics.Metric",
    lambda found: isinstance(found, type) and issubclass(found, Metric),
)


def get(name: str, **settings: Any) -> Metric:
    """The metric of that name (or `name:variant`) with the given settings."""
    name, colon, variant = name.partition(":")
    metric = metric_class(name)
    if colon and not variant:
        raise PlainlyError(f"{name}: names no variant; leave the colon out")
    if variant and not metric.variants:
        raise PlainlyError(f"{name} has no variants")
    if variant:
        settings["variant"] = variant
    known = settings_of(metric)
    for setting in settings:
        if setting not in known:
            raise UnknownName(f"setting of {name}", setting, known)
    return metric(**settings)


def configure(name: str, settings: dict[str, Any]) -> Metric:
    """As `get`, but settings that the metric does not have are ignored: one command line serves all metrics."""
    known = settings_of(metric_class(name.partition(":")[0]))
    return get(name, **{key: value for key, value in settings.items() if key in known})


def names() -> list[str]:
    """All metrics: built-in ones in the order of this page, then those of other packages."""
    return METRICS.names()


def standing_for_all() -> list[str]:
    """What `all` stands for: every metric but those that only compute a paper's tables again."""
    return [name for name in names() if name not in REPLICAS]


def as_registered(name: str) -> str:
    """The name as it is registered, whatever its case: SARI is sari."""
    return name if name.partition(":")[0] in METRICS else name.lower()


@cache
def metric_class(name: str) -> type[Metric]:
    """The class of the metric of that name."""
    if name in METRICS:
        found = METRICS[name]
        settings_of(found)  # refuses one that forgot to be a dataclass
        return found
    plugins = import_module("plainly.metrics.external")
    if plugin := plugins.plugin_metric(name):
        as_metric: type[Metric] = plugin
        return as_metric
    raise UnknownName("metric", name, [*METRICS, *plugins.names()])
