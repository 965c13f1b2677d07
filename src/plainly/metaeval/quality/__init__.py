"""One metric learned from judgements: other metrics' scores, weighted as people's judgements say."""

from plainly.metaeval.quality.features import Inputs, usual_inputs
from plainly.metaeval.quality.model import Model, read_model
from plainly.metaeval.quality.pool import pooled
from plainly.metaeval.quality.training import Trained, train
from plainly.metaeval.quality.validation import Validation

__all__ = ["Inputs", "Model", "Trained", "Validation", "pooled", "read_model", "train", "usual_inputs"]
