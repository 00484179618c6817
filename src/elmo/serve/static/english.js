// All texts of the page in English. {name} is filled in; "one" and "other" depend on the number {n}.

export default {
  // Around the views
  title: "ELMo explorer",
  skip: "Skip to the content",
  language: "Language",
  copyLink: "Copy link to this view",
  linkCopied: "Link copied",
  linkCopiedLong: "The link to this view was copied to the clipboard.",
  linkNotCopied: "Copy the link from the address bar",
  darkMode: "Dark mode",
  footer: "Everything is computed by the server you started; no data is sent anywhere else.",
  noResponse: "The server is not responding. Is it still running?",
  badStatus: "The server responded with status {status}.",
  noAccess:
    "This page has no valid access token; maybe the server was restarted. Open the address that elmo explore printed.",
  busy: "Too many requests are waiting. Try again soon.",

  // The model and the text
  aboutWords: "See how a language model represents the same word in different sentences.",
  aboutModel: "Model {model}: {layers} layers, {dim} dimensions.",
  aboutText: { one: "Text: {text}, {n} sentence.", other: "Text: {text}, {n} sentences." },
  aboutBeginning: {
    one: "Text: {text}, {n} sentence (the beginning of a longer text).",
    other: "Text: {text}, {n} sentences (the beginning of a longer text).",
  },
  sampleText: "sample text",
  severalTexts: "{n} texts",
  embedding: "Embedding the text: {done} of {total} words",
  embedded: "The whole text has been embedded.",
  embeddingFailed: "The text could not be processed completely: {reason}",

  // Sentences
  sentences: "Sentences",
  typeText: "Type or paste text. Each sentence is embedded on its own.",
  examples: "Examples",
  examplesBefore: "Examples:",
  selectWord: "Select a word",
  selectHint: "Click a word, or move with the arrow keys and press Enter.",
  truncated: "The text is too long, so some sentences or words were left out.",
  sentence: "Sentence {number}",
  noSentence: "Type a sentence to begin.",
  foreignScript:
    "Warning: {rate} of the words are in a script that the model has hardly seen ({script}: {known} of the " +
    "{vocabulary} words in its vocabulary); expect poor results.",
  unknownWords: "Warning: {rate} of the words are unknown to the model; expect poor results.",

  // Neighbors
  neighbors: "Nearest neighbors",
  neighborsOf: "Nearest neighbors of {word}",
  neighborsFound: {
    one: "Nearest neighbors of {word}, with {n} occurrence in the text.",
    other: "Nearest neighbors of {word}, with {n} occurrences in the text.",
  },
  search: "Search",
  allWords: "All words",
  sameWord: "The same word only",
  similarity: "Similarity",
  cosine: "Cosine",
  dotProduct: "Dot product",
  layer: "Layer {layer}",
  tokenLayer: "Layer 0 (no context)",
  topLayer: "Layer {layer} (top)",
  mix: "Weighted mix",
  sameVector: "A word has the same vector in every sentence.",
  noOccurrences: "No other occurrences found in the text.",
  occurrencesAlike: "{n} occurrences with the same vector",
  exploreOccurrence: "Explore this occurrence",
  withoutContext: "Without context: neighbors of {word} in {source}",
  tokenLayerSource: "layer 0",
  noStaticVector: "{source} has no vector for this word.",
  staticHint: "The nearest words of the text in layer 0. To compare with GloVe instead, run {command}.",
  mixOfLayers: "Weighted mix of the layers",
  mixFormula: "γ · (s₀ h₀ + s₁ h₁ + …). The weights s are a softmax of the slider values, so they sum to 1.",
  mixNeighbors: "Nearest neighbors in the mix",
  percent: "{percent} percent",
  gammaNote:
    "γ scales all vectors; this one now has norm {norm}. Dot products grow with γ², while cosines and the ranking of " +
    "the neighbors stay the same.",
  equalWeights: "Equal weights",
  topOnly: "Top layer only",
  incomparable: "Similarities of different layers are not comparable.",

  // Map
  map: "Map of all occurrences",
  vectors: "Vectors",
  mapHint: "Point at an occurrence to read its sentence.",
  mapEmpty: "This word has no other occurrence in the text or in your sentences, so there is nothing to map.",
  mapOnePoint: "All occurrences have the same vector here, because this layer does not depend on the context.",
  mapAll: "{total} occurrences of “{word}”, projected on their first two principal components ({first} and {second} of the variance).",
  mapSome:
    "{shown} of {total} occurrences of “{word}”, projected on their first two principal components ({first} and " +
    "{second} of the variance).",
  mapKey:
    "The ring marks the selected occurrence; diamonds are occurrences in your own sentences. The stronger the color of " +
    "a point, the more similar it is.",
  mapLabel: "Map of {n} occurrences of {word}. Move with the arrow keys, press Enter to explore.",
  selectedOccurrence: "Selected occurrence: {sentence}",
  otherOccurrence: "{sentence} Cosine {cosine}.",
  captionSelected: "selected occurrence",
  captionOther: "cosine {cosine}",
  captionTyped: "cosine {cosine}, your sentence",

  // Comparison
  comparison: "Compare two sentences",
  rows: "Rows",
  columns: "Columns",
  comparisonCaption: "Cosine similarities. Rows: {first} Columns: {second}",
  comparisonNote: "Cosine similarity. The color scale runs from {low} (lowest) to {high} (highest).",
  oneSentence: "Type a second sentence to compare the two word by word.",

  // Blanks
  blanks: "Fill in the blank",
  blanksHint: "Write ___ (three underscores) for each missing word.",
  blankOut: "Blank out the selected word",
  noBlank: "There is no blank yet. Write ___ where a word is missing.",
  fromBoth: "From both sides",
  fromLeft: "From the left context",
  fromRight: "From the right context",
};
