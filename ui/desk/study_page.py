"""The page on which an admin sets and freezes the study, invites people, and sees which replies were skipped and why.

Its forms are plain HTML, and it works without scripts.
"""

import secrets
from collections.abc import Callable
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from searchain.annotation.study import PRIMARY, Study, differences, from_json, from_toml
from searchain.errors import SearChainError, UsageError
from storage.annotation import import_items, progress, studies, tasks, withdrawing
from storage.database import Database
from storage.people import users
from storage.people.users import NewUser, Role
from storage.removal.delete import compact
from ui.desk.pages import STUDY, allow, shown
from ui.exports.formats import unpacked
from ui.server.access import Access, Person, Who, is_own
from ui.server.plain_page import told
from ui.translation import _

_POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_SWITCHES = ("guided_practice", "hide_addresses", "normalise_marks", "show_uncited", "ask_for_systems")
_NUMBERS: dict[str, Callable[[str], float]] = {"quota": int, "seed": int, "pass_mark": float}
_TEXTS = ("title", "primary", "guidelines")
_MOST_INVITED = 100
Done = tuple[str, list[NewUser]]
"""What is said above the page, and the people who were just invited, with their passwords."""


class StudyPage:
    """The route of the page, for admins."""

    def __init__(self, store: Database, access: Access) -> None:
        self._store, self._access = store, access
        self._acts: dict[str, Callable[[Person, FormData, bytes], Done]] = {
            "save": self._save,
            "freeze": self._freeze,
            "invite": self._invite,
            "remove": self._remove,
            "import": self._import,
        }
        self.routes = [Route(STUDY, self._answer, methods=["GET", "POST"])]

    async def _answer(self, request: Request) -> Response:
        person = self._access.person(request.headers)
        if person is None or not person.may(Role.ADMIN) or not is_own(request.headers):
            return told(request, _("This is not open to you."), 403)
        done: Done = ("", [])
        status = 200
        if request.method == "POST":
            async with request.form() as form:
                file = form.get("file")
                raw = await file.read() if isinstance(file, UploadFile) else b""
                try:
                    done = await run_in_threadpool(self._do, person, form, raw)
                except SearChainError as error:
                    done, status = (str(error), []), 400
        return await run_in_threadpool(self._shown, request, done, status)

    def _do(self, person: Person, form: FormData, raw: bytes) -> Done:
        allow(person, Role.ADMIN)
        act = self._acts.get(str(form.get("do")))
        if act is None:
            raise UsageError("the form asks for nothing; reload the page")
        return act(person, form, raw)

    def _shown(self, request: Request, done: Done, status: int) -> Response:
        said, invited = done
        study, entries = studies.current(self._store), studies.history(self._store)
        changed = [", ".join(differences(one.study, other.study)) for one, other in pairwise(entries)]
        return shown(
            request,
            "study",
            {"content-security-policy": _POLICY},
            status,
            said=said,
            invited=invited,
            address="" if self._access.who is Who.LOCAL else f"{request.base_url}annotate",
            study=study,
            measures=PRIMARY,
            steps=list(zip(entries, ["", *changed], strict=False)),
            hypotheses="\n".join(study.hypotheses),
            is_frozen=studies.is_frozen(self._store),
            replies=progress.progress(self._store, "").items,
            roles={
                Role.ANNOTATOR: _("annotator: judges"),
                Role.ADJUDICATOR: _("adjudicator: also decides disputes"),
            },
            people=[one for one in users.every(self._store) if one.disabled is None],
            skips=progress.skips(self._store),
        )

    def _save(self, person: Person, form: FormData, raw: bytes) -> Done:
        before = studies.current(self._store)
        study = from_toml(_decoded(raw)) if raw else _of_form(form, before)
        changed = studies.change(self._store, study, person.owner, str(form.get("reason", "")))
        if "quota" in changed:  # else it would hold for replies that come later alone
            tasks.assign(self._store, None, (), quota=study.quota)
        return _("Saved: {changed}", changed=", ".join(changed)) if changed else _("Nothing changed."), []

    def _freeze(self, person: Person, form: FormData, raw: bytes) -> Done:
        self._save(person, form, raw)
        return _("The study is frozen: {hash}", hash=studies.freeze(self._store, person.owner)), []

    def _invite(self, person: Person, form: FormData, raw: bytes) -> Done:
        names = dict.fromkeys(str(form.get("names", "")).replace(",", " ").split())
        role = Role.ADJUDICATOR if form.get("role") == Role.ADJUDICATOR else Role.ANNOTATOR
        there = [one for one in users.every(self._store) if one.disabled is None]
        if not 0 < len(names) <= _MOST_INVITED:
            raise UsageError(f"write the names of 1 to {_MOST_INVITED} people, one a line")
        new = [_new(name, role) for name in names]
        if not any(one.role is Role.ADMIN for one in there):  # else nobody could come back to this page
            new.append(_new("admin", Role.ADMIN))
        if twice := {one.name.casefold() for one in new} & {one.name.casefold() for one in there}:
            raise UsageError(f"there is a user {sorted(twice)[0]!r} already; leave the name out, and invite the others")
        for one in new:
            users.add(self._store, one)
        return _("Invited. The passwords are shown this once: send them now."), new

    def _remove(self, person: Person, form: FormData, raw: bytes) -> Done:
        with self._store.writing() as db:
            withdrawing.remove(db, str(form.get("item")), with_labels=False)
        compact(self._store)
        return _("The reply is off the desk; labels that it had stay, and the report counts them apart."), []

    def _import(self, person: Person, form: FormData, raw: bytes) -> Done:
        if not raw:
            raise UsageError("choose a zip that this page wrote")
        done = import_items.file(self._store, unpacked(raw), quota=studies.current(self._store).quota)
        return _("{added} taken in, {skipped} there already.", added=done.added, skipped=done.skipped), []


def _new(name: str, role: Role) -> NewUser:
    return users.new(name, role, secrets.token_urlsafe(9), may_chat=role is Role.ADMIN)


def _of_form(form: FormData, before: Study) -> Study:
    """Return the study of the form; entries that the form has no field for stay as they are."""
    values: dict[str, Any] = asdict(before)
    values |= {name: str(form.get(name, "")).replace("\r\n", "\n").strip() for name in _TEXTS}
    values |= {name: name in form for name in _SWITCHES}
    values["hypotheses"] = [line.strip() for line in str(form.get("hypotheses", "")).splitlines() if line.strip()]
    least = str(form.get("annotators_below_checks", "")).strip()
    try:
        values |= {name: number(str(form.get(name, ""))) for name, number in _NUMBERS.items()}
        values["exclusions"]["annotators_below_checks"] = float(least) if least else None
    except ValueError as error:
        raise UsageError(f"a number of the study is none: {error}; nothing was saved") from None
    return from_json(values)


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"the study is no text in UTF-8: {error}; choose a study.toml") from None
