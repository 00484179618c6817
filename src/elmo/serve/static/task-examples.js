// Texts to try a task with. They are in English, like the models.

export const TASKS = ["ner", "srl", "coref", "squad", "snli", "sst"];

/** The names of the texts that a task reads. */
export const PARTS = {
  ner: ["text"],
  srl: ["text"],
  coref: ["text"],
  squad: ["passage", "question"],
  snli: ["premise", "hypothesis"],
  sst: ["text"],
};

const DANUBE =
  "The Danube rises in the Black Forest of Germany and flows southeast for about 2,850 kilometers before it reaches " +
  "the Black Sea. It passes through ten countries, more than any other river in the world, and through four " +
  "capitals: Vienna, Bratislava, Budapest and Belgrade.";

export const EXAMPLES = {
  ner: [
    { text: "Ada Lovelace met Charles Babbage in London in 1833, a century before IBM sold its first computer." },
    { text: "Marie Curie left Warsaw in 1891 to study physics in Paris. Her daughter Irène won a Nobel Prize, too." },
    { text: "just landed in chicago!! meeting sam from Spotify tomorrow, then the Bulls game with Priya" },
  ],
  srl: [
    { text: "The chef gave the hungry guests a second dessert because they had waited for an hour." },
    { text: "Last year, volunteers carefully rebuilt the bridge that the flood had destroyed." },
    { text: "Mina did not believe that her brother would sell the boat without asking her." },
  ],
  coref: [
    {
      text:
        "Ann told her brother that she had sold his old bicycle. He laughed, because it had been broken for years and " +
        "nobody had wanted it.",
    },
    {
      text:
        "The mayor thanked the nurses when she opened the new hospital. They had worked there before it was finished, " +
        "and she promised to visit them again.",
    },
    {
      text:
        "Tom and Elena run a small bakery in the old town. They bought it from Elena's uncle, who had taught her " +
        "everything he knew. Tom learned the trade later, but his bread is now as good as hers.",
    },
  ],
  squad: [
    { passage: DANUBE, question: "Where does the Danube begin?" },
    { passage: DANUBE, question: "How many countries does it pass through?" },
    {
      passage:
        "Penicillin was discovered in 1928 by Alexander Fleming, who noticed that a mold had killed the bacteria in " +
        "one of his dishes. It took more than ten years until Howard Florey and Ernst Chain turned it into a drug " +
        "that could be given to patients.",
      question: "Who made a drug out of penicillin?",
    },
  ],
  snli: [
    { premise: "Two women are walking their dogs on a snowy beach.", hypothesis: "The dogs are outside." },
    { premise: "A boy in a red shirt is kicking a ball across the field.", hypothesis: "The boy is sleeping in his bed." },
    { premise: "A man is playing the guitar in front of a small crowd.", hypothesis: "The man is a famous musician." },
  ],
  sst: [
    { text: "A warm, funny and beautifully acted film that you will want to see twice." },
    { text: "The story is thin and most of the jokes fall flat. Still, the music is wonderful." },
    { text: "It is not a bad movie, but I would not recommend it to anyone I like." },
  ],
};
