"""Rules over English text, without a model: words, sentences, kinds of questions and answers, equal answers."""
