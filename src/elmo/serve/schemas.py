"""What requests and answers look like; the OpenAPI documentation is made of this.

Types are strict: ``"5"`` is not a number, and an unknown field is an error rather than a typo that nobody notices.
How many and how long is not said here but in ``ServeSettings``.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from elmo.config import Pool, Tokenize


def _encodable(text: str) -> str:
    """JSON can spell half a character, a lone surrogate, which no answer could give back."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"character {error.start} is a lone surrogate") from None
    return text


Text = Annotated[str, AfterValidator(_encodable)]
Sentence = Text | list[Text]
"""A string, or the list of its words."""
LayerNumber = Annotated[int, Field(ge=0, le=1000, description="0 is the word vector without context.")]
OneLayer = Literal["top", "average"] | LayerNumber


class _Request(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Own(_Request):
    model: str | None = Field(None, description="Name of a model; without it, the first that is served.")
    tokenize: Tokenize = Field("words", description="How strings become words; `whitespace` if they are split already.")


class EmbeddingsRequest(_Request):
    """As OpenAI's; `layers` and `tokenize` are ours."""

    model: str
    input: Text | list[Text] = Field(description="One text or several. Lists of token numbers are not understood.")
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(None, description="Only the number that the model has.")
    user: str | None = Field(None, description="Ignored.")
    layers: OneLayer = "average"
    tokenize: Tokenize = "words"


class Embedding(BaseModel):
    """A sentence's vector."""

    object: Literal["embedding"]
    index: int
    embedding: list[float] | str = Field(description="Numbers, or little-endian float32 in base64.")


class Usage(BaseModel):
    """How much was read, in words."""

    prompt_tokens: int
    total_tokens: int


class EmbeddingsAnswer(BaseModel):
    """As OpenAI's."""

    object: Literal["list"]
    data: list[Embedding]
    model: str
    usage: Usage


class ModelCard(BaseModel):
    """A model that is served: OpenAI's fields, then ours."""

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "elmo"
    dimensions: int
    layers: int = Field(description="The words' own one counted.")
    predicts: bool = Field(description="Whether /predict works.")
    neighbours: bool = Field(description="Whether /neighbours works.")


class ModelList(BaseModel):
    """All models that are served, the default one first."""

    object: Literal["list"] = "list"
    data: list[ModelCard]


class EmbedRequest(_Own):
    """Sentences to embed word by word."""

    sentences: list[Sentence]
    layers: Literal["all", "top", "average"] | LayerNumber = "all"
    pool: Pool | None = Field(None, description="One vector a sentence instead of one a word.")
    format: Literal["json", "npz", "safetensors"] | None = Field(
        None, description="Kind of answer; without it, what the header `Accept` says, or JSON."
    )


Vectors = list[float] | list[list[float]] | list[list[list[float]]]


class SentenceVectors(BaseModel):
    """A sentence with its vectors."""

    tokens: list[str]
    layers: Vectors = Field(description="Layers, words, dimensions; without layers for one, without words if pooled.")


class EmbedAnswer(BaseModel):
    """The sentences in their order."""

    model: str
    sentences: list[SentenceVectors]


class NeighboursRequest(_Own):
    """A word in its sentence, by itself or by its place, and what to compare."""

    sentence: Sentence
    word: Text | None = Field(None, description="A word of the sentence; if it stands there twice, the first.")
    index: int | None = Field(None, ge=0, description="Its place among the words, from 0, instead of `word`.")
    layer: OneLayer = "top"
    mix: list[Annotated[float, Field(allow_inf_nan=False, ge=-1e6, le=1e6)]] | None = Field(
        None, description="A weight for each layer, instead of `layer`; the layers' vectors are of length 1 before."
    )
    k: int = Field(10, ge=1, le=100)
    same_word: bool = Field(False, description="Other uses of the same word only.")


class Neighbour(BaseModel):
    """A use of a word in the corpus."""

    tokens: list[str]
    index: int
    similarity: float


class NeighboursAnswer(BaseModel):
    """The nearest uses, the nearest first."""

    model: str
    tokens: list[str]
    index: int
    neighbours: list[Neighbour]


class PredictRequest(_Request):
    """A sentence with gaps."""

    model: str | None = Field(None, description="Name of a model; without it, the first that is served.")
    text: Text = Field(description="A sentence with ___ for each gap.", examples=["The cat sat on the ___ ."])
    count: int = Field(10, ge=1, le=100, description="Words for each gap.")


class Guess(BaseModel):
    """A word and how likely it is."""

    word: str
    probability: float


class Gap(BaseModel):
    """The likeliest words for a gap: by both sides, by what stands before, by what comes after."""

    index: int
    both: list[Guess]
    before: list[Guess]
    after: list[Guess]


class PredictAnswer(BaseModel):
    """All gaps of a sentence."""

    model: str
    tokens: list[str]
    gaps: list[Gap]


class Health(BaseModel):
    """Alive."""

    status: Literal["ok"] = "ok"
    models: list[str]


class Error(BaseModel):
    """What is wrong."""

    message: str
    type: str
    param: str | None = Field(description="The field that is wrong.")


class ErrorAnswer(BaseModel):
    """Every error looks so."""

    error: Error
