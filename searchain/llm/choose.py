"""Which language model to use: flags, else the environment, else the embedded one."""

from __future__ import annotations

import os
from collections.abc import Mapping

from searchain.errors import UsageError
from searchain.llm.base import LanguageModel


def choose_model(
    model: str | None = None, base_url: str | None = None, env: Mapping[str, str] = os.environ
) -> LanguageModel:
    """The model of the flags, each else from ``SEARCHAIN_MODEL``, ``SEARCHAIN_BASE_URL``; without any the embedded one.

    ``OPENAI_API_KEY`` is the key of a remote model and alone changes nothing. Without ``base_url`` a model is
    OpenAI's; without ``model`` the server is asked, and must offer exactly one.

    Raises:
        UsageError: the base URL is none, or the server offers several models or none.
        ModelError: the server could not be asked for its models.
    """
    model, base_url = model or env.get("SEARCHAIN_MODEL"), base_url or env.get("SEARCHAIN_BASE_URL")
    key = env.get("OPENAI_API_KEY")
    if not model:
        if not base_url:
            from searchain.llm.embedded import EmbeddedModel

            return EmbeddedModel()
        model = _only_model(base_url, key)
    from searchain.llm.openai import OpenAIModel

    return OpenAIModel(model, base_url, key)


def _only_model(base_url: str, key: str | None) -> str:
    from searchain.llm.openai import Endpoint

    endpoint = Endpoint(base_url, key)
    offered = endpoint.models()
    if len(offered) != 1:
        some = ", ".join(offered[:10]) + (" …" if len(offered) > 10 else "")
        what = f"several models ({some})" if offered else "no model"
        raise UsageError(f"the server at {endpoint.host} offers {what}; choose one with --model or SEARCHAIN_MODEL")
    return offered[0]
