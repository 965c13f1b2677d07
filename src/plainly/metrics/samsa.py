"""SAMSA (Sulem, Abend and Rappoport 2018): does each scene of the source get a sentence of its own in the output?

A scene is something that happens or holds (the main relation) and those who take part in it (participants). Each
stands for its minimal centre, a head word. With n scenes in the source and m sentences in the output:

    each scene goes to the sentence that has most of its words; if n = m, to one that no earlier scene took

    kept(scene)  =  1/2 (1 if the sentence has the main relation)  +  1/2 (share of participants it has)

    SAMSA  =  m/n * mean of kept over the scenes  if m <= n,  0 if m > n
    SAMSA ablated: the same without m/n, the penalty for scenes that were not split

A part with several centres is there if all of them are. One that the source does not name counts 1/2. A scene
without participants rests on its main relation alone. A source without a scene is not scored.

A sentence has a word if it has one of the same form or lemma, or one that is spelt much alike (`_Outputs.find`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from plainly.base.errors import MissingResource, PlainlyError
from plainly.corpus import Corpus
from plainly.metrics.base import NO_SETTINGS, SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.linguistic.texts import parsed_texts
from plainly.metrics.settings import PARSER, parser_setting, setting, variant_setting
from plainly.models.parsers import DEPENDENCIES, LEMMAS, TAGS, Parsed, missing_parser, parser_for
from plainly.models.scenes import Passages, Scene, Unit, Word, read_passages, scenes

ALIKE = 0.6  # the least Dice coefficient of the character trigrams of two words that count as one
UNNAMED = 0.5
NO_WORD = frozenset({"PUNCT", "SPACE"})


@dataclass(frozen=True, kw_only=True)
class Samsa(Metric):
    name = "samsa"
    facts = Facts(
        title="SAMSA",
        about="whether each scene of the source has a sentence of its own that keeps its core",
        direction="higher",
        range=(0.0, 100.0),
        needs=frozenset({"source", "language"}),
        paper="Sulem, Abend and Rappoport 2018, Semantic Structural Evaluation for Text Simplification, NAACL",
        caution="scenes by plainly's own rules: do not compare with numbers of EASSE or of papers",
    )
    variants: ClassVar = {
        "full": "with the penalty for scenes that were not split into sentences",
        "ablated": "without it: only whether the scenes were kept",
    }
    also_signed: ClassVar = {"parser": PARSER}
    origins: ClassVar = {
        "dependency": "from the dependency parse of the source",
        "ucca": "from UCCA files of the source (the setting `ucca` names their folder)",
    }

    variant: str = variant_setting(variants)
    scenes: str = setting(
        "dependency",
        choices=origins,
        called="origin of scenes",
        help="where scenes come from",
        about="where [SAMSA](samsa.md#scenes) has its scenes from",
    )
    ucca: str = setting("", help="the folder of UCCA files", about="a digest of the UCCA files", decided="none")
    parser: str = parser_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.scenes == "ucca") != bool(self.ucca):
            raise PlainlyError("samsa needs scenes='ucca' and ucca=FOLDER together")

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        trees = set() if settings.get("scenes") == "ucca" else {DEPENDENCIES}
        return missing_parser(lang, {TAGS, LEMMAS} | trees, settings.get("parser", ""))

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, *Measured._fields)

    def settings(self) -> dict[str, str]:
        settings = super().settings()
        if self.ucca:
            settings["ucca"] = self._passages.digest
        else:
            del settings["ucca"]
        parser = parser_for(self.lang, self.parser)
        return {**settings, "parser": parser.identity if parser else "none"}

    def measure(self, corpus: Corpus, system: str) -> Array:
        why = self.missing(self.lang, vars(self))
        parser = parser_for(self.lang, self.parser)
        if why or parser is None:
            raise MissingResource(f"samsa cannot be computed: {why}")
        parsed, outputs = parsed_texts(corpus, parser), corpus.output(system)
        sources = corpus.prepared(
            ("scenes", self.lang, self.scenes, self.ucca, parser.identity),
            lambda: [self._scenes_of(text, parsed[text]) if text else [] for text in corpus.sources],
        )
        present = scored(corpus, system, self.facts.needs) & np.array([bool(found) for found in sources], dtype=bool)
        rows = np.zeros((len(corpus), len(self.columns) - 1))
        for i in np.flatnonzero(present).tolist():
            rows[i] = measure_segment(sources[i], sentences(parsed[outputs[i] or ""]), self.variant == "full")
        return with_scored(present, rows)

    def score(self, totals: Array) -> Score:
        means = ratio(totals[..., 1:], totals[..., :1])
        parts = {name: means[..., i] for i, name in enumerate(Measured._fields)}
        return Score(100 * parts.pop("samsa"), parts)

    @cached_property
    def _passages(self) -> Passages:
        return read_passages(self.ucca)

    def _scenes_of(self, text: str, parsed: Parsed) -> list[Scene]:
        if self.scenes == "dependency":
            return scenes(parsed, self.lang)
        return _with_lemmas(self._passages.of(text) or [], parsed)


class Measured(NamedTuple):
    """What is added up of a segment. The score is the mean of `samsa`, the others explain it."""

    samsa: float
    scenes: float
    sentences: float
    main_relations: float  # the share that was kept
    participants: float


def measure_segment(scenes: Sequence[Scene], sentences: Sequence[Sequence[Word]], penalised: bool = True) -> Measured:
    """SAMSA of one segment: the scenes of its source (at least one) and the sentences of its output."""
    n, m = len(scenes), len(sentences)
    if not 0 < m <= n:
        return Measured(0, n, m, 0, 0)
    outputs = _Outputs(sentences)
    main = participants = 0.0
    for scene, sentence in zip(scenes, _assigned(scenes, outputs), strict=True):
        kept = outputs.kept(scene.main, sentence)
        shares = [outputs.kept(unit, sentence) for unit in scene.participants] or [kept]
        main += kept
        participants += sum(shares) / len(shares)
    penalty = m / n if penalised else 1
    return Measured(penalty * (main + participants) / (2 * n), n, m, main / n, participants / n)


def sentences(parsed: Parsed) -> list[list[Word]]:
    """The words of each sentence of a text, without marks."""
    return [
        [Word.of(token.text, token.lemma, token.pos) for token in sentence if token.pos not in NO_WORD]
        for sentence in parsed.sentences
    ]


def _assigned(scenes: Sequence[Scene], outputs: _Outputs) -> list[int]:
    """The sentence of each scene: of those with most of its words, the first."""
    free = set(range(outputs.count))
    assigned = []
    for scene in scenes:
        shared = Counter(
            sentence for word in dict.fromkeys(scene.words) if word.content for sentence in outputs.find(word)
        )
        best = min(free, key=lambda sentence: (-shared[sentence], sentence))
        assigned.append(best)
        if len(scenes) == outputs.count:
            free.remove(best)
    return assigned


class _Outputs:
    """The sentences of an output, and which of them have a word."""

    def __init__(self, sentences: Sequence[Sequence[Word]]) -> None:
        self.count = len(sentences)
        self._having: defaultdict[str, set[int]] = defaultdict(set)  # a form or a lemma -> sentences
        self._content: set[str] = set()
        self._found: dict[Word, set[int]] = {}
        for i, sentence in enumerate(sentences):
            for word in sentence:
                for form in (word.text, word.lemma):
                    self._having[form].add(i)
                    if word.content:
                        self._content.add(form)

    def find(self, word: Word) -> set[int]:
        """The sentences that have the word: its form, its lemma, or (a content word) one much alike."""
        if word not in self._found:
            forms = {word.text, word.lemma}
            if word.content:
                forms |= self._alike(word.lemma)
            self._found[word] = {sentence for form in forms & self._having.keys() for sentence in self._having[form]}
        return self._found[word]

    def kept(self, unit: Unit, sentence: int) -> float:
        """Whether a sentence has all centres of a unit."""
        return float(all(sentence in self.find(word) for word in unit)) if unit else UNNAMED

    def _alike(self, form: str) -> set[str]:
        grams = _trigrams(form)
        shared = Counter(other for gram in grams for other in self._with_trigram.get(gram, ()))
        return {other for other, count in shared.items() if 2 * count >= ALIKE * (len(grams) + len(_trigrams(other)))}

    @cached_property
    def _with_trigram(self) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for form in self._content:
            for gram in _trigrams(form):
                index.setdefault(gram, []).append(form)
        return index


def _trigrams(form: str) -> set[str]:
    padded = f" {form} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}


def _with_lemmas(found: Iterable[Scene], parsed: Parsed) -> list[Scene]:
    """Scenes of a file, their words with the lemmas and parts of speech of a parse."""
    known = {word.text: word for sentence in sentences(parsed) for word in sentence}

    def looked_up(unit: Unit) -> Unit:
        return tuple(known.get(word.text, word) for word in unit)

    return [
        Scene(looked_up(scene.main), tuple(map(looked_up, scene.participants)), looked_up(scene.others))
        for scene in found
    ]
