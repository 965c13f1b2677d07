"""Discourse markers: words that say how a sentence or clause goes with what was said before.

The lists are plainly's own. They hold connectives that rarely do anything else: "but" is in, "so" and "then" are
not. A marker is found as a run of words, the longest first, whatever its case.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

MARKERS = {
    "en": """
        accordingly, additionally, admittedly, afterwards, albeit, alternatively, although, besides, because, but,
        consequently, conversely, finally, firstly, furthermore, hence, however, indeed, instead, lastly, likewise,
        meanwhile, moreover, namely, nevertheless, nonetheless, notwithstanding, otherwise, secondly, similarly,
        simultaneously, subsequently, therefore, thereby, though, thus, unless, whereas, whereby, yet,
        above all, after all, all in all, as a consequence, as a result, as long as, as soon as, as well as,
        at the same time, because of this, by contrast, by the way, due to this, even if, even so, even though,
        first of all, for example, for instance, for this reason, given that, in addition, in addition to this,
        in any case, in brief, in comparison, in conclusion, in contrast, in fact, in order that, in order to,
        in other words, in particular, in short, in spite of this, in summary, in the end, in the meantime,
        in this way, in turn, insofar as, of course, on the contrary, on the one hand, on the other hand,
        on top of that, provided that, rather than, so that, such as, that is, that is to say, to sum up,
        what is more
    """,
    "de": """
        aber, allerdings, andererseits, anschließend, außerdem, beispielsweise, beziehungsweise, dadurch, dafür,
        dagegen, daher, danach, daraufhin, darum, darüber hinaus, demnach, demzufolge, denn, dennoch, deshalb,
        dessen ungeachtet, deswegen, einerseits, ferner, folglich, gleichwohl, gleichzeitig, hingegen, immerhin,
        indem, infolgedessen, insbesondere, insofern, inzwischen, jedoch, letztlich, nachdem, nämlich,
        nichtsdestotrotz, nichtsdestoweniger, obgleich, obschon, obwohl, schließlich, sobald, sodass, sofern, somit,
        sondern, sonst, soweit, stattdessen, trotzdem, überdies, unterdessen, vielmehr, vorher, währenddessen, weil,
        weiterhin, wenngleich, wohingegen, zudem, zuletzt, zumal, zunächst, zusätzlich, zuvor, zwar, als ob, auf der
        anderen seite, auf der einen seite, auf diese weise, aus diesem grund, das heißt, im gegensatz dazu, im
        gegenteil, im übrigen, im vergleich dazu, in der folge, in diesem fall, in diesem zusammenhang, mit anderen
        worten, ohne dass, so dass, statt dessen, trotz allem, um so mehr, unter anderem, vor allem, zum anderen,
        zum beispiel, zum einen, zum schluss
    """,
}


def count_markers(words: Sequence[str], lang: str) -> int:
    """How many markers stand in a row of words; no word is counted twice."""
    known, longest = _known(lang)
    lowered = [word.lower() for word in words]
    place = count = 0
    while place < len(lowered):
        for length in range(longest, 0, -1):
            if tuple(lowered[place : place + length]) in known:
                count += 1
                place += length
                break
        else:
            place += 1
    return count


@cache
def _known(lang: str) -> tuple[frozenset[tuple[str, ...]], int]:
    markers = frozenset(tuple(marker.split()) for marker in MARKERS[lang].split(","))
    return markers, max(map(len, markers))
