"""Which language model to use: a file or flags, else the environment, else the embedded one."""

import os
from pathlib import Path

from searchain.errors import SetupError, UsageError
from searchain.llm.base import LanguageModel
from searchain.llm.embedded import NAME, OFFERED, EmbeddedModel, offered_as
from searchain.llm.served import DistantServer, GgufModel


def choose_model(
    model: str | None = None,
    base_url: str | None = None,
    *,
    gguf: Path | None = None,
    timeout: float | None = None,
    reasoning_effort: str | None = None,
) -> LanguageModel:
    """Return the model of the file ``gguf``, of the flags, or of the environment.

    The flags are ``SEARCHAIN_MODEL`` and ``SEARCHAIN_BASE_URL`` there; without any of these it is the embedded model.
    ``OPENAI_API_KEY`` is the key of a remote model and alone changes nothing. Without ``base_url`` a model is
    OpenAI's; without ``model`` the server is asked, and must offer exactly one. The embedded model of a cluster is used
    as the one of this process. ``timeout`` is in seconds, and until the first text of a remote model.

    Raises ``UsageError`` if the base URL is not a URL, the server offers several models or none, or ``gguf`` is not a
    GGUF file or is named beside a model; ``SetupError`` if a cluster offers the embedded model of another version of
    the program; ``ModelError`` if the server could not be asked for its models.
    """
    if gguf is not None:
        if model or base_url:
            raise UsageError("--gguf serves a model from a file; leave out --model and --base-url, or --gguf")
        return GgufModel(gguf)
    model, base_url = model or os.environ.get("SEARCHAIN_MODEL"), base_url or os.environ.get("SEARCHAIN_BASE_URL")
    key = os.environ.get("OPENAI_API_KEY")
    if not model:
        if not base_url:
            return EmbeddedModel()
        model = _only_model(base_url, key)
    if base_url and model.startswith(OFFERED):
        return _of_a_cluster(model, base_url, key)
    from searchain.llm.endpoint import Timeouts
    from searchain.llm.openai import OpenAIModel

    timeouts = Timeouts(first_token=timeout) if timeout else None
    return OpenAIModel(model, base_url, key, timeouts=timeouts, reasoning_effort=reasoning_effort)


def names_endpoint(model: str | None, base_url: str | None) -> bool:
    """Whether flags or environment name a remote model."""
    return any((model, base_url, os.environ.get("SEARCHAIN_MODEL"), os.environ.get("SEARCHAIN_BASE_URL")))


def host_elsewhere(model: str | None = None, base_url: str | None = None, *, gguf: Path | None = None) -> str | None:
    """Return the host of the model that ``choose_model`` returns for these arguments; ``None`` if it is this machine.

    Raises ``UsageError`` if the base URL is not a URL.
    """
    if gguf is not None or not names_endpoint(model, base_url):
        return None
    from searchain.llm.endpoint import Endpoint
    from searchain.llm.openai import DEFAULT_BASE_URL

    endpoint = Endpoint(base_url or os.environ.get("SEARCHAIN_BASE_URL") or DEFAULT_BASE_URL)
    return None if endpoint.is_local else endpoint.host


def _of_a_cluster(model: str, base_url: str, key: str | None) -> LanguageModel:
    """The embedded model that ``serve --ray`` offers."""
    from searchain.llm.endpoint import Endpoint

    host = Endpoint(base_url).host
    if model != offered_as():
        raise SetupError(
            f"the embedded model at {host} belongs to another version of this program; "
            "install the same one here and in the cluster"
        )
    return EmbeddedModel(elsewhere=DistantServer(model, base_url, key, name=f"{NAME} at {host}"))


def _only_model(base_url: str, key: str | None) -> str:
    from searchain.llm.endpoint import Endpoint

    endpoint = Endpoint(base_url, key)
    offered = endpoint.models()
    if len(offered) != 1:
        some = ", ".join(offered[:10]) + (" …" if len(offered) > 10 else "")
        what = f"several models ({some})" if offered else "no model"
        raise UsageError(f"the server at {endpoint.host} offers {what}; choose one with --model or SEARCHAIN_MODEL")
    return offered[0]
