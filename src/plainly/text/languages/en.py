"""English."""

from plainly.text.languages.language import Language
from plainly.text.sentences import count_sentences
from plainly.text.syllables import count_syllables

ENGLISH = Language(
    code="en",
    name="English",
    count_sentences=count_sentences,
    count_syllables=count_syllables,
    syllable_source="plainly",
    frequency_list="en",
)
