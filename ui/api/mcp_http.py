"""The MCP server over HTTP. Host, Origin and token are checked before a message is read."""

from __future__ import annotations

import os

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from storage.people.users import Role
from ui.api.mcp_tools import NEEDS_TOKEN, person_of
from ui.server.access import Access
from ui.server.guard import Guard
from ui.server.rules import Rule

PATH = "/mcp"
RULES = (Rule("/", is_open=True),)
"""The guard checks Host and Origin; ``app`` below checks the token."""
_GOODBYE = 2  # seconds that open answers have when the server stops


def app(server: MCPServer, access: Access) -> ASGIApp:
    """Make the application that serves ``/mcp``. Requests have no session, so each must carry its token."""
    inner = server.streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        # the guard checks Host and Origin as it does for the page
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            person = person_of(access, Headers(scope=scope))
            if person is None or not person.may(Role.CHAT):
                status = 401 if person is None else 403
                message = NEEDS_TOKEN if person is None else "your role does not allow this"
                await JSONResponse(
                    {"error": message}, status, {"www-authenticate": "Bearer"} if person is None else None
                )(scope, receive, send)
                return
        await inner(scope, receive, send)

    return Guard(checked, access=access, rules=RULES)


def serve(server: MCPServer, access: Access, host: str, port: int) -> None:
    """Serve until ctrl-C or SIGTERM."""
    os.environ.setdefault("FORWARDED_ALLOW_IPS", "")  # as for the page: no proxy is believed that was not named
    uvicorn.run(
        app(server, access),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=_GOODBYE,
    )
