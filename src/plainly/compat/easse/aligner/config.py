"""Settings of the word aligner: not there."""

from plainly.compat.easse.aligner import WHY
from plainly.compat.easse.unavailable import absent

__getattr__ = absent(["ppdbDict", "ppdbSim", "punctuations", "stemmer", "stopwords", "theta1"], WHY)
