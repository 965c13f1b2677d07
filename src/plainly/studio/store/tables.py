"""What is kept, table by table.

Times are texts, ISO 8601 in UTC. They are shown and exported, but nothing is decided by them: a clock may be set
back. Only places of a quota that nobody seems to hold any more go by them. Which answer stands follows from numbers
that the database counts up.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String, Table, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NEVER_AGAIN = {"sqlite_autoincrement": True}
"""Ids are never used again, even after the newest row was deleted: a late request would find somebody else's row."""


class Base(DeclarativeBase):
    """All tables of the studio."""

    type_annotation_map = {dict[str, Any]: JSON}  # noqa: RUF012  (SQLAlchemy reads it from the class)


def table_of(entity: type[Base]) -> Table:
    """The table itself, for statements that are made once and run often."""
    return Base.metadata.tables[entity.__tablename__]


class User(Base):
    """Somebody who may log in."""

    __tablename__ = "users"
    __table_args__ = NEVER_AGAIN

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    password: Mapped[str] = mapped_column(String(200))
    """As argon2 has it: salted and hashed."""
    role: Mapped[str] = mapped_column(String(20))
    """owner: everything; analyst: reads campaigns, dashboards and exports, changes nothing."""
    limited: Mapped[bool] = mapped_column(default=False)
    """Whether an analyst sees only the campaigns of `rights`; owners see all."""
    created: Mapped[str] = mapped_column(String(40))


class Token(Base):
    """What lets a program do what its user may do, or read only."""

    __tablename__ = "tokens"
    __table_args__ = NEVER_AGAIN

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    token: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the secret, which is shown once."""
    writes: Mapped[bool]
    created: Mapped[str] = mapped_column(String(40))
    used: Mapped[str | None] = mapped_column(String(10))
    """The last day on which it was used."""


class Login(Base):
    """A session of a user in one browser."""

    __tablename__ = "logins"

    token: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of what the cookie holds."""
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    csrf: Mapped[str] = mapped_column(String(64))
    expires: Mapped[str] = mapped_column(String(40))


class Campaign(Base):
    """One human study."""

    __tablename__ = "campaigns"
    __table_args__ = (Index("campaigns_by_slug", "slug", unique=True),)

    id: Mapped[str] = mapped_column(String(20), primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(String(200))
    lang: Mapped[str] = mapped_column(String(20))
    """Of the texts."""
    interface: Mapped[str] = mapped_column(String(20))
    """Of the participants' pages: the name of a file of interface texts."""
    status: Mapped[str] = mapped_column(String(20))
    """draft, open, paused, closed or archived."""
    seed: Mapped[int]
    settings: Mapped[dict[str, Any]]
    """Of its kind."""
    welcome: Mapped[dict[str, Any]]
    """For all kinds: `instructions` and `consent` (texts), `form` (a list of fields as experiments have them)."""
    revision: Mapped[int] = mapped_column(default=1)
    """Counts changes by owners, so that two who edit at once notice it."""
    material: Mapped[int] = mapped_column(default=1)
    """Counts changes of the items, which are many: they are read again only then."""
    invited: Mapped[int] = mapped_column(default=0)
    """How many participants there ever were: numbers are never used again, even after the newest was deleted."""
    arrival: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """The open link, see `plainly.studio.arrival`; empty: there never was one."""
    slug: Mapped[str | None] = mapped_column(String(40))
    """Of the open link's address."""
    created: Mapped[str] = mapped_column(String(40))
    updated: Mapped[str] = mapped_column(String(40))


class Right(Base):
    """A campaign that a limited analyst may see."""

    __tablename__ = "rights"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True)


class Item(Base):
    """One thing that is judged; never changed once the campaign was opened. More may come."""

    __tablename__ = "items"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    content: Mapped[dict[str, Any]]


class Material(Base):
    """The files of which a campaign was made: its options can be changed while it is a draft, and those of copies."""

    __tablename__ = "materials"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True)
    request: Mapped[dict[str, Any]]
    """How they were read: options, columns, language."""
    names: Mapped[dict[str, Any]]
    """Of the files, by slot."""
    files: Mapped[bytes] = mapped_column(LargeBinary)
    """As a zip archive."""


class Image(Base):
    """A picture in the instructions."""

    __tablename__ = "images"

    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(String(100), primary_key=True)
    type: Mapped[str] = mapped_column(String(20))
    content: Mapped[bytes] = mapped_column(LargeBinary)


