"""The page of whoever runs the desk: the study, its people, replies, assignments, skips, and all that goes out.

Its forms are plain HTML, and it works without scripts.
"""

import io
import secrets
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
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
from storage.annotation.import_items import Imported
from storage.database import Database
from storage.history import selection
from storage.people import users
from storage.people.users import LOCAL, NewUser, Role
from storage.removal.delete import compact
from ui.desk.managing import quota_of
from ui.desk.pages import MANAGE, MOST_SENT, shown
from ui.exports.formats import LABEL_FORMATS, unpacked
from ui.server.access import Access, Person, Who, is_own
from ui.server.plain_page import told
from ui.translation import _

LISTED = 500
"""The most replies in the list."""
_POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_SWITCHES = ("guided_practice", "hide_addresses", "normalise_marks", "show_uncited", "ask_for_systems")
_NUMBERS: dict[str, Callable[[str], float]] = {"quota": int, "seed": int, "pass_mark": float}
_TEXTS = ("title", "primary", "guidelines")
_CONDITIONS = ("model", "status", "since", "until", "text")
_ACTS = ("save", "freeze", "remove", "import", "trial", "turns", "assign", "release", "place")
_INVITED = (Role.ANNOTATOR, Role.ADJUDICATOR)
_MOST_INVITED = 100


