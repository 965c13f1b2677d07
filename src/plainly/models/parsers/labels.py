"""One inventory of dependency labels for all parsers: the relations of Universal Dependencies 2 (UD).

Parsers were trained on different treebanks. Their labels are renamed here; their trees stay as they are. Where a
tree is built otherwise than in UD, a label that fits no UD relation keeps its own name:

* English (CLEAR labels): a preposition stands above its noun, so the phrase hangs on its preposition, labelled
  `obl` (of a verb) or `nmod` (of a noun), and the noun is its `pobj`, a clause its `pcomp`. A copula stands above
  its predicate, which is `xcomp`.
* German pipelines of spaCy (TIGER labels): the same two, and an auxiliary stands above its verb, which is `xcomp`,
  or `xcomp:pass` in the passive.

Pipelines with UD labels pass unchanged, but in lower case.
"""

from __future__ import annotations

from collections.abc import Callable

from plainly.models.parsers.parsed import Sentence, Token

Rule = Callable[[Token, Token], str]  # a token and its head -> the label of the token

_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "SYM", "X"})


def _of_relations(labels: dict[str, str]) -> dict[str, str]:
    """Own label -> relation of UD, from relation -> the labels that become it."""
    return {label: relation for relation, own in labels.items() for label in own.split()}


_CLEAR = _of_relations(
    {
        "root": "ROOT",
        "xcomp": "acomp attr oprd",
        "obl:agent": "agent",
        "aux:pass": "auxpass",
        "csubj:pass": "csubjpass",
        "iobj": "dative",
        "obj": "dobj",
        "discourse": "intj",
        "dep": "meta",
        "advmod": "neg quantmod",
        "obl": "npadvmod",
        "nsubj:pass": "nsubjpass",
        "nmod:poss": "poss",
        "cc:preconj": "preconj",
        "det:predet": "predet",
        "compound:prt": "prt",
        "acl:relcl": "relcl",
    }
)

_TIGER = _of_relations(
    {
        "root": "ROOT",
        "case": "ac cm",
        "flat": "adc pnc",
        "nmod:poss": "ag pg",
        "nmod": "ams mnr",
        "appos": "app",
        "advmod": "avc ng",
        "obl": "cc cvc op",
        "cc": "cd ju",
        "conj": "cj",
        "mark": "cp pm",
        "iobj": "da",
        "discourse": "dm",
        "expl": "ep ph",
        "nummod": "nmc",
        "obj": "oa oa2 og",
        "xcomp": "oc pd",
        "parataxis": "par rs",
        "acl:relcl": "rc",
        "acl": "re",
        "nsubj": "sb sp",
        "obl:agent": "sbp",
        "compound:prt": "svp",
        "dep": "uc",
        "vocative": "vo",
    }
)
# Two labels of TIGER say only where a word stands: what it does follows from its part of speech.
_TIGER_NOUN_KERNEL = {"DET": "det", "ADJ": "amod", "NUM": "nummod", "VERB": "acl", "ADV": "advmod"}
_TIGER_MODIFIER = {"ADV": "advmod", "ADJ": "advmod", "VERB": "advcl", "AUX": "advcl", "PART": "advmod"}


def renamed(sentence: Sentence, rule: Rule) -> Sentence:
    """A sentence whose `raw_dep` are known, with the `dep` that a rule gives."""
    return tuple(token._replace(dep=rule(token, sentence[token.head])) for token in sentence)


def rule_for(labels: frozenset[str]) -> Rule:
    """How to rename the labels of a parser, by the labels it knows."""
    if "nk" in labels:
        return _from_tiger
    return _from_clear if "dobj" in labels and "obj" not in labels else _from_universal


def _from_clear(token: Token, head: Token) -> str:
    if token.raw_dep == "prep":
        return "nmod" if head.pos in _NOMINAL else "obl"
    return _CLEAR.get(token.raw_dep, token.raw_dep)


def _from_tiger(token: Token, head: Token) -> str:
    if token.raw_dep == "nk":
        is_object = head.pos == "ADP" and token.pos in _NOMINAL
        return "pobj" if is_object else _TIGER_NOUN_KERNEL.get(token.pos, "nmod")
    if token.raw_dep == "mo":
        return _TIGER_MODIFIER.get(token.pos, "nmod" if head.pos in _NOMINAL else "obl")
    if token.raw_dep == "oc" and token.tag == "VVPP" and head.lemma == "werden":
        return "xcomp:pass"
    return _TIGER.get(token.raw_dep, token.raw_dep)


def _from_universal(token: Token, _: Token) -> str:
    return token.raw_dep.lower()
