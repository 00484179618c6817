"""Request and response schemas, from which the OpenAPI documentation is generated.

Validation is strict: ``"5"`` is not a number, and an unknown field is an error instead of a typo that goes unnoticed.
Limits on the size of a request are in ``ServeSettings``, not here. Fields with several aliases accept the names that
earlier versions had, which are not documented.
"""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, Field

from elmo.config import Pool, Tokenize
from elmo.tasks.results import (
    AnswerResult,
    CorefResult,
    EntailmentResult,
    EntityResult,
    RoleResult,
    SentimentResult,
)


def _check_encodable(text: str) -> str:
    """Reject lone surrogates, which JSON can spell but a UTF-8 response cannot contain."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"character {error.start} is a lone surrogate") from None
    return text


Text = Annotated[str, AfterValidator(_check_encodable)]
Sentence = Text | list[Text]
LayerNumber = Annotated[int, Field(ge=0, le=1000)]
OneLayer = Literal["top", "average"] | LayerNumber
ModelName = Annotated[str | None, Field(description="Name of the model. Default: the first model of the server.")]
UsedModel = Annotated[str, Field(description="Name of the model that was used.")]
TokenizeField = Annotated[
    Tokenize,
    Field(
        description="How strings are split into words: as the `model` says, or by the tokenizer `words`, "
        "`whitespace` or `korean`. Lists of words are used as they are."
    ),
]

_LAYER_HELP = "`top`, `average` (the mean of all layers), or a layer number; 0 is the token layer, without context."


class StrictModel(BaseModel):
    """Base class of all requests: no type conversion, no unknown fields."""

    model_config = ConfigDict(strict=True, extra="forbid")


def _example(**fields: Any) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": [fields]})


class EmbeddingsRequest(StrictModel):
    """Texts to embed, in the format of the OpenAI API. `layers` and `tokenize` are extensions."""

    model_config = _example(model="small", input=["The play was sold out.", "The team won."])

    model: ModelName = None
    input: Text | list[Text] = Field(
        description="One text, or a list of texts. Each is embedded as one sentence. Lists of token ids are not "
        "supported."
    )
    encoding_format: Literal["float", "base64"] = Field(
        "float", description="`float` for lists of numbers, `base64` for encoded little-endian float32."
    )
    dimensions: int | None = Field(
        None, description="Accepted for compatibility. It must equal the dimension of the model."
    )
    user: str | None = Field(None, description="Accepted for compatibility, and ignored.")
    layers: OneLayer = Field("average", description=_LAYER_HELP)
    tokenize: TokenizeField = "model"


class Embedding(BaseModel):
    """The embedding of one text."""

    object: Literal["embedding"] = Field(description="Always `embedding`.")
    index: int = Field(description="Position of the text in `input`.")
    embedding: list[float] | str = Field(description="The vector, encoded as `encoding_format` says.")


class Usage(BaseModel):
    """The number of words processed."""

    prompt_tokens: int = Field(description="Number of words in all texts.")
    total_tokens: int = Field(description="The same number.")


class EmbeddingsResponse(BaseModel):
    """One embedding per text, in the format of the OpenAI API."""

    object: Literal["list"] = Field(description="Always `list`.")
    data: list[Embedding] = Field(description="One embedding per text, in the order of `input`.")
    model: UsedModel
    usage: Usage = Field(description="How many words the request took.")


class ModelCard(BaseModel):
    """A model on this server. The first four fields are those of the OpenAI API."""

    id: str = Field(description="Name of the model, for the field `model` of requests.")
    object: Literal["model"] = Field(default="model", description="Always `model`.")
    created: int = Field(default=0, description="Always 0.")
    owned_by: str = Field(default="elmo", description="Always `elmo`.")
    dimensions: int = Field(description="Dimension of the vectors.")
    layers: int = Field(description="Number of layers, including the token layer.")
    predicts: bool = Field(description="Whether `/predict` is available.")
    neighbors: bool = Field(description="Whether `/neighbors` is available.")


class ModelList(BaseModel):
    """The models on this server. The first is the default."""

    object: Literal["list"] = Field(default="list", description="Always `list`.")
    data: list[ModelCard] = Field(description="The models.")


class EmbedRequest(StrictModel):
    """Sentences to embed word by word."""

    model_config = _example(sentences=["The play was sold out.", ["They", "play", "chess", "."]], layers="top")

    model: ModelName = None
    sentences: list[Sentence] = Field(description="Sentences, each a string or a list of words.")
    layers: Literal["all", "top", "average"] | LayerNumber = Field("all", description=f"`all`, {_LAYER_HELP}")
    pool: Pool | None = Field(
        None, description="Return one vector per sentence, the mean or maximum over its words, instead of one per word."
    )
    tokenize: TokenizeField = "model"
    format: Literal["json", "npz", "safetensors"] | None = Field(
        None, description="Format of the response. Default: the format in the `Accept` header, else `json`."
    )


Vectors = list[float] | list[list[float]] | list[list[list[float]]]


class SentenceVectors(BaseModel):
    """The words of a sentence and their vectors."""

    tokens: list[str] = Field(description="The words.")
    layers: Vectors = Field(
        description="Array of shape (layers, words, dimension). A single layer has no first axis, pooled vectors have "
        "no second one."
    )


class EmbedResponse(BaseModel):
    """The embedded sentences, in the order of the request."""

    model: UsedModel
    sentences: list[SentenceVectors] = Field(description="The words and vectors of each sentence.")


class NeighborsRequest(StrictModel):
    """A word in its sentence, given by `word` or by `index`."""

    model_config = _example(sentence="The play was sold out.", word="play", count=3)

    model: ModelName = None
    sentence: Sentence = Field(description="The sentence, a string or a list of words.")
    word: Text | None = Field(None, description="A word of the sentence; its first occurrence is used.")
    index: int | None = Field(None, ge=0, description="Position of the word, counted from 0, instead of `word`.")
    layer: OneLayer = Field("top", description=f"Layer to compare: {_LAYER_HELP}")
    mix: list[Annotated[float, Field(allow_inf_nan=False, ge=-1e6, le=1e6)]] | None = Field(
        None,
        description="One weight per layer, to compare a weighted sum of the layers instead of `layer`. Each layer is "
        "normalized to unit length first.",
    )
    count: int = Field(
        10, ge=1, le=100, validation_alias=AliasChoices("count", "k"), description="Number of neighbors."
    )
    same_word: bool = Field(False, description="Return only other occurrences of the same word.")
    tokenize: TokenizeField = "model"


class NeighborOccurrence(BaseModel):
    """An occurrence of a word in the corpus."""

    tokens: list[str] = Field(description="The sentence.")
    index: int = Field(description="Position of the word in the sentence.")
    similarity: float = Field(description="Cosine similarity to the word of the request.")


class NeighborsResponse(BaseModel):
    """The nearest occurrences, in order of decreasing similarity."""

    model: UsedModel
    tokens: list[str] = Field(description="The words of the sentence in the request.")
    index: int = Field(description="Position of the word in that sentence.")
    neighbors: list[NeighborOccurrence] = Field(description="The nearest occurrences.")


class PredictRequest(StrictModel):
    """A sentence with blanks to fill in."""

    model_config = _example(sentence="The cat sat on the ___ .", count=3)

    model: ModelName = None
    sentence: Text = Field(
        validation_alias=AliasChoices("sentence", "text"),
        description="A sentence with `___` (three or more underscores) for each missing word.",
    )
    count: int = Field(10, ge=1, le=100, description="Number of predictions per blank.")


class Prediction(BaseModel):
    """A predicted word and its probability."""

    word: str = Field(description="A word of the vocabulary.")
    probability: float = Field(description="Its probability, from 0 to 1.")


class Blank(BaseModel):
    """The most probable words for a blank."""

    index: int = Field(description="Position of the blank in `tokens`.")
    both: list[Prediction] = Field(description="Predictions from the context on both sides.")
    before: list[Prediction] = Field(description="Predictions from the left context only.")
    after: list[Prediction] = Field(description="Predictions from the right context only.")


class PredictResponse(BaseModel):
    """Predictions for each blank of the sentence."""

    model: UsedModel
    tokens: list[str] = Field(description="The words of the sentence, with `___` for each blank.")
    gaps: list[Blank] = Field(description="The predictions, from the first blank to the last.")


TaskName = Annotated[str, Field(description="Name of the task, as listed by `/v1/tasks`.")]
_Words = Text | list[Text] | list[list[Text]]


class TaskInput(StrictModel):
    """What one result is about. Each text is a string, a list of words, or a list of sentences of words."""

    text: _Words | None = Field(None, description="The text, for all tasks other than `squad` and `snli`.")
    question: _Words | None = Field(None, description="For `squad`: a question about the passage.")
    passage: _Words | None = Field(None, description="For `squad`: the text that has the answer.")
    premise: _Words | None = Field(None, description="For `snli`: what is given.")
    hypothesis: _Words | None = Field(None, description="For `snli`: what may follow from it, or contradict it.")


class TaskRequest(StrictModel):
    """Texts to apply a task model to."""

    model_config = _example(inputs=["Ada Lovelace met Charles Babbage in London."])

    inputs: list[Text | TaskInput] = Field(
        description="One item per result: a string, or an object with the fields that the task reads, which are "
        "`question` and `passage` for `squad`, `premise` and `hypothesis` for `snli`, and `text` for all other tasks."
    )


class TaskResponse(BaseModel):
    """What a task model has found: one result per input, of the type that belongs to the task."""

    model_config = ConfigDict(use_attribute_docstrings=True)  # also for the types of the results

    task: TaskName
    results: list[EntityResult | RoleResult | CorefResult | AnswerResult | EntailmentResult | SentimentResult] = Field(
        description="The results, in the order of `inputs`. `start` and `end` count characters of the text as given."
    )


class MixWeights(BaseModel):
    """How much a task model takes from each layer of the biLM."""

    place: str = Field(
        description="Where the task model reads ELMo vectors: at the `input` or the `output` of its lowest layer."
    )
    weights: list[float] = Field(description="The weight of each layer, from the token layer up. Their sum is 1.")
    gamma: float = Field(description="The factor that scales the weighted sum.")


class TaskModelCard(BaseModel):
    """A trained task model on this server."""

    id: str = Field(description="Name of the task model, for the path `/v1/tasks/{name}`.")
    object: Literal["task"] = Field(default="task", description="Always `task`.")
    task: str = Field(description="What it does: `ner`, `srl`, `coref`, `squad`, `snli` or `sst`.")
    title: str = Field(description="The same as a heading, for example `Named entities`.")
    parts: list[str] = Field(description="The fields of an input.")
    labels: list[str] = Field(description="The labels that results can have; none for `squad` and `coref`.")
    trained_on: str = Field(description="The training data, in one line.")
    objective: str = Field(description="The most important score, a key of `scores`.")
    scores: dict[str, dict[str, float] | None] = Field(
        description="Scores in percent on the development data (`dev`) and the test data (`test`), where there is any."
    )
    layers: list[MixWeights] = Field(description="The learned weights of the layers; none if it does not use ELMo.")


class TaskList(BaseModel):
    """The task models on this server."""

    object: Literal["list"] = Field(default="list", description="Always `list`.")
    data: list[TaskModelCard] = Field(description="The task models.")


class Health(BaseModel):
    """The server is running."""

    status: Literal["ok"] = Field(default="ok", description="Always `ok`.")
    models: list[str] = Field(description="Names of the models.")


class ErrorDetails(BaseModel):
    """Details of an error."""

    message: str = Field(description="What is wrong, and what to do about it.")
    type: str = Field(description="The kind of error, for example `invalid_request`.")
    param: str | None = Field(description="The request field at fault, if there is one.")


class ErrorResponse(BaseModel):
    """The body of every error response."""

    error: ErrorDetails = Field(description="What went wrong.")
