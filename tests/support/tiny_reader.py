"""A DPR reader of toy size in the hub's form."""

WORDS = "kyoto is in japan the company has its seat ##s ##to [ ] sep , . ? 👨 where nintendo 京 都 cafe".split()


def tiny_model(directory, *, seed: int, positions: int = 128):
    """A DPR reader directory as ``save_pretrained`` leaves it: 2 layers of 16, random weights."""
    import torch
    from transformers import BertTokenizerFast, DPRConfig, DPRReader

    directory.mkdir(parents=True, exist_ok=True)
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [prefix + chr(code) for code in range(ord("a"), ord("z") + 1) for prefix in ("", "##")]
    (directory / "vocab.txt").write_text("\n".join([*specials, *WORDS, *letters]), encoding="utf-8")
    BertTokenizerFast(vocab=str(directory / "vocab.txt")).save_pretrained(directory)
    torch.manual_seed(seed)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    sizes |= {"vocab_size": len(specials + WORDS + letters), "max_position_embeddings": positions}
    model = DPRReader(DPRConfig(initializer_range=1.0, **sizes))
    model.save_pretrained(directory)
    return model