class ManagePage:
    """The route of the page, for admins."""

    def __init__(self, store: Database, access: Access) -> None:
        self._store, self._access = store, access
        self.routes = [Route(MANAGE, self._answer, methods=["GET", "POST"])]

    async def _answer(self, request: Request) -> Response:
        person = self._access.person(request.headers)
        is_sent = request.method == "POST"
        if person is None or not person.may(Role.ADMIN) or (is_sent and not is_own(request.headers)):
            return told(request, _("This is not open to you."), 403)
        if not is_sent:
            return await run_in_threadpool(self._shown, request)
        async with request.form(max_part_size=MOST_SENT) as form:
            file = form.get("file")
            raw = await file.read() if isinstance(file, UploadFile) else b""
            return await run_in_threadpool(self._done, request, person, form, raw)

    def _done(self, request: Request, person: Person, form: FormData, raw: bytes) -> Response:
        """Do what a form asks, and return the page with what came of it."""
        asked = str(form.get("do"))
        try:
            if asked == "invite":
                invited = self._invite(form)
                return self._shown(request, _("Invited. The passwords are shown this once: send them now."), invited)
            if asked not in _ACTS:
                raise UsageError("the form asks for nothing; reload the page")
            return self._shown(request, getattr(self, f"_{asked}")(person, form, raw))
        except SearChainError as error:
            sent = None
            with suppress(UsageError):  # so that a fault in a study costs nothing else
                sent = _of_form(form, studies.current(self._store)) if asked in ("save", "freeze") else None
            return self._shown(request, str(error), study=sent, status=400)

    def _shown(
        self,
        request: Request,
        said: str = "",
        invited: tuple[NewUser, ...] = (),
        study: Study | None = None,
        status: int = 200,
    ) -> Response:
        study, entries = study or studies.current(self._store), studies.history(self._store)
        changed = [", ".join(differences(one.study, other.study)) for one, other in pairwise(entries)]
        people = [one for one in users.every(self._store) if one.disabled is None]
        judging = [one.name for one in people if one.role.includes(Role.ANNOTATOR)]
        there = [one for one in progress.items(self._store) if one["is_there"]]
        return shown(
            request,
            "manage",
            {"content-security-policy": _POLICY},
            status,
            said=said,
            invited=invited,
            address="" if self._access.who is Who.LOCAL else f"{request.base_url}annotate",
            study=study,
            hypotheses="\n".join(study.hypotheses),
            measures=PRIMARY,
            steps=list(zip(entries, ["", *changed], strict=False)),
            is_frozen=studies.is_frozen(self._store),
            progress=progress.progress(self._store, ""),
            shares=[(_("system"), progress.systems(self._store)), (_("annotator"), progress.annotators(self._store))],
            minutes=_minutes,
            roles=dict(zip(_INVITED, (_("annotator: judges"), _("adjudicator: also decides disputes")), strict=True)),
            people=people,
            judging=judging if people else [LOCAL],
            items=there[:LISTED],
            skips=progress.skips(self._store),
            stranded=progress.stranded(self._store, time.time()),
            formats=LABEL_FORMATS,
        )

    def _save(self, person: Person, form: FormData, raw: bytes) -> str:
        study = from_toml(raw) if raw else _of_form(form, studies.current(self._store))
        changed = studies.change(self._store, study, person.owner, str(form.get("reason", "")))
        if "quota" in changed:  # else it would hold for replies that come later alone
            tasks.assign(self._store, None, (), quota=study.quota)
        return _("Saved: {changed}", changed=", ".join(changed)) if changed else _("Nothing changed.")

    def _freeze(self, person: Person, form: FormData, raw: bytes) -> str:
        self._save(person, form, raw)
        return _("The study is frozen: {hash}", hash=studies.freeze(self._store, person.owner))

    def _invite(self, form: FormData) -> tuple[NewUser, ...]:
        names = dict.fromkeys(str(form.get("names", "")).replace(",", " ").split())
        role = next((one for one in _INVITED if one == form.get("role")), Role.ANNOTATOR)
        there = users.every(self._store)
        if not 0 < len(names) <= _MOST_INVITED:
            raise UsageError(f"write the names of 1 to {_MOST_INVITED} people, one a line")
        new = [_new(name, role) for name in names]
        if not any(one.role is Role.ADMIN and one.disabled is None for one in there):
            new.append(_new("admin", Role.ADMIN))  # else nobody could come back to this page
        taken = {one.name.casefold(): f"there is a user {one.name!r} already, or was" for one in there}
        for one in new:
            if said := taken.get(one.name.casefold()):
                raise UsageError(f"{said}; nobody was invited; write another name for them, or leave it out")
            taken[one.name.casefold()] = f"the invitation would add {one.name!r} twice"
        users.add(self._store, *new)
        return tuple(new)

    def _remove(self, person: Person, form: FormData, raw: bytes) -> str:
        with self._store.writing() as db:
            withdrawing.remove(db, str(form.get("item")), with_labels=False)
        compact(self._store)
        return _("The reply is off the desk; labels that it had stay, and the report counts them apart.")

    def _import(self, person: Person, form: FormData, raw: bytes) -> str:
        pasted, is_trial = str(form.get("lines", "")).strip().encode(), form.get("do") == "trial"
        if bool(raw) == bool(pasted):
            raise UsageError("choose a file, or paste lines: one of the two")
        lines = unpacked(raw) if zipfile.is_zipfile(io.BytesIO(raw)) else (raw or pasted).splitlines(keepends=True)
        reading = import_items.Reading(system=str(form.get("system", "")).strip() or None)
        quota = quota_of(self._store, form.get("quota"))
        done = import_items.file(self._store, lines, quota=quota, reading=reading, is_trial=is_trial)
        said = done.told(is_trial=is_trial)
        if is_trial and not said:
            return _("There are no answers of other systems in it: labels and turns are taken as they are.")
        return " · ".join(said if is_trial else [_added(done), *said])

    _trial = _import

    def _turns(self, person: Person, form: FormData, raw: bytes) -> str:
        conditions = {name: text for name in _CONDITIONS if (text := str(form.get(name, "")).strip())}
        quota = quota_of(self._store, form.get("quota"))
        return _added(import_items.turns(self._store, selection.chosen(**conditions), quota=quota))

    def _assign(self, person: Person, form: FormData, raw: bytes) -> str:
        (chosen, to), number = _chosen(form), str(form.get("quota", "")).strip()
        quota = quota_of(self._store, number) if number else None
        if not to and quota is None:
            raise UsageError("choose annotators to assign to, or a number of annotators")
        done = tasks.assign(self._store, chosen, to, quota=quota)
        said = [_("{given} assigned", given=done.given) if to else _("The number is set")]
        if done.had:
            said.append(_("{had} judged, skipped or assigned before", had=done.had))
        if done.full:
            said.append(_("{full} without a free place (a larger number of annotators makes some)", full=done.full))
        return ", ".join(said)

    def _release(self, person: Person, form: FormData, raw: bytes) -> str:
        chosen, to = _chosen(form)
        if not to:
            raise UsageError("choose the annotators whose assignments are taken back")
        return _("{released} taken back; what was begun stays.", released=tasks.release(self._store, chosen, to))

    def _place(self, person: Person, form: FormData, raw: bytes) -> str:
        quota = tasks.one_more(self._store, str(form.get("item")))
        return _("{quota} annotators may judge it now.", quota=quota)


def _minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _added(done: Imported) -> str:
    if done.skipped:
        return _("{number} put on the desk, {skipped} there already.", number=done.added, skipped=done.skipped)
    return _("{number} put on the desk.", number=done.added)


def _chosen(form: FormData) -> tuple[list[str] | None, list[str]]:
    """Return the chosen items (``None``: all items) and annotators."""
    chosen = [str(one) for one in form.getlist("item")]
    if not chosen and "all" not in form:
        raise UsageError("choose replies, or all of them")
    return (None if "all" in form else chosen), [str(one) for one in form.getlist("person")]


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
