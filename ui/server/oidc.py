"""Sign-in by an OpenID Connect provider: the authorization code flow with PKCE, by Authlib.

Authlib checks state, nonce, signature, issuer, audience and expiry. Here stands which claim is the user's name, and
whom the operator lets in.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from searchain import secrecy
from searchain.errors import NotFound, SearChainError, SetupError, StorageError, UsageError
from storage.database import Database
from storage.people import audit, tokens, users
from storage.people.users import Role, User
from ui.server.access import Access
from ui.server.plain_page import OIDC, OIDC_BACK, SignIn, opened
from ui.translation import _

log = logging.getLogger(__name__)

_DISCOVERY = "/.well-known/openid-configuration"
_SECONDS = 600  # in which somebody signs in at the provider
_WAIT = 10.0  # seconds for all that the provider is asked of one request
_COOKIE = "searchain_oidc_"
_STATE = "oidc_state"
_MOST_BEGUN = 8
"""Attempts of one browser that are open; a further one ends them, so that their cookies never exceed a header."""
_AT_ONCE = 4
"""How many requests ask the provider at once, so that strangers leave time for those who sign in with a password."""
_MAIL = ("email", "email_verified")
_LONGEST = 500  # most characters of an address to go on to, which has to fit into a cookie
_CODE = re.compile("[a-z_]{1,40}")  # matches the codes of errors that are logged


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator says of the provider."""

    issuer: str
    """Its address, or that of its discovery document."""
    client: str
    secret: str
    name: str = ""
    """How the button calls it; by default the host of ``issuer``."""
    claim: str = "email"
    """The claim that is the user's name. A mail address counts only if the provider has verified it."""
    makes_users: bool = False
    """Whether people who are not users become users; else they are refused."""
    domain: str = ""
    """The only domain of verified mail addresses that is let in."""
    group: str = ""
    """The only group that is let in."""


class Refused(SearChainError):
    """Somebody is not let in; ``name`` is who it is by the provider's word, if it gave one."""

    def __init__(self, message: str, name: str = "", status: int = 403) -> None:
        super().__init__(message)
        self.name, self.shown = name, (message, status)