class Participant(Base):
    """Somebody who answers, known by a personal link alone."""

    __tablename__ = "participants"
    __table_args__ = (
        UniqueConstraint("campaign_id", "number"),
        Index("participants_by_platform", "campaign_id", "platform_id", unique=True),
        NEVER_AGAIN,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaigns.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    """From 1; 0 is the owner's preview, whose answers count nowhere."""
    note: Mapped[str] = mapped_column(String(200), default="")
    """The owner's own words, to know whom the link went to; never exported."""
    token: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 of the secret in the link."""
    status: Mapped[str] = mapped_column(String(20))
    """invited, active, finished, screened, revoked or withdrawn."""
    fields: Mapped[dict[str, Any]]
    """What the form asked for."""
    after: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    """What the questionnaire after the tasks asked for; None until it was sent."""
    comment: Mapped[str] = mapped_column(Text, default="")
    """What the participant said at the end."""
    created: Mapped[str] = mapped_column(String(40))
    started: Mapped[str | None] = mapped_column(String(40))
    """When consent was given and the form was filled in."""
    finished: Mapped[str | None] = mapped_column(String(40))
    completed: Mapped[str | None] = mapped_column(String(40))
    """When all was done for the first time; `finished` is empty again after the last answer was taken back."""
    completion: Mapped[str] = mapped_column(String(40), default="")
    """The code that proves it; shown to those who are done."""
    screened: Mapped[str] = mapped_column(Text, default="")
    """Why one was screened out."""
    place: Mapped[bool | None]
    """Whether one who came by the open link has a place of its quota; None: invited by a link of their own."""
    cell: Mapped[str | None] = mapped_column(Text)
    """The group of the quota, once it is known."""
    seen: Mapped[str | None] = mapped_column(String(40))
    """The last sign of life of one who came by the open link. Places that nobody holds may go to others."""
    platform_id: Mapped[str | None] = mapped_column(String(100))
    """Who it is on the platform that they came from. Personal data: for owners only."""
    parameters: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Of the address by which they came, as far as the owner names them. Personal data: for owners only."""
    platform: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """What the platform says of them, from a file that the owner imported."""
    left_out: Mapped[str] = mapped_column(Text, default="")
    """Why the answers do not count; empty: they do."""
    left_out_by: Mapped[str] = mapped_column(String(100), default="")
    """The user who said so, or took it back, last; and when."""
    left_out_at: Mapped[str | None] = mapped_column(String(40))


class Task(Base):
    """One thing that one participant has to do."""

    __tablename__ = "tasks"
    __table_args__ = (UniqueConstraint("participant_id", "place"), NEVER_AGAIN)

    id: Mapped[int] = mapped_column(primary_key=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participants.id", ondelete="CASCADE"))
    place: Mapped[int]
    """In order, from 0; what is for practice stands before, below 0."""
    role: Mapped[str] = mapped_column(String(10), default="")
    """Empty: of the study; else practice, check or repeat, see `plainly.studio.kinds.dealt`."""
    content: Mapped[dict[str, Any]]
    response_id: Mapped[int | None]
    """The response that stands. It follows from the responses, and is kept here to be quick; so is `done`."""
    done: Mapped[bool] = mapped_column(default=False)
    """Whether that response finishes the task; until then it is open."""


class Response(Base):
    """What a participant did with a task. Rows are added, never changed: the newest of a task stands.

    Of work that is saved again and again before it is done, old rows are dropped (see responses.py).
    """

    __tablename__ = "responses"
    __table_args__ = (
        UniqueConstraint("participant_id", "client_id"),
        Index("responses_of_task", "task_id"),
        NEVER_AGAIN,
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    participant_id: Mapped[int] = mapped_column(ForeignKey("participants.id", ondelete="CASCADE"))
    task_id: Mapped[int] = mapped_column(ForeignKey("tasks.id", ondelete="CASCADE"))
    client_id: Mapped[str] = mapped_column(String(64))
    """Made by the browser: a repeat after a lost reply is stored once."""
    action: Mapped[str] = mapped_column(String(10))
    """answer, or undo: the task is open again."""
    answer: Mapped[dict[str, Any]]
    seconds: Mapped[float | None]
    """What the browser claims for the task, by performance.now()."""
    server_seconds: Mapped[float | None]
    """From when the task before was stored, or the participant began, until this one was."""
    believed_seconds: Mapped[float | None]
    """What is believed of `seconds`; and what later answers may still claim: see clock.py."""
    spare_seconds: Mapped[float | None]
    impossible: Mapped[bool] = mapped_column(default=False)
    """Whether more was claimed than can be."""
    comment: Mapped[str] = mapped_column(Text, default="")
    """What the participant said of the task."""
    received: Mapped[str] = mapped_column(String(40))
    """When the server stored it."""


class Gold(Base):
    """What an adjudicator decided about an item. Rows are added, never changed: the newest of an item stands."""

    __tablename__ = "golds"
    __table_args__ = (UniqueConstraint("campaign_id", "place", "number"), NEVER_AGAIN)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[str] = mapped_column(ForeignKey("campaigns.id", ondelete="CASCADE"))
    place: Mapped[int]
    """Of the item."""
    number: Mapped[int]
    """Of the decision about this item, from 1: two who decide at once notice it."""
    content: Mapped[dict[str, Any]]
    by: Mapped[str] = mapped_column(String(100))
    """The name of the user; it stays when the user goes."""
    time: Mapped[str] = mapped_column(String(40))


class Guess(Base):
    """Logins that failed: how many more may fail before the next ones are refused unread. Full ones are dropped."""

    __tablename__ = "guesses"

    kind: Mapped[str] = mapped_column(String(10), primary_key=True)
    """both, address or name."""
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of it."""
    remaining: Mapped[float]


class Run(Base):
    """A scoring of system outputs, kept to be compared with later ones."""

    __tablename__ = "runs"

    id: Mapped[str] = mapped_column(String(20), primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    status: Mapped[str] = mapped_column(String(20))
    """waiting, running, done or failed."""
    message: Mapped[str] = mapped_column(Text, default="")
    """Why it failed; of one that is done: what to know of its numbers, a line each."""
    request: Mapped[dict[str, Any]]
    """Language, metrics, test set and names of files."""
    files: Mapped[bytes | None] = mapped_column(LargeBinary)
    """What is to be scored, as a zip archive; gone when the run is over."""
    evaluation: Mapped[dict[str, Any]]
    """What `plainly score --format json` has, with a `comparison`, and what is `said` of it in each language."""
    page: Mapped[bytes | None] = mapped_column(LargeBinary)
    """The report, gzipped HTML."""
    created: Mapped[str] = mapped_column(String(40))
