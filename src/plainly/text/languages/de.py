"""German: token-based metrics only, until it gets its own sentence splitter and syllables."""

from plainly.text.languages.language import Language

GERMAN = Language(code="de", name="German", frequency_list="de")
