"""Annotations of a pair side by side, and the gold that an adjudicator makes of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.groups import grouped
from plainly.base.records import as_text
from plainly.operations import AnnotatedPair, write_jsonl
from plainly.operations.contested import contested
from plainly.operations.differences import Compared, compared
from plainly.operations.ratings import side_by_side
from plainly.studio.kinds.adjudication import Adjudication, Dispute, Gold
from plainly.studio.kinds.base import JSON_LINES, Campaign, ExportFile, Given, Item, Json
from plainly.studio.kinds.operations import answers, labels, results

GOLD = "gold"
MOST_CODES = 1_000


class Pairs(Adjudication):
    """Groups are taken from annotators one by one, or made anew."""

    def disputes(self, campaign: Campaign, given: Sequence[Given]) -> list[Dispute]:
        by_item = {name: own for name, own in _done(given).items() if len(own) > 1}
        shares = _shares(campaign, by_item)
        found = [
            Dispute(name, tuple(one.person.code for one in own), shares.get(name, 0.0), _differences(campaign, own))
            for name, own in by_item.items()
        ]
        return sorted(found, key=lambda one: (one.differences == 0, -one.share, -one.differences))

    def side_by_side(self, campaign: Campaign, item: str, given: Sequence[Given]) -> Json:
        own = _done(given).get(item, [])
        found = campaign.by_name[item]
        return {
            "task": {
                "source": found.content["source"],
                "target": found.content["target"],
                "flaggable": answers.flaggable(found, labels.typology_of(campaign.settings)),
            },
            "annotations": [
                {"code": one.person.code, **{key: one.answer[key] for key in ("groups", "erroneous")}} for one in own
            ],
            "compared": [
                {"group": answers.plain(one.group), "by": list(one.annotators), "difference": one.difference}
                for one in _compared(campaign, own)
            ],
        }

    def public(self, campaign: Campaign, lang: str) -> Json:
        guide = labels.guided(lang) if campaign.settings["bundled"] else {}
        return {**labels.public(campaign.settings), "guide": guide}

    def decided(self, campaign: Campaign, item: str, given: Sequence[Given], content: Any) -> Json:
        own = _done(given).get(item, [])
        if not own:
            raise PlainlyError("nobody has annotated this pair yet")
        return _with_origin(campaign, _checked(campaign, item, content, set()), own)

    def agreed(self, campaign: Campaign, given: Sequence[Given]) -> Mapping[str, Json]:
        return {
            name: _with_origin(campaign, own[0].answer, own)
            for name, own in _done(given).items()
            if len(own) > 1 and not _differences(campaign, own)
        }

    def kept(self, campaign: Campaign, item: str, content: Any) -> Json:
        found = _checked(campaign, item, content, {"of", "erroneous_of"})
        groups = [
            {**group, "of": _codes(one.get("of"))}
            for group, one in zip(found["groups"], sorted(content["groups"], key=_place), strict=True)
        ]
        return {
            "groups": groups,
            "erroneous": found["erroneous"],
            "erroneous_of": _codes(content.get("erroneous_of")),
        }

    def exports(self, campaign: Campaign, golds: Sequence[Gold]) -> list[ExportFile]:
        if not golds:
            return []
        newest = {one.item: one for one in golds}
        pairs = [
            answers.annotated(item, newest[item.name].content, GOLD) for item in campaign.items if item.name in newest
        ]
        history = "".join(
            json.dumps(_told(campaign.by_name[one.item], one, newest[one.item] is one), ensure_ascii=False) + "\n"
            for one in golds
        )
        return [
            ExportFile("gold.jsonl", as_text(lambda out: write_jsonl(pairs, out)), JSON_LINES),
            *results.yawat_files(GOLD, pairs),
            ExportFile("gold-history.jsonl", history, JSON_LINES),
        ]


def _done(given: Sequence[Given]) -> dict[str, list[Given]]:
    """What people say they are done with, by pair; without those who are left out."""
    done = [one for one in given if one.answer["done"] and not one.person.left_out]
    return grouped(done, lambda one: str(one.task["pair"]))


def _annotated(campaign: Campaign, own: Sequence[Given]) -> list[AnnotatedPair]:
    return [answers.annotated(campaign.by_name[one.task["pair"]], one.answer, one.person.code) for one in own]


def _compared(campaign: Campaign, own: Sequence[Given]) -> list[Compared]:
    return compared(_annotated(campaign, own))


def _differences(campaign: Campaign, own: Sequence[Given]) -> int:
    return sum(one.difference != "none" for one in _compared(campaign, own))


def _shares(campaign: Campaign, by_item: Mapping[str, Sequence[Given]]) -> dict[str, float]:
    """Of words with different labels, over every two annotators."""
    pairs = [pair for own in by_item.values() for pair in _annotated(campaign, own)]
    if not pairs:
        return {}
    ratings = side_by_side(grouped(pairs, lambda pair: pair.annotator), None, labels.typology_of(campaign.settings))
    found = {(one.id, one.origin): one.share for one in contested(ratings)}
    return {
        name: found.get((content["id"], content["origin"]), found.get((content["id"], ""), 0.0))
        for name in by_item
        for content in [campaign.by_name[name].content]
    }


def _checked(campaign: Campaign, item: str, content: Any, also: set[str]) -> dict[str, Any]:
    """Groups and flag as an answer keeps them; names of `also` may be there, and are checked elsewhere."""
    if not isinstance(content, Mapping) or not {"groups", "erroneous"} <= set(content) <= {
        *("groups", "erroneous"),
        *also,
    }:
        raise PlainlyError("a decision has groups and erroneous")
    groups = content["groups"]
    if isinstance(groups, list):
        groups = [
            {key: value for key, value in group.items() if key not in also} if isinstance(group, Mapping) else group
            for group in groups
        ]
    answer = {"groups": groups, "erroneous": content["erroneous"], "done": True, "seconds": 0}
    return answers.checked(campaign.by_name[item], labels.typology_of(campaign.settings), answer)


def _with_origin(campaign: Campaign, answer: Json, own: Sequence[Given]) -> dict[str, Any]:
    """A decision with the codes of those who have each of its groups; nobody: the adjudicator's own."""
    groups = [
        {**group, "of": [one.person.code for one in own if group in one.answer["groups"]]}
        for group in answer["groups"]
    ]
    flagged = [one.person.code for one in own if one.answer["erroneous"]] if answer["erroneous"] else []
    return {"groups": groups, "erroneous": answer["erroneous"], "erroneous_of": flagged}


def _codes(value: Any) -> list[str]:
    right = isinstance(value, list) and len(value) <= MOST_CODES
    if not right or not all(isinstance(one, str) and one.isascii() and len(one) <= 20 for one in value):
        raise PlainlyError("whom a group was taken from is a list of codes")
    return list(value)


def _place(group: Json) -> tuple[Any, ...]:
    source, target = (tuple(sorted(group[side])) for side in ("source", "target"))
    return not source, source, target, group["label"]


def _told(item: Item, gold: Gold, stands: bool) -> dict[str, Any]:
    about = {key: item.content[key] for key in ("id", "origin")}
    return {"pair": item.name, **about, "by": gold.by, "time": gold.time, "stands": stands, **gold.content}
