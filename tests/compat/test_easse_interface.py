"""What EASSE users import is there, takes the same arguments, and says so where it cannot work.

The tables follow a list of EASSE 0.2.4's public interface that was made by reading and running it.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import MissingResource

from ..cases import each

NAMES = {
    "sari": "NGRAM_ORDER corpus_sari get_corpus_sari_operation_scores compute_ngram_stats compute_macro_sari "
    "compute_micro_sari compute_precision_recall compute_f1 compute_precision_recall_f1 extract_ngrams "
    "multiply_counter",
    "bleu": "corpus_bleu sentence_bleu corpus_averaged_sentence_bleu",
    "splitting": "corpus_macro_avg_sent_bleu",
    "fkgl": "corpus_fkgl FKGLScorer",
    "compression": "corpus_f1_token",
    "samsa": "corpus_samsa sentence_samsa get_samsa_sentence_scores",
    "quality_estimation": "corpus_quality_estimation get_average get_compression_ratio count_sentence_splits "
    "get_levenshtein_similarity is_exact_match get_additions_proportion get_deletions_proportion get_wordrank_score "
    "wrap_single_sentence_vectorizer normalize",
    "report": "get_all_scores",
    "cli": "evaluate_system_output report multiple_systems_report get_sys_sents get_orig_and_refs_sents cli",
    "utils.preprocessing": "normalize",
    "utils.text": "to_words count_words to_sentences count_sentences count_syllables_in_word "
    "count_syllables_in_sentence",
    "utils.helpers": "read_lines read_split_lines collapse_split_sentences add_dicts get_temp_filepath safe_divide",
    "utils.constants": "PACKAGE_DIR VALID_TEST_SETS VALID_METRICS DEFAULT_METRICS",
    "utils.resources": "get_orig_sents get_refs_sents maybe_map_deprecated_test_set_to_new_test_set",
    "annotation.lcs": "get_lcs get_lcs_alignment",
    "annotation.word_level": "SIMOP_LABELS_GROUPS SIMOP_LABELS ORIG_OPS_LABELS CLAUSE_SYNT_TAGS CHUNK_SYNT_TAGS "
    "annotate_sentence WordOperationAnnotator",
    "annotation.sentence_level": "SentenceOperationAnnotator",
}

UNAVAILABLE = {
    "bertscore": "corpus_bertscore get_bertscore_sentence_scores",
    "samsa": "compute_samsa syntactic_parse_ucca_scenes align_scenes_sentences get_minimal_centers_from_relations "
    "get_minimal_centers_from_participants",
    "report": "get_html_report write_html_report get_multiple_systems_html_report write_multiple_systems_html_report "
    "get_scores_by_length_html get_score_table_html_single_system get_score_table_html_multiple_systems "
    "get_qualitative_examples_html get_multiple_systems_qualitative_examples_html get_test_set_description_html "
    "get_plots_html get_plotly_histogram get_plotly_html get_table_html get_table_html_from_dataframe get_head_html "
    "get_random_html_id make_text_bold_html make_differing_words_bold",
    "utils.resources": "download unzip untar reporthook download_stanford_corenlp download_ucca_model "
    "update_ucca_path get_system_outputs_dir",
    "utils.ucca_utils": "get_parser ucca_parse_texts get_scenes_ucca get_scenes_text flatten_unit mock_sys_argv",
    "aligner.aligner": "MonolingualWordAligner alignNouns alignMainVerbs alignAdjectives alignAdverbs "
    "alignNamedEntities alignWords",
    "aligner.corenlp_utils": "syntactic_parse_texts format_parser_output split_parse_result join_parse_result "
    "nerWordAnnotator ner posTag lemmatize dependencyParseAndPutOffsets findParents findChildren",
    "aligner.word_sim": "wordRelatedness present_in_ppdb get_cannonical_word loadPPDB",
    "aligner.utils": "isSublist findAllCommonContiguousSublists findTextualNeighborhood isAcronym "
    "group_sentence_alignments",
}

SARI = (
    "orig_sents, sys_sents, refs_sents, lowercase=True, tokenizer='13a', legacy=False, use_f1_for_deletion=True, "
    "use_paper_version=False"
)
NINE = ", ".join(
    f"{operation}_{count}"
    for operation in ("add", "keep", "del")
    for count in ("sys_correct", "sys_total", "ref_total")
)
CUSTOM = "sys_sents_path=None, orig_sents_path=None, refs_sents_paths=None"
SETTINGS = "tokenizer='13a', lowercase=True, metrics=['bleu', 'sari', 'fkgl']"
SIGNATURES = {
    "sari.corpus_sari": SARI,
    "sari.get_corpus_sari_operation_scores": SARI,
    "sari.compute_ngram_stats": "orig_sents, sys_sents, refs_sents",
    "sari.compute_macro_sari": f"{NINE}, use_f1_for_deletion=True",
    "sari.compute_micro_sari": f"{NINE.replace('sys', 'hyp')}, use_f1_for_deletion=True",
    "sari.compute_precision_recall": "sys_correct, sys_total, ref_total",
    "sari.compute_f1": "precision, recall",
    "sari.compute_precision_recall_f1": "sys_correct, sys_total, ref_total",
    "sari.extract_ngrams": "line, min_order=1, max_order=4",
    "sari.multiply_counter": "c, v",
    "bleu.corpus_bleu": "sys_sents, refs_sents, smooth_method='exp', smooth_value=None, force=True, lowercase=False, "
    "tokenizer='13a', effective_order=False",
    "bleu.sentence_bleu": "sys_sent, ref_sents, smooth_method='floor', smooth_value=None, lowercase=False, "
    "tokenizer='13a', effective_order=True",
    "bleu.corpus_averaged_sentence_bleu": "sys_sents, refs_sents, smooth_method='floor', smooth_value=None, "
    "lowercase=False, tokenizer='13a', effective_order=True",
    "splitting.corpus_macro_avg_sent_bleu": "sys_sents, refs_sents, lowercase=False, tokenizer='13a'",
    "fkgl.corpus_fkgl": "sentences, tokenizer='13a'",
    "fkgl.FKGLScorer": "",
    "samsa.corpus_samsa": "orig_sents, sys_sents, lowercase=False, tokenizer='13a', verbose=False",
    "samsa.sentence_samsa": "orig_sent, sys_sent, lowercase=False, tokenizer='13a', verbose=False",
    "samsa.get_samsa_sentence_scores": "orig_sents, sys_sents, lowercase=False, tokenizer='13a', verbose=False",
    "compression.corpus_f1_token": "sys_sents, refs_sents, lowercase=True, tokenizer='13a'",
    "quality_estimation.corpus_quality_estimation": "orig_sentences, sys_sentences, lowercase=False, tokenizer='13a'",
    "quality_estimation.get_average": "vectorizer, orig_sentences, sys_sentences",
    "quality_estimation.get_compression_ratio": "complex_sentence, simple_sentence",
    "quality_estimation.get_wordrank_score": "sentence",
    "report.get_all_scores": "orig_sents, sys_sents, refs_sents, lowercase=False, tokenizer='13a', "
    "metrics=['bleu', 'sari', 'fkgl']",
    "cli.evaluate_system_output": f"test_set, {CUSTOM}, {SETTINGS}, analysis=False, quality_estimation=False",
    "cli.report": f"test_set, {CUSTOM}, report_path='easse_report.html', {SETTINGS}",
    "cli.multiple_systems_report": "test_set, sys_sents_paths, orig_sents_path=None, refs_sents_paths=None, "
    f"report_path='easse_report.html', {SETTINGS}, system_names=None",
    "cli.get_sys_sents": "test_set, sys_sents_path=None",
    "cli.get_orig_and_refs_sents": "test_set, orig_sents_path=None, refs_sents_paths=None",
    "utils.preprocessing.normalize": "sentence, lowercase=True, tokenizer='13a', return_str=True",
    "utils.text.to_words": "text",
    "utils.text.count_words": "text",
    "utils.text.to_sentences": "text, language='english'",
    "utils.text.count_sentences": "text, language='english'",
    "utils.text.count_syllables_in_word": "word",
    "utils.text.count_syllables_in_sentence": "sentence",
    "utils.helpers.read_lines": "filename",
    "utils.helpers.read_split_lines": "filename, split_sep='<::::>'",
    "utils.helpers.collapse_split_sentences": "sys_sents, refs_sents",
    "utils.helpers.add_dicts": "*dicts",
    "utils.helpers.get_temp_filepath": "create=False",
    "utils.helpers.safe_divide": "a, b",
    "utils.resources.get_orig_sents": "test_set",
    "utils.resources.get_refs_sents": "test_set",
    "annotation.lcs.get_lcs": "seq1, seq2",
    "annotation.lcs.get_lcs_alignment": "seq1, seq2",
    # EASSE gives the parses no default; None is plainly's.
    "annotation.word_level.annotate_sentence": "src, ref, aligns, src_parse=None, ref_parse=None, "
    "include_phrase_level=False",
    "annotation.word_level.WordOperationAnnotator": "align_tool='simalign', simalign_method='inter', "
    "include_phrase_level=False, iob_labels=False, lowercase=False, tokenizer='moses', verbose=False",
    "annotation.sentence_level.SentenceOperationAnnotator": "align_tool='simalign', simalign_method='inter', "
    "with_clause=False, lowercase=False, tokenizer='moses', verbose=False",
}

ORIG = ["He purchased a car.", "It is an enormous house."]
SYS = ["He bought a car.", "It is a big house."]
REFS = [["He bought a car.", "It is a large house."], ["He got a car.", "It is a big house."]]
COUNTS = [[3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2]] * 3
CALLS: dict[str, list[Any]] = {
    "sari.corpus_sari": [ORIG, SYS, REFS, False, "intl", False, False, True],
    "sari.get_corpus_sari_operation_scores": [ORIG, SYS, REFS, False, "intl", True, False, False],
    "sari.compute_ngram_stats": [ORIG, SYS, REFS],
    "sari.compute_macro_sari": [*COUNTS, False],
    "sari.compute_micro_sari": [*COUNTS, False],
    "sari.compute_precision_recall": [1, 2, 4],
    "sari.compute_f1": [0.5, 0.25],
    "sari.compute_precision_recall_f1": [1, 2, 4],
    "sari.extract_ngrams": ["a b a b", 2, 3],
    "sari.multiply_counter": [Counter("aab"), 3],
    "bleu.corpus_bleu": [SYS, REFS, "add-k", 2, True, True, "intl", True],
    "bleu.sentence_bleu": [SYS[0], ["He has a car."], "add-k", 2, True, "intl", False],
    "bleu.corpus_averaged_sentence_bleu": [SYS, REFS, "exp", None, True, "intl", False],
    "splitting.corpus_macro_avg_sent_bleu": [SYS, REFS, True, "intl"],
    "fkgl.corpus_fkgl": [SYS, "intl"],
    "compression.corpus_f1_token": [SYS, REFS, False, "none"],
    "quality_estimation.corpus_quality_estimation": [ORIG, SYS, True, "none"],
    "quality_estimation.get_compression_ratio": [ORIG[0], SYS[0]],
    "quality_estimation.count_sentence_splits": [ORIG[0], SYS[0]],
    "quality_estimation.get_levenshtein_similarity": [ORIG[0], SYS[0]],
    "quality_estimation.is_exact_match": [ORIG[0], SYS[0]],
    "quality_estimation.get_additions_proportion": [ORIG[0], SYS[0]],
    "quality_estimation.get_deletions_proportion": [ORIG[0], SYS[0]],
    "quality_estimation.get_wordrank_score": [ORIG[0]],
    "quality_estimation.get_average": [lambda a, b: len(a) - len(b), ORIG, SYS],
    "report.get_all_scores": [ORIG, SYS, REFS, True, "intl", ["sari"]],
    "utils.preprocessing.normalize": [ORIG[0], False, "moses", False],
    "utils.text.to_words": [ORIG[0]],
    "utils.text.count_words": [ORIG[0]],
    "utils.text.to_sentences": ["One. Two.", "english"],
    "utils.text.count_sentences": ["One. Two.", "english"],
    "utils.text.count_syllables_in_word": ["table"],
    "utils.text.count_syllables_in_sentence": [ORIG[0]],
    "utils.helpers.collapse_split_sentences": [[["a", "b"]], [[["c", "d"]]]],
    "utils.helpers.safe_divide": [1, 4],
    "utils.resources.maybe_map_deprecated_test_set_to_new_test_set": ["asset_test"],
    "annotation.lcs.get_lcs": ["abcd", "acbd"],
    "annotation.lcs.get_lcs_alignment": ["abcd", "acbd"],
    "annotation.word_level.annotate_sentence": [["a", "b"], ["a"], [(1, 1)], None, None, False],
}


def find(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"plainly.compat.easse.{module}"), name)


def paths(table: dict[str, str]) -> list[str]:
    return [f"{module}.{name}" for module, names in table.items() for name in names.split()]


@each("path", paths(NAMES))
def test_every_public_name_is_there(path: str) -> None:
    assert find(path) is not None


@each("path, expected", SIGNATURES.items())
def test_arguments_have_easses_names_order_and_defaults(path: str, expected: str) -> None:
    found = inspect.signature(find(path))
    plain = [p.replace(annotation=p.empty) for p in found.parameters.values()]
    assert str(inspect.Signature(plain)) == f"({expected})"


@pytest.mark.parametrize("path", CALLS)
@pytest.mark.usefixtures("builtin_splitter")
def test_positional_and_keyword_arguments_mean_the_same(path: str) -> None:
    function: Callable[..., Any] = find(path)
    arguments = CALLS[path]
    names = list(inspect.signature(function).parameters)
    assert len(arguments) == len(names)
    by_position = function(*arguments)
    assert by_position == function(**dict(zip(names, arguments, strict=True)))
    assert type(by_position) in {float, int, bool, str, tuple, list, dict, Counter}


def test_every_function_is_called_in_one_of_these_tests() -> None:
    elsewhere = {  # in test_samsa and the other tests of EASSE's interface, or for their errors
        "fkgl.FKGLScorer",
        "samsa.corpus_samsa",
        "samsa.sentence_samsa",
        "samsa.get_samsa_sentence_scores",
        "quality_estimation.normalize",
        "quality_estimation.wrap_single_sentence_vectorizer",
        "utils.helpers.read_lines",
        "utils.helpers.read_split_lines",
        "utils.helpers.add_dicts",
        "utils.helpers.get_temp_filepath",
        "utils.resources.get_orig_sents",
        "utils.resources.get_refs_sents",
        "annotation.word_level.WordOperationAnnotator",
        "annotation.sentence_level.SentenceOperationAnnotator",
    }
    functions = {path for path in paths(NAMES) if callable(find(path)) and not path.startswith("cli.")}
    assert functions == set(CALLS) | elsewhere


@each("path", paths(UNAVAILABLE))
def test_what_is_not_there_can_be_imported_and_says_why(path: str) -> None:
    stand_in = find(path)
    assert stand_in.__name__ == path.rpartition(".")[2]
    for call in (lambda: stand_in(), lambda: stand_in([], []), lambda: stand_in(orig_sents=[])):
        with pytest.raises(MissingResource, match=r"is not available: \w"):
            call()


@each("module", [*UNAVAILABLE, "utils.constants", "aligner.config"])
def test_a_name_that_easse_does_not_have_either(module: str) -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        find(f"{module}.nonsense")


@pytest.mark.parametrize("name", ["TEST_SETS_PATHS", "DATA_DIR", "SYSTEM_OUTPUTS_DIRS_MAP", "STANFORD_CORENLP_DIR"])
def test_there_are_no_paths_to_test_sets(name: str) -> None:
    with pytest.raises(MissingResource, match="keeps test sets in its own data folder"):
        find(f"utils.constants.{name}")


@pytest.mark.parametrize("name", ["ppdbDict", "ppdbSim", "punctuations", "stemmer", "stopwords", "theta1"])
def test_there_are_no_settings_of_the_aligner(name: str) -> None:
    with pytest.raises(MissingResource, match=f"{name} is not available: the word aligner"):
        find(f"aligner.config.{name}")


@pytest.mark.parametrize("function", ["get_orig_sents", "get_refs_sents"])
def test_test_sets_come_from_the_catalogue(function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(tmp_path))
    get = find(f"utils.resources.{function}")
    with pytest.raises(MissingResource, match="run: plainly data fetch asset-test"):
        get("asset_test")
    with pytest.raises(MissingResource, match=r"'wikisplit_test' is not in plainly's catalogue; .*-t custom"):
        get("wikisplit_test")
    with pytest.raises(ValueError, match="did you mean 'asset_test'"):
        get(test_set="asset_tests")
    with (
        pytest.warns(UserWarning, match="'turkcorpus_test'"),
        pytest.raises(MissingResource, match="turkcorpus-test"),
    ):
        get("turk")


def test_word_labels_are_easses() -> None:
    labels = find("annotation.word_level.SIMOP_LABELS")
    groups = find("annotation.word_level.SIMOP_LABELS_GROUPS")
    assert len(labels) == 14
    assert all(label.startswith("B-") for label in labels[:7])
    assert list(groups) == ["add", "delete", "replace", "move"]
    assert sorted(label for group in groups.values() for label in group) == sorted(labels)
