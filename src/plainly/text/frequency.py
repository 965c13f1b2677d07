"""How common a word is: its rank among the most frequent words of its language; and which are function words.

The ranks are those of `wordfreq` (Speer 2022), which ships its lists; nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import version

from plainly.errors import MissingResource, UnknownName

RANKED = 50_000


@cache
def word_ranks(lang: str) -> Mapping[str, int]:
    """The `RANKED` most frequent words of a language (a code of wordfreq) -> rank, from 0 for the first.

    Words are lower-cased. What has no letter (digits, signs, emoji) is not a word and takes no rank.
    """
    try:
        from wordfreq import available_languages, top_n_list
    except ImportError:
        raise MissingResource("Word ranks need wordfreq: pip install wordfreq") from None
    known = available_languages()
    if lang not in known:
        raise UnknownName("language with word ranks", lang, known)
    # Signs are few (0.2 % of the English list), so twice the length leaves more than enough words.
    words = [word for word in top_n_list(lang, 2 * RANKED) if any(map(str.isalpha, word))]
    return {word: rank for rank, word in enumerate(words[:RANKED])}


def ranks_version() -> str:
    """The version of wordfreq: another version may rank words in another order."""
    return version("wordfreq")


# Articles, pronouns, prepositions, conjunctions, auxiliaries, adverbs of degree and place, and short forms:
# whole ("don't", as 13a leaves it) and in pieces ("n't", as Penn cuts it).
_ENGLISH = """
a an the this that these those some any no every each either neither both all such same own other
another i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his
himself she her hers herself it its itself they them their theirs themselves one ones who whom whose
which what whoever whatever whichever someone somebody something anyone anybody anything everyone
everybody everything no-one nobody nothing none
about above across after against along amid among amongst around as at before behind below beneath
beside besides between beyond by despite down during except for from in inside into like near of off on
onto out outside over per since than through throughout till to toward towards under until up upon
via with within without
and but or nor so yet if because although though unless while whereas whether when whenever where
wherever why how
am is are was were be been being have has had having do does did doing done will would shall should can
could may might must ought cannot
not only also too very just then there here now again once ever never more most less least few many much
further rather quite
aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't mustn't needn't shan't
shouldn't wasn't weren't won't wouldn't
i'm i've i'll i'd you're you've you'll you'd he's he'll he'd she's she'll she'd it's it'll it'd we're
we've we'll we'd they're they've they'll they'd that's that'll there's here's what's who's where's how's
let's
's 're 've 'll 'd 'm 't n't s t d m ll re ve ain aren couldn didn doesn don hadn hasn haven isn mightn
mustn needn shan shouldn wasn weren wouldn
"""

STOP_WORDS: Mapping[str, frozenset[str]] = {"en": frozenset(_ENGLISH.split())}