class _Attempts:
    """Keeps state, nonce and verifier of each attempt in a signed cookie of its own of the browser that began it."""

    def __init__(self, app: ASGIApp, secret_key: str) -> None:
        from starlette.middleware.sessions import SessionMiddleware

        self._keeping = partial(SessionMiddleware, app, secret_key, max_age=_SECONDS, path=OIDC, https_only=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        # other sites of the domain may set cookies of any name
        begun = [name for name in request.cookies if re.fullmatch(rf"{_COOKIE}[0-9a-f]{{16}}", name)]
        is_back = request.url.path == OIDC_BACK
        scope[_STATE] = request.query_params.get("state", "") if is_back else secrets.token_urlsafe()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and not is_back and len(begun) >= _MOST_BEGUN:
                for name in begun:
                    gone = Response()
                    gone.delete_cookie(name, OIDC)
                    message["headers"] = [*message["headers"], *gone.raw_headers[-1:]]
            await send(message)

        cookie = _COOKIE + hashlib.sha256(scope[_STATE].encode("utf-8", "surrogatepass")).hexdigest()[:16]
        await self._keeping(session_cookie=cookie)(scope, receive, sending)


class Provider:
    """The provider that the settings name."""

    def __init__(self, settings: Settings, access: Access) -> None:
        """``access`` has the public address, at which the provider knows the page.

        Raises:
            UsageError: there is none, or the address of the provider is not ``https://``.
            SetupError: Authlib is not installed.
        """
        if not access.public_url:
            raise UsageError("--oidc-issuer sends people away and back; name this page's address with --public-url")
        issuer = settings.issuer.rstrip("/").removesuffix(_DISCOVERY)
        parts = urlsplit(issuer)
        if not parts.hostname or (parts.scheme, parts.hostname) != ("http", "127.0.0.1") and parts.scheme != "https":
            raise UsageError(f"{settings.issuer!r} is no address of a provider; --oidc-issuer begins with https://")
        try:
            from authlib.integrations.starlette_client import OAuth
            from httpx import create_ssl_context
        except ImportError as error:
            raise SetupError(
                "signing in with a provider needs Authlib; run: pip install -r requirements-oidc.txt -c constraints.txt"
            ) from error
        secrecy.keep(settings.secret)
        self._settings, self._issuer, self._access = settings, issuer, access
        self.name = settings.name or parts.hostname
        self.address, self._back = access.public_url + OIDC, access.public_url + OIDC_BACK
        self._attempts = Middleware(_Attempts, secret_key=secrets.token_urlsafe())
        self._client = OAuth().register(
            "provider",
            client_id=settings.client,
            client_secret=settings.secret,
            server_metadata_url=issuer + _DISCOVERY,
            client_kwargs={
                "scope": "openid profile email",
                "code_challenge_method": "S256",
                "timeout": _WAIT,
                "verify": create_ssl_context(),  # once, because it takes long to make
            },
        )
        self._few = asyncio.Semaphore(_AT_ONCE)

    def routes(self, sign_in: SignIn) -> list[Route]:
        """Return the routes by which browsers leave for the provider and come back."""
        both = ((OIDC, self._leave), (OIDC_BACK, self._come))
        return [Route(path, partial(handle, sign_in), middleware=[self._attempts]) for path, handle in both]

    async def _leave(self, sign_in: SignIn, request: Request) -> Response:
        if not self._access.is_public_name(request.headers.get("host", "")):  # the cookie is for that name alone
            return RedirectResponse(f"{self.address}?{request.url.query}", 303)
        home = sign_in.home(request.query_params)
        request.session["home"] = home if len(home) <= _LONGEST else "/"
        try:
            async with self._few, asyncio.timeout(_WAIT):
                await self._known()
                return await self._client.authorize_redirect(request, self._back, state=request.scope[_STATE])
        except Exception as error:  # whatever the provider sends, or does not send
            return sign_in.form(request, *self._refused(error).shown)

    async def _come(self, sign_in: SignIn, request: Request) -> Response:
        home, store = request.session.pop("home", "/"), sign_in.store
        try:
            user = await self._user(request, store)
            session = await asyncio.to_thread(tokens.issue, store, user.name, "session", f"with {self.name}")
        except Refused as refused:
            return sign_in.form(request, *refused.shown)
        except StorageError as error:
            return sign_in.form(request, _("You could not be signed in: {error}.", error=error), 503)
        return opened(request, home, session)

    async def _user(self, request: Request, store: Database) -> User:
        """Return the user who comes back; who is refused by name stands in the audit trail."""
        claims = await self._claims(request)
        try:
            return await asyncio.to_thread(self._let_in, store, claims)
        except Refused as refused:
            if refused.name:
                await asyncio.to_thread(audit.failed, store, refused.name, f"with {self.name}")
            raise

    async def _claims(self, request: Request) -> Mapping[str, Any]:
        """Return what the provider says of the person who comes back.

        Raises:
            Refused: it cannot be reached, lets nobody in, or what it sends is not for this browser and this page.
        """
        try:
            async with self._few, asyncio.timeout(_WAIT):
                known = await self._known()
                expected = {"iss": known["issuer"], "aud": self._settings.client}
                token = await self._client.authorize_access_token(
                    request, claims_options={name: {"essential": True, "value": one} for name, one in expected.items()}
                )
                claims = token["userinfo"]
                if "userinfo_endpoint" in known and not self._needed <= claims.keys():
                    more = await self._client.userinfo(token=token)
                    claims = _joined(claims, more) if more.get("sub") == claims["sub"] else claims
                return claims
        except Exception as error:  # as in ``_leave``
            raise self._refused(error) from error

    @property
    def _needed(self) -> set[str]:
        """The claims that decide who is let in; some providers put none of them into the token."""
        settings = self._settings
        asks_mail = settings.domain or settings.claim == "email"
        return {settings.claim, *(_MAIL if asks_mail else ()), *(["groups"] if settings.group else ())}

    async def _known(self) -> Mapping[str, Any]:
        """Return what the provider publishes about itself."""
        known: dict[str, Any] = await self._client.load_server_metadata()
        if known.get("issuer", "").rstrip("/") != self._issuer:
            raise ValueError("it calls itself by another address than --oidc-issuer")
        listed = known.get("id_token_signing_alg_values_supported") or ["RS256"]
        known["id_token_signing_alg_values_supported"] = [one for one in listed if one[:2] in ("RS", "PS", "ES", "Ed")]
        return known

    def _refused(self, error: Exception) -> Refused:
        """Return the refusal for an error. Only its code is logged: what else the provider sent may hold anything."""
        for kept in ("_loaded_at", "jwks"):  # the next one asks for them again, as they may be mended by then
            self._client.server_metadata.pop(kept, None)
        code = str(getattr(error, "error", ""))
        log.warning("%s: %s %s", self.name, type(error).__name__, code if _CODE.fullmatch(code) else "")
        if code:  # of OAuth 2, or of the token
            return Refused(_("{name} did not sign you in. Try again, or sign in with a password.", name=self.name))
        message = _("{name} cannot be reached now. Try again later, or sign in with a password.", name=self.name)
        return Refused(message, status=503)

    def _let_in(self, store: Database, claims: Mapping[str, Any]) -> User:
        """Return the user whom the claims name, who is made if the settings say so.

        Raises ``Refused`` if there is none, or the settings do not let them in.
        """
        settings, mail = self._settings, claims.get("email") if claims.get("email_verified") is True else None
        name = mail if settings.claim == "email" else claims.get(settings.claim)
        if not isinstance(name, str) or ("@" in name and name != mail):  # who may choose a name may choose an address
            raise Refused(_("{name} does not say who you are, or has not verified your mail address.", name=self.name))
        if settings.domain and str(mail).rpartition("@")[2].casefold() != settings.domain.casefold():
            raise Refused(_("Your mail address is not of the domain that may sign in."), name)
        groups = claims.get("groups")
        if settings.group and settings.group not in (groups if isinstance(groups, list) else ()):
            raise Refused(_("You are not in the group that may sign in."), name)
        return self._stored(store, name)

    def _stored(self, store: Database, name: str) -> User:
        unknown = Refused(_("You are not a user here yet; ask an administrator to add you."), name)
        if not audit.NAME.fullmatch(name):
            raise unknown
        try:
            return users.get(store, name)
        except NotFound:
            is_removed = name.casefold() in (one.name.casefold() for one in users.every(store))
        if is_removed or not self._settings.makes_users:
            raise unknown
        try:
            audit.ACTOR.set(name)
            users.add(store, users.new(name, Role.CHAT, secrets.token_urlsafe(32)))
        except UsageError:  # no name of a user, or another tab was first
            log.info("%s: the user could not be made", self.name)
        try:
            return users.get(store, name)
        except NotFound as error:
            raise unknown from error


def _joined(claims: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the claims with those that they lack; a mail address and whether it is verified come from one source."""
    mail = claims if "email_verified" in claims else more
    return {**more, **claims, **{name: mail.get(name) for name in _MAIL}}
