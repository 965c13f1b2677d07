"""What the page of a participant asks and sends. The secret in the address is all that opens it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from fastapi import Path as PathPart
from fastapi.concurrency import run_in_threadpool
from pydantic import Field
from sqlalchemy.orm import Session

from plainly.studio.api.dependencies import Body, TheDatabase, TheSettings
from plainly.studio.errors import Conflict, NotThere
from plainly.studio.formatting import formatted
from plainly.studio.kinds.base import Json
from plainly.studio.metrics import Metrics
from plainly.studio.security.limits import Limit, Turns
from plainly.studio.security.secrets import fingerprint
from plainly.studio.settings import Settings
from plainly.studio.store import afterwards, arrivals, qualification, tasks
from plainly.studio.store.campaigns import Loaded
from plainly.studio.store.database import Database
from plainly.studio.store.people import Visitor, refusal, visitor
from plainly.studio.store.responses import Receipt, Sent, before, checked, record
from plainly.studio.store.withdrawal import withdraw
from plainly.studio.texts import chosen, direction, say
from plainly.studio.welcome import LONGEST_COMMENT

LARGEST_ID = 2**31 - 1
WAITING = 10
"""Requests of one link that may wait while another one of it is answered: some tabs, and what they repeat."""
LONG = 10_000
"""Bytes of responses that count as one more answer."""
T = TypeVar("T")
Part = Literal["status", "campaign", "texts"]
router = APIRouter(prefix="/api/p/{token}", tags=["participants"])


class Limits:
    """How often links may be used. Every studio has its own."""

    def __init__(self) -> None:
        self.each = Limit(300, 60)
        """Requests of one link: five a second, for as long as a participant likes."""
        self.answers = Limit(600, 60)
        """Answers of one link; long ones count more often, as it takes longer to check them."""
        self.strangers = Limit(100, 60)
        """Requests of one address with links that are not known. Those that are known are never refused for it."""
        self.arriving = Limit(120, 60)
        """Arrivals by open links of one address, also of those who come back."""
        self.newcomers = Limit(60, 3600)
        """New participants of one address: a room full of people, and one a minute."""
        self.of_campaign = Limit(500, 100)
        """New participants of one campaign."""
        self.turns = Turns(WAITING)


class Has(Body):
    """What a page has already. Replies leave it out: they would say little else."""

    revision: Annotated[int, Field(ge=0, le=LARGEST_ID)]
    """Of the campaign. If there is a newer one, everything comes anew."""
    tasks: Annotated[list[Annotated[int, Field(ge=1, le=LARGEST_ID)]], Field(max_length=200)] = Field([])

    def of(self, loaded: Loaded) -> frozenset[int]:
        """The tasks that need not be sent again."""
        return frozenset(self.tasks) if self.revision == loaded.revision else frozenset()


class Welcome(Body):
    """Consent, and the form."""

    has: Has | None = None
    consent: bool
    fields: Annotated[dict[str, str], Field(max_length=100)] = Field({})


class Answered(Body):
    """One response. `client_id` is made by the browser, a new one for each: what is sent twice is stored once.

    Tasks that may be opened again come with `base`, the `client_id` of the answer that stands. The next answer gives
    it back: it is refused if another one was stored meanwhile, as from a second window.
    """

    client_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9._:-]{1,64}$")]
    task: Annotated[int, Field(ge=1, le=LARGEST_ID)]
    action: Literal["answer", "undo"] = "answer"
    answer: dict[str, Any] = Field({})
    seconds: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = None
    base: Annotated[str, Field(pattern=r"^[A-Za-z0-9._:-]{0,64}$")] | None = None
    comment: Annotated[str, Field(max_length=LONGEST_COMMENT)] = ""


class Afterwards(Body):
    """The questionnaire after the tasks, and a comment on the whole."""

    fields: Annotated[dict[str, str], Field(max_length=100)] = Field({})
    comment: Annotated[str, Field(max_length=LONGEST_COMMENT)] = ""


class Withdrawal(Body):
    """The wish to take part no longer."""

    sure: Literal[True]


class Responses(Body):
    """Responses in the order in which they were given."""

    has: Has | None = None
    responses: Annotated[list[Answered], Field(min_length=1, max_length=50)]


class Reply(Response):
    """JSON that is put together from parts, some of them written before."""

    media_type = "application/json"


class Link:
    """The personal link of a request, and who asks. The doors have counted the request before (see middleware.py)."""

    def __init__(self, request: Request, settings: Settings, token: str) -> None:
        self._token = token
        self._lang = chosen(None, request.headers.get("accept-language"))
        self._host = request.client.host if request.client else ""
        self._limited = settings.limited
        self._limits: Limits = request.app.state.link_limits
        self._time: str = request.app.state.clock()
        self._metrics: Metrics = request.app.state.metrics

    def visitor(self, session: Session, *, changes: bool = False) -> Visitor:
        """The participant; see `plainly.studio.store.people`."""
        try:
            who = visitor(session, self._token, lang=self._lang, changes=changes, time=self._time)
        except NotThere:
            if self._limited:
                self._limits.strangers.take(self._host)
            raise
        if not who.preview:
            self._metrics.seen(who.id)
        return who

    def responded(self, receipt: Receipt) -> None:
        """For the metrics."""
        if not receipt.visitor.preview:
            self._metrics.responded(len(receipt.stored), len(receipt.refused))

    def count(self, responses: int, size: int) -> None:
        """Responses that are to be checked, and all their bytes; raises TooMany where there were too many."""
        if self._limited:
            self._limits.answers.take(fingerprint(self._token), responses + size // LONG)

    async def alone(self, work: Callable[..., T], *given: Any) -> T:
        """What `work` returns; for each link one thing at a time, so that nobody takes the threads of all others."""
        async with self._limits.turns.of(fingerprint(self._token), refuse=self._limited):
            return await run_in_threadpool(work, *given)


async def _link(request: Request, settings: TheSettings, token: Annotated[str, PathPart(max_length=99)]) -> Link:
    return Link(request, settings, token)


TheLink = Annotated[Link, Depends(_link)]


@router.get("", summary="Where the participant is: campaign, progress, the next tasks, interface texts")
async def get_state(database: TheDatabase, link: TheLink) -> Response:
    return await link.alone(_shown_state, database, link)


@router.post("/welcome", summary="Agree, fill in the form, and get the first tasks")
async def post_welcome(database: TheDatabase, link: TheLink, body: Welcome) -> Response:
    return await link.alone(_welcomed, database, link, body)


@router.post("/responses", summary="Store responses, each once, and get the next tasks")
async def post_responses(request: Request, database: TheDatabase, link: TheLink, body: Responses) -> Response:
    link.count(len(body.responses), len(await request.body()))
    sent = [Sent(**dict(one)) for one in body.responses]
    return await link.alone(_stored, database, link, sent, body.has)


@router.post("/after", summary="Send what is asked after the tasks, and a comment on the whole")
async def post_after(database: TheDatabase, link: TheLink, body: Afterwards) -> Response:
    return await link.alone(_ended, database, link, body)


@router.post("/withdraw", summary="Withdraw: the link opens nothing any more, and answers are deleted or kept")
async def post_withdrawal(database: TheDatabase, link: TheLink, body: Withdrawal) -> Response:
    return await link.alone(_withdrawn, database, link)


@router.get("/tasks", summary="All tasks, where they may be opened again")
async def get_tasks(database: TheDatabase, link: TheLink) -> Response:
    return await link.alone(_listed, database, link)


@router.get("/tasks/{task}", summary="One task with the answer that stands, where it may be opened again")
async def get_task(
    database: TheDatabase, link: TheLink, task: Annotated[int, PathPart(ge=1, le=LARGEST_ID)]
) -> Response:
    return await link.alone(_opened, database, link, task)


def _shown_state(database: Database, link: Link) -> Response:
    with database.reading() as session:
        who = link.visitor(session)
    if arrivals.sleeping(who):
        with database.writing() as session:
            who = arrivals.keep(session, link.visitor(session, changes=True))
    return _afterwards(database, who)


def _welcomed(database: Database, link: Link, body: Welcome) -> Response:
    with database.writing() as session:
        who = link.visitor(session, changes=True)
        who = tasks.begin(session, who, body.consent, body.fields)
    if who.place is False and not who.screened:  # raised only now: what the form said is kept
        raise refusal(Conflict, "no_place", who.loaded.interface)
    return _afterwards(database, who, has=body.has)


def _stored(database: Database, link: Link, sent: Sequence[Sent], has: Has | None) -> Response:
    answers = None
    if database.one_writer:  # whom nobody should have to wait for: what may take long is done before
        with database.reading() as session:
            who = link.visitor(session)
            known = before(session, who, sent)
        answers = checked(who, known, sent)
    with database.writing() as session:
        who = arrivals.keep(session, link.visitor(session, changes=True))
        receipt = record(session, who, sent, answers)
        reply = None if database.one_writer else _at_once(session, receipt.visitor, receipt, has)
    link.responded(receipt)
    return reply or _afterwards(database, receipt.visitor, receipt, has)  # now all is stored


def _ended(database: Database, link: Link, body: Afterwards) -> Response:
    with database.writing() as session:
        who = afterwards.end(session, link.visitor(session, changes=True), body.fields, body.comment)
    return _afterwards(database, who)


def _withdrawn(database: Database, link: Link) -> Response:
    with database.writing() as session:
        said = withdraw(session, link.visitor(session, changes=True))
    return Reply(_json({"title": said.title, "text": str(said)}))


def _listed(database: Database, link: Link) -> Response:
    with database.reading() as session:
        return Reply(_json(tasks.listed(session, link.visitor(session))))


def _opened(database: Database, link: Link, task: int) -> Response:
    with database.reading() as session:
        return Reply(_json(tasks.opened(session, link.visitor(session), task)))


def _afterwards(database: Database, who: Visitor, receipt: Receipt | None = None, has: Has | None = None) -> Response:
    """The new state, with more tasks if all are done. It is found when all is stored: nobody waits to write."""
    with database.reading() as session:
        if reply := _at_once(session, who, receipt, has):
            return reply
        found = tasks.further(session, who)
    with database.writing() as session:
        who = tasks.go_on(session, who, found)
        return _state(session, who, tasks.ahead(session, who, _known(who, has)), receipt, has)


def _at_once(session: Session, who: Visitor, receipt: Receipt | None, has: Has | None) -> Response | None:
    """The new state; None where more tasks have to be made first."""
    ahead = tasks.ahead(session, who, _known(who, has))
    return _state(session, who, ahead, receipt, has) if ahead or not tasks.stuck(session, who) else None


def _known(who: Visitor, has: Has | None) -> frozenset[int]:
    return has.of(who.loaded) if has else frozenset()


def _state(
    session: Session, who: Visitor, ahead: Sequence[Json], receipt: Receipt | None, has: Has | None
) -> Response:
    done, total = tasks.progress(session, who)
    parts: dict[str, Any] = {
        "participant": {
            "code": who.code,
            "welcomed": who.started,
            "finished": who.finished,
            "preview": who.preview,
            **({"sent_after": True} if who.sent_after else {}),
            **_end(who),
        },
        "progress": {"done": done, "total": total},
        "tasks": ahead,
        "last": tasks.last(session, who, _known(who, has)),
    }
    if receipt is not None:
        if receipt.practised and (feedback := qualification.feedback(session, who)):
            parts["feedback"] = feedback
        parts["stored"] = receipt.stored
        parts["refused"] = [{"client_id": client_id, "error": error} for client_id, error in receipt.refused]
    return Reply(_json(parts)[:-1] + "," + _same_for_all(who.loaded, _wanted(who, receipt, has))[1:])


def _wanted(who: Visitor, receipt: Receipt | None, has: Has | None) -> Part:
    if has is not None and has.revision == who.loaded.revision:
        return "status"
    return "texts" if receipt is None else "campaign"


def _end(who: Visitor) -> dict[str, Any]:
    """What one gets who is done, or can go on no more: a code, and the way back to where they came from."""
    arrival = who.loaded.arrival
    if who.screened:
        return {"screened": arrival.failure}
    # The code comes after the questionnaire, unless that is taken no more.
    closed = who.loaded.status in ("closed", "archived")
    owing = bool(who.loaded.welcome.get("after")) and not who.sent_after and not closed
    done = who.finished and arrival.completes and not owing
    return {"completion": arrival.completion(who.completion)} if done else {}


@lru_cache(maxsize=128)
def _same_for_all(loaded: Loaded, part: Part) -> str:
    """What all participants of a campaign get; written once for each revision of the campaign.

    A page that sends responses has the interface texts already, and as a rule all else: most of the reply.
    """
    campaign, kind = loaded.campaign, loaded.kind
    standing = {"id": campaign.id, "status": loaded.status, "revision": loaded.revision}
    if part == "status":
        return _json({"campaign": standing})
    speaker = say(loaded.interface)
    about = {
        **standing,
        **{name: getattr(campaign, name) for name in ("name", "kind", "lang")},
        "dir": direction(campaign.lang),
        "interface": loaded.interface,
        "undoable": kind.undoable,
        "revisable": kind.revisable,
        "public": kind.public(campaign),
        "welcome": loaded.welcome,
        "formatted": {part: formatted(loaded.welcome.get(part, "")) for part in ("instructions", "consent")},
    }
    if part == "campaign":
        return _json({"campaign": about})
    of_kind = speaker.part(campaign.kind, kind.page_texts)  # the others tell how people are checked
    guide = kind.guide(campaign, loaded.interface)
    sections = {"participant": speaker.section("participant"), campaign.kind: of_kind, "guide": guide}
    return _json({"campaign": about, "texts": sections})


def _json(content: Any) -> str:
    return json.dumps(content, allow_nan=False, separators=(",", ":"))
