"""The embedded default: SmolLM2-135M from its package, served with the project's planner adapters."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from searchain.embedded import assets
from searchain.files.checkout import REPAIR
from searchain.llm.base import Form
from searchain.llm.served import DistantServer, LlamaServer, Served, Serving
from searchain.types import Abilities, Message

NAME = "SmolLM2-135M (embedded)"
OPENNESS = 2.4
"""What is taken from the logit of leaving a step open. The planner learnt from plans with hardly any step answered, and
without this answers none; with it the one in five of simple questions of which it is surest, about 60 % of them rightly
(the rest is what evidence corrects)."""


def committed_adapters() -> dict[Form, Path]:
    """The project's planner adapters; a file is named after the forms it was trained on, as in ``chain-final.gguf``."""
    folder = Path(str(resources.files("searchain"))) / "weights" / "planner"
    return {Form(form): path for path in sorted(folder.glob("*.gguf")) for form in path.stem.split("-")}


OFFERED = "searchain-embedded-"
"""How the name begins under which ``serve --ray`` offers this model; what follows tells the adapters."""


def offered_as() -> str:
    """The name under which ``serve --ray`` of this program offers the model; one with other adapters has another."""
    digest = sha256(b"".join(file.read_bytes() for file in dict.fromkeys(committed_adapters().values())))
    return OFFERED + digest.hexdigest()[:12]


class EmbeddedModel(Served):
    """The language model that needs no account."""

    def __init__(
        self, adapters: Mapping[Form, Path] | None = None, *, slots: int = 2, elsewhere: DistantServer | None = None
    ) -> None:
        """``slots`` requests are served at a time.

        ``adapters`` are LoRA adapters in GGUF form, each applied to its form; by default those committed. ``elsewhere``
        serves the model with the same adapters; by default this process does. Raises ``SetupError`` if the model's file
        is missing or damaged.
        """
        self._adapters = committed_adapters() if adapters is None else adapters
        self._files = tuple(dict.fromkeys(self._adapters.values()))
        self.abilities = Abilities.TRAINED if Form.CHAIN in self._adapters else Abilities.SMALL
        self.name = elsewhere.client().name if elsewhere else NAME
        # Two threads wait for each other by spinning: beside a searcher on 2 cores that costs 90 % of the speed, and
        # alone the second gains next to nothing on a model this small. Larger batches are no faster on a CPU. A reply
        # of more than 512 tokens has run on.
        self.server = elsewhere or LlamaServer(
            Serving(
                file=assets.find(assets.SMOLLM2),
                name=NAME,
                slots=slots,
                cache_mib=64,  # a prompt of a run takes 2 MB; nothing but the runs at work comes back to one
                adapters=self._files,
                remedy=f"run: {REPAIR}",
            )
        )

    def fields(self, form: Form | None, messages: Sequence[Message]) -> dict[str, Any]:
        fields = super().fields(form, messages)
        if form is Form.CHAIN and self.abilities is Abilities.TRAINED:
            fields["logit_bias"] = [["Unsolved", -OPENNESS]]
        if self._files:
            chosen = self._adapters.get(form) if form else None
            fields["lora"] = [{"id": id, "scale": float(file == chosen)} for id, file in enumerate(self._files)]
        return fields
