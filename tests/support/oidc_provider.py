"""A small OpenID Connect provider on a real server: discovery, tokens signed with RSA, keys, and claims of a user."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "searchain-page", "a-secret-of-the-provider-7f3a"


@cache
def _keys() -> RSAKey:
    return RSAKey.generate_key(2048, parameters={"kid": "one"})


class SmallProvider:
    """Who signs in here is whom ``claims`` name; ``changes`` replace claims of the token, ``None`` leaves one out."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {"sub": "248289761001", "preferred_username": "ann"}
        self.changes: dict[str, Any] = {}
        self.userinfo: dict[str, Any] = {}
        """Claims that stand at the userinfo endpoint alone."""
        self.keys = _keys()
        self.signed_with = self.keys
        self.algorithm = "RS256"
        self.asked: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._send(provider.answer(self.path, {}, self.headers.get("authorization", "")))

            def do_POST(self) -> None:
                form = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
                fields = {name: values[0] for name, values in form.items()}
                self._send(provider.answer(self.path, fields, self.headers.get("authorization", "")))

            def _send(self, told: dict[str, Any]) -> None:
                body = json.dumps(told).encode()
                self.send_response(400 if "error" in told else 200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = self.calls_itself = f"http://127.0.0.1:{self.server.server_port}"

    def consent(self, location: str, **changes: str) -> str:
        """What a browser does that was sent to ``location``: return the path and query with which it comes back."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(location).query).items()}
        assert location.startswith(f"{self.issuer}/authorize?")
        assert (asked["response_type"], asked["client_id"], asked["code_challenge_method"]) == ("code", CLIENT, "S256")
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe()
        self._codes[code] = asked
        back = urlsplit(asked["redirect_uri"])
        assert back.scheme == "https"
        return f"{back.path}?{urlencode({'code': code, 'state': asked['state'], **changes})}"

    def answer(self, path: str, form: dict[str, str], authorization: str) -> dict[str, Any]:
        self.asked.append(path)
        match path:
            case "/.well-known/openid-configuration":
                places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "jwks"}
                places |= {"userinfo_endpoint": "userinfo"} if self.userinfo else {}
                told = {name: f"{self.issuer}/{place}" for name, place in places.items()}
                algorithms = {"id_token_signing_alg_values_supported": ["RS256", "HS256", "none"]}
                return {"issuer": self.calls_itself, **told, **algorithms}
            case "/jwks":
                return {"keys": [self.keys.as_dict(private=False)]}
            case "/userinfo":
                return {"sub": self.claims["sub"], **self.userinfo}
            case "/token":
                return self._token(form, authorization)
        return {"error": "not_found"}

    def _token(self, form: dict[str, str], authorization: str) -> dict[str, Any]:
        asked = self._codes.pop(form.get("code", ""), None)
        right = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if asked is None or authorization != f"Basic {right}" or form["redirect_uri"] != asked["redirect_uri"]:
            return {"error": "invalid_grant", "error_description": f"not {SECRET}"}
        hashed = hashlib.sha256(form["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(hashed).decode().rstrip("=") != asked["code_challenge"]:
            return {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked["nonce"]}
        claims = {name: one for name, one in (claims | self.claims | self.changes).items() if one is not None}
        return {"access_token": "opaque", "token_type": "Bearer", "id_token": self._signed(claims)}

    def _signed(self, claims: dict[str, Any]) -> str:
        if self.algorithm == "none":
            parts = (base64.urlsafe_b64encode(json.dumps(one).encode()) for one in ({"alg": "none"}, claims))
            return "".join(part.decode().rstrip("=") + "." for part in parts)
        return jwt.encode({"alg": self.algorithm, "kid": "one"}, claims, self.signed_with)


@contextmanager
def small_provider() -> Iterator[SmallProvider]:
    """Serve the provider."""
    provider = SmallProvider()
    threading.Thread(target=provider.server.serve_forever, daemon=True).start()
    try:
        yield provider
    finally:
        provider.server.shutdown()
        provider.server.server_close()
