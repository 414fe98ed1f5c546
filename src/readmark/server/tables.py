"""What the exam hall stores, a class a table: people, then projects and the work in them.

After these come shared tasks with what teams submit, and reading tasks that programs answer.

Times are seconds since 1970, ids are random text, and JSON is stored as text, so that SQLite and
PostgreSQL hold the same values. Nothing that people wrote is ever updated: events are appended.
"""

from __future__ import annotations

import base64
import secrets
import time

from sqlalchemy import (
    BigInteger,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
Serial = BigInteger().with_variant(Integer(), "sqlite")  # SQLite numbers no other type by itself


def new_id() -> str:
    """A random id that fits into an address."""
    return secrets.token_urlsafe(9)


def new_ids(count: int) -> list[str]:
    """Random ids in their order: to draw hundreds of thousands one by one takes a second."""
    text = base64.urlsafe_b64encode(secrets.token_bytes(9 * count)).decode()
    return sorted(text[start : start + 12] for start in range(0, len(text), 12))


class HallTable(DeclarativeBase):
    """Base of the tables."""

    metadata = MetaData(naming_convention=NAMING)


class Person(HallTable):
    """Somebody with an account."""

    __tablename__ = "people"

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    login: Mapped[str] = mapped_column(String(200), unique=True)
    name: Mapped[str] = mapped_column(String(200))
    password: Mapped[str] = mapped_column(String(200))
    """The argon2 hash."""
    is_owner: Mapped[bool] = mapped_column(default=False)
    is_disabled: Mapped[bool] = mapped_column(default=False)
    language: Mapped[str] = mapped_column(String(8), default="en")
    created: Mapped[float] = mapped_column(Float(53), default=time.time)
    class_id: Mapped[str | None] = mapped_column(ForeignKey("classes.id"), index=True)
    """The class of a pupil: they have a pseudonym, no password, and their own work only."""
    return_code: Mapped[str | None] = mapped_column(String(64))
    """The hash of what lets a pupil in again on another device."""


class Classroom(HallTable):
    """Pupils who join one project by a link and a code, until their data are deleted."""

    __tablename__ = "classes"

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    role: Mapped[str] = mapped_column(String(16))
    link: Mapped[str | None] = mapped_column(String(64), unique=True)
    code: Mapped[str | None] = mapped_column(String(64))
    """Both hashed; None while the class is closed."""
    most: Mapped[int]
    until: Mapped[float] = mapped_column(Float(53))
    """When the link, the code and the pupils' sessions end."""
    erase: Mapped[float] = mapped_column(Float(53))
    """When the pupils' data are deleted."""
    erasing: Mapped[float | None] = mapped_column(Float(53))
    """When the rows were deleted; their traces are removed from files until ``erased``."""
    erased: Mapped[float | None] = mapped_column(Float(53))
    erased_pupils: Mapped[int] = mapped_column(default=0)
    erased_event: Mapped[int] = mapped_column(BigInteger, default=0)
    """A number of the event log: the deletion changes a project's state as an event does."""
    results: Mapped[str | None] = mapped_column(Text)
    """The class's figures without pseudonyms and answers, if the teacher keeps them."""
    created: Mapped[float] = mapped_column(Float(53), default=time.time)


class Invitation(HallTable):
    """A one-time link to a role in a project or the hall, or to a new password for ``person_id``.

    Only the hash of its secret is stored.
    """

    __tablename__ = "invitations"

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    project_id: Mapped[str | None] = mapped_column(ForeignKey("projects.id"))
    role: Mapped[str] = mapped_column(String(16))
    team_id: Mapped[str | None] = mapped_column(String(16))
    """The team of a shared task that it leads into; None where who accepts names a new one."""
    person_id: Mapped[str | None] = mapped_column(ForeignKey("people.id"))
    note: Mapped[str] = mapped_column(String(200), default="")
    invited_by: Mapped[str | None] = mapped_column(ForeignKey("people.id"))
    created: Mapped[float] = mapped_column(Float(53), default=time.time)
    expires: Mapped[float] = mapped_column(Float(53))
    accepted_by: Mapped[str | None] = mapped_column(ForeignKey("people.id"))
    revoked: Mapped[float | None] = mapped_column(Float(53))


class LoginSession(HallTable):
    """A browser that is signed in; the cookie holds the secret, the table its hash."""

    __tablename__ = "sessions"

    secret: Mapped[str] = mapped_column(String(64), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id"), index=True)
    created: Mapped[float] = mapped_column(Float(53), default=time.time)
    expires: Mapped[float] = mapped_column(Float(53))


class ApiToken(HallTable):
    """A token for programs: hashed, with scopes, revocable."""

    __tablename__ = "tokens"

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    secret: Mapped[str] = mapped_column(String(64), unique=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id"), index=True)
    name: Mapped[str] = mapped_column(String(200))
    scopes: Mapped[str] = mapped_column(String(200))
    created: Mapped[float] = mapped_column(Float(53), default=time.time)
    expires: Mapped[float | None] = mapped_column(Float(53))
    revoked: Mapped[float | None] = mapped_column(Float(53))


class LoginAttempt(HallTable):
    """A failed log-in, by a keyed hash of login or address: what throttling counts."""

    __tablename__ = "login_attempts"

    number: Mapped[int] = mapped_column(Serial, primary_key=True)
    who: Mapped[str] = mapped_column(String(64), index=True)
    time: Mapped[float] = mapped_column(Float(53), default=time.time)


class AuditEntry(HallTable):
    """Something that somebody did to people, projects or assignments."""

    __tablename__ = "audit"

    number: Mapped[int] = mapped_column(Serial, primary_key=True)
    time: Mapped[float] = mapped_column(Float(53), default=time.time)
    person_id: Mapped[str | None] = mapped_column(ForeignKey("people.id"))
    project_id: Mapped[str | None] = mapped_column(ForeignKey("projects.id"), index=True)
    action: Mapped[str] = mapped_column(String(40))
    detail: Mapped[str] = mapped_column(Text, default="{}")


class Project(HallTable):
    """Work on a set of items, described by its newest configuration."""

    __tablename__ = "projects"

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    slug: Mapped[str] = mapped_column(String(60), unique=True)
    headers: Mapped[str] = mapped_column(Text, default="[]")
    """The headers of the tests that the items come from, as JSON: one, or one a side."""
    is_open: Mapped[bool] = mapped_column(default=True)
    created: Mapped[float] = mapped_column(Float(53), default=time.time)


class ConfigurationVersion(HallTable):
    """A configuration file as it was uploaded; the newest version counts."""

    __tablename__ = "configurations"
    __table_args__ = (UniqueConstraint("project_id", "version"),)

    number: Mapped[int] = mapped_column(Serial, primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"))
    version: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    listing: Mapped[str] = mapped_column(Text, default="", server_default="")
    """What lists of projects say, as JSON: a `ConfigurationListing`. Empty: read the text."""
    person_id: Mapped[str | None] = mapped_column(ForeignKey("people.id"))
    created: Mapped[float] = mapped_column(Float(53), default=time.time)


class Membership(HallTable):
    """A person's role in a project."""

    __tablename__ = "memberships"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id"), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(16), primary_key=True)
    created: Mapped[float] = mapped_column(Float(53), default=time.time)


class Item(HallTable):
    """A unit of work: what the annotator sees (``paper``) and what stays with the organiser."""

    __tablename__ = "items"
    __table_args__ = (
        UniqueConstraint("project_id", "name", "purpose"),
        # Pages and counts of items never read their papers, which are most of the table.
        Index("ix_items_project_purpose_position", "project_id", "purpose", "position"),
    )

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"))
    position: Mapped[int]
    name: Mapped[str] = mapped_column(String(300))
    purpose: Mapped[str] = mapped_column(String(16), default="work")
    """``work``, ``practice``, ``qualifying`` or ``adjudication``; ``control`` and ``repeat`` look
    like work."""
    paper: Mapped[str] = mapped_column(Text)
    key: Mapped[str] = mapped_column(Text, default="null")
    about_id: Mapped[str | None] = mapped_column(ForeignKey("items.id"), index=True)
    """The item whose versions an adjudicator's item is about."""


class ProjectFile(HallTable):
    """A file that belongs to a project: its reading task, sittings of systems, gold versions."""

    __tablename__ = "project_files"

    number: Mapped[int] = mapped_column(Serial, primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    """``task``, ``materials`` (what a task has besides its items), ``sitting``, ``gold`` (the task
    with a later version of its gold), ``people`` (a person's sitting of a shared task),
    ``people_marks`` or ``data_card``."""
    name: Mapped[str] = mapped_column(String(200))
    content: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    about: Mapped[str] = mapped_column(Text, default="{}")
    """What the hall noted of it, as JSON."""
    person_id: Mapped[str | None] = mapped_column(ForeignKey("people.id"))
    """Who brought it."""
    of_person_id: Mapped[str | None] = mapped_column(ForeignKey("people.id"), index=True)
    """Whose work it is a copy of: it is erased with them."""
    created: Mapped[float] = mapped_column(Float(53), default=time.time)


class Assignment(HallTable):
    """An item for a person. Its state is what the events of it add up to."""

    __tablename__ = "assignments"
    __table_args__ = (
        UniqueConstraint("item_id", "person_id"),
        Index("ix_assignments_person_project", "person_id", "project_id"),
    )

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"), index=True)
    item_id: Mapped[str] = mapped_column(ForeignKey("items.id"))
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id"))
    position: Mapped[int]
    due: Mapped[float | None] = mapped_column(Float(53))
    withdrawn: Mapped[float | None] = mapped_column(Float(53))
    locked: Mapped[str | None] = mapped_column(String(16))
    """Why nothing more is saved: a name in `handing_in.LOCKS`."""
    ends: Mapped[float | None] = mapped_column(Float(53))
    """When the person's time is over and nothing more is saved."""
    stored_bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    """What its events take in all: counted as they are stored, so that no save adds them up."""
    stored_objects: Mapped[int] = mapped_column(default=0, server_default="0")
    """Objects that were ever stored, removed ones included."""
    object_bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    """What the objects take as they are now."""
    handed_in: Mapped[float | None] = mapped_column(Float(53))
    """When the last event of the status was stored, if it says that the item is done."""
    seconds: Mapped[float] = mapped_column(Float(53), default=0.0, server_default="0")
    """How long the person worked: the sum over the events."""
    created: Mapped[float] = mapped_column(Float(53), default=time.time)


class QualityNote(HallTable):
    """An organiser's note on a finding about a person's work. Rows are appended."""

    __tablename__ = "quality_notes"

    number: Mapped[int] = mapped_column(Serial, primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"), index=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id"))
    """Whom the finding is about."""
    code: Mapped[str] = mapped_column(String(40))
    text: Mapped[str] = mapped_column(Text)
    author_id: Mapped[str] = mapped_column(ForeignKey("people.id"))
    created: Mapped[float] = mapped_column(Float(53), default=time.time)


class Event(HallTable):
    """A change of one object of an assignment. Rows are appended and never changed; only those
    of pupils are deleted, with everything else of them.

    ``client`` and ``sequence`` name the change, so that sending it again changes nothing.
    ``base`` is the event that the client saw as the object's last one. Where another client was
    quicker, the change is stored as a ``conflict``, which a later change ``resolves``; so is a
    change that a later one of the same client has overtaken. Neither changes the object.

    Clients know an event by its ``place`` among those of its assignment, and so do ``base`` and
    ``resolves``. A ``number`` is not shown to them: it counts everybody's events, and would tell
    one person when others save.
    """

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("assignment_id", "client", "sequence"),
        Index("ix_events_assignment_object", "assignment_id", "object"),
        Index("ix_events_assignment_place", "assignment_id", "place", unique=True),
        # Conflicts are few, so these two are small and cost other saves nothing.
        Index(
            "ix_events_conflicts",
            "assignment_id",
            "client",
            "object",
            "sequence",
            sqlite_where=text("is_conflict = 1"),
            postgresql_where=text("is_conflict"),
        ),
        Index(
            "ix_events_assignment_resolves",
            "assignment_id",
            "resolves",
            sqlite_where=text("resolves IS NOT NULL"),
            postgresql_where=text("resolves IS NOT NULL"),
        ),
        {"sqlite_autoincrement": True},  # numbers of deleted events are not used again
    )

    number: Mapped[int] = mapped_column(Serial, primary_key=True)
    assignment_id: Mapped[str] = mapped_column(ForeignKey("assignments.id"))
    place: Mapped[int] = mapped_column(server_default="0")
    """From 1 on, in the order of the numbers."""
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id"))
    client: Mapped[str] = mapped_column(String(40))
    sequence: Mapped[int]
    object: Mapped[str] = mapped_column(String(60))
    value: Mapped[str] = mapped_column(Text)
    """The object as JSON; ``null`` removes it."""
    base: Mapped[int | None] = mapped_column(BigInteger)
    is_conflict: Mapped[bool] = mapped_column(default=False)
    resolves: Mapped[int | None] = mapped_column(BigInteger)
    seconds: Mapped[float] = mapped_column(Float(53), default=0.0)
    """How long the person worked on the item since the client's last change."""
    received: Mapped[float] = mapped_column(Float(53), default=time.time)


class FrozenGold(HallTable):
    """A gold that was frozen: what it was made of, and its files as a zip."""

    __tablename__ = "gold_versions"
    __table_args__ = (UniqueConstraint("project_id", "number"),)

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"))
    number: Mapped[int]
    person_id: Mapped[str | None] = mapped_column(ForeignKey("people.id"))
    created: Mapped[float] = mapped_column(Float(53), default=time.time)
    summary: Mapped[str] = mapped_column(Text)
    """As JSON: the event, the files and their sums, agreement before and after."""
    content: Mapped[bytes] = mapped_column(LargeBinary)


class Team(HallTable):
    """Who takes part in a shared task: a team of one or more people."""

    __tablename__ = "teams"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"))
    name: Mapped[str] = mapped_column(String(100))
    created: Mapped[float] = mapped_column(Float(53), default=time.time)


class TeamMember(HallTable):
    """A person in a team; in a shared task a person is in one team."""

    __tablename__ = "team_members"

    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id"), primary_key=True)
    team_id: Mapped[str] = mapped_column(ForeignKey("teams.id"), index=True)
    created: Mapped[float] = mapped_column(Float(53), default=time.time)


class Submission(HallTable):
    """A system's sitting of a shared task, and what became of it."""

    __tablename__ = "submissions"
    __table_args__ = (
        UniqueConstraint("project_id", "number"),
        UniqueConstraint("project_id", "person_id", "client_key"),
    )

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"))
    number: Mapped[int]
    """From 1 in each shared task, in the order of arrival."""
    team_id: Mapped[str | None] = mapped_column(ForeignKey("teams.id"), index=True)
    """None for baselines."""
    person_id: Mapped[str | None] = mapped_column(ForeignKey("people.id"))
    client_key: Mapped[str | None] = mapped_column(String(64))
    """A name that the client gave the request: sending it again makes no second submission."""
    origin: Mapped[str] = mapped_column(String(16))
    """``file``, ``api`` (sat through the API) or ``baseline``."""
    system: Mapped[str] = mapped_column(String(200))
    description: Mapped[str] = mapped_column(Text, default="")
    is_ensemble: Mapped[bool] = mapped_column(default=False)
    phase: Mapped[str] = mapped_column(String(16))
    """``practice``, ``formal`` or ``late``."""
    state: Mapped[str] = mapped_column(String(16), index=True)
    """``open`` (being sat through the API), ``waiting``, ``marked``, ``failed``, ``withdrawn``."""
    error: Mapped[str] = mapped_column(Text, default="")
    """Why it failed, as the command line would print it."""
    file_name: Mapped[str] = mapped_column(String(200), default="")
    sha256: Mapped[str] = mapped_column(String(64), default="")
    size: Mapped[int] = mapped_column(BigInteger, default=0)
    received: Mapped[float] = mapped_column(Float(53), default=time.time)
    marked: Mapped[float | None] = mapped_column(Float(53))
    marks: Mapped[str] = mapped_column(Text, default="{}")
    """By split, as JSON: what `shared_tasks.marker` made. It has marks of hidden splits, so it is
    shown through `boards.board` only."""


class SubmissionFile(HallTable):
    """A file of a submission: ``answers`` as they came, or a redacted ``marksheet`` of a split."""

    __tablename__ = "submission_files"
    __table_args__ = (UniqueConstraint("submission_id", "role", "split"),)

    number: Mapped[int] = mapped_column(Serial, primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"))
    role: Mapped[str] = mapped_column(String(16))
    split: Mapped[str] = mapped_column(String(200), default="")
    content: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    """Marksheets are compressed (zstd)."""


class SatAnswer(HallTable):
    """A row of a sitting that is taken through the API. The newest row of a unit counts."""

    __tablename__ = "sat_answers"
    __table_args__ = (Index("ix_sat_answers_submission_unit", "submission_id", "unit"),)

    number: Mapped[int] = mapped_column(Serial, primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"))
    unit: Mapped[str] = mapped_column(Text)
    row: Mapped[str] = mapped_column(Text)
    """The row of a native sitting, as JSON."""
    received: Mapped[float] = mapped_column(Float(53), default=time.time)


class SubmissionComparison(HallTable):
    """A paired comparison of two submissions on a split: ``b`` against ``a``."""

    __tablename__ = "submission_comparisons"

    a_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    b_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True, index=True)
    split: Mapped[str] = mapped_column(String(200), primary_key=True)
    metric: Mapped[str] = mapped_column(String(200), primary_key=True)
    content: Mapped[str] = mapped_column(Text)
    """An entry of ``compare --json``."""


class BoardVersion(HallTable):
    """A board as it was shown, for good: it has nothing that is hidden."""

    __tablename__ = "board_versions"
    __table_args__ = (UniqueConstraint("project_id", "number"),)

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id"))
    number: Mapped[int]
    created: Mapped[float] = mapped_column(Float(53), default=time.time)
    content: Mapped[str] = mapped_column(Text)
    """The board as JSON."""


class Job(HallTable):
    """Work for a worker process. A worker holds a job until ``lease``, and renews it."""

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_state_priority_number", "state", "priority", "number"),
        Index(
            "uq_jobs_waiting",
            "kind",
            "subject",
            unique=True,
            sqlite_where=text("state = 'waiting'"),
            postgresql_where=text("state = 'waiting'"),
        ),
    )

    number: Mapped[int] = mapped_column(Serial, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    """``mark`` or ``sit`` (subject: a submission), ``people`` or ``board`` (subject: a project)."""
    subject: Mapped[str] = mapped_column(String(16))
    state: Mapped[str] = mapped_column(String(16), default="waiting")
    """``waiting``, ``running``, ``done`` or ``failed``."""
    priority: Mapped[int] = mapped_column(default=0)
    """The lowest number goes first."""
    attempts: Mapped[int] = mapped_column(default=0)
    worker: Mapped[str] = mapped_column(String(80), default="")
    lease: Mapped[float | None] = mapped_column(Float(53))
    created: Mapped[float] = mapped_column(Float(53), default=time.time)
    started: Mapped[float | None] = mapped_column(Float(53))
    finished: Mapped[float | None] = mapped_column(Float(53))
    error: Mapped[str] = mapped_column(Text, default="")


class WorkerHeartbeat(HallTable):
    """A worker process that was seen."""

    __tablename__ = "workers"

    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    started: Mapped[float] = mapped_column(Float(53))
    seen: Mapped[float] = mapped_column(Float(53), index=True)


class ClockCheck(HallTable):
    """What the hall knows of the machine's clock: one row, kept by the chores."""

    __tablename__ = "clock"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    seen: Mapped[float] = mapped_column(Float(53))
    """The time at the last check."""
    doubted_since: Mapped[float | None] = mapped_column(Float(53))
    """The time at which the clock was first seen to have jumped; null while it is trusted."""


class StoredReadingTask(HallTable):
    """A reading task that programs retrieve and answer.

    It is the task of a judging project, an uploaded package, or a part of another task.
    """

    __tablename__ = "reading_tasks"

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(String(200))
    person_id: Mapped[str | None] = mapped_column(ForeignKey("people.id"), index=True)
    project_id: Mapped[str | None] = mapped_column(ForeignKey("projects.id"), unique=True)
    """The judging project whose task it is: everybody sees it, with the newest gold."""
    source: Mapped[str] = mapped_column(String(40), default="", index=True)
    """The task that it is a part of: another row, or one that ships."""
    selection: Mapped[str] = mapped_column(Text, default="{}")
    """The documents and queries of a part, as JSON."""
    content: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    """The package, where it is neither a project's nor a part."""
    made_of: Mapped[str | None] = mapped_column(ForeignKey("projects.id"), index=True)
    """The project whose gold the package has a copy of."""
    feeds_pool: Mapped[bool] = mapped_column(default=False)
    """Whether every submission goes to the project's pool at once."""
    created: Mapped[float] = mapped_column(Float(53), default=time.time)


class ReadingTaskSubmission(HallTable):
    """What a program answered to a reading task, and how it was scored then. Rows are a log."""

    __tablename__ = "reading_task_submissions"
    __table_args__ = (Index("ix_reading_task_submissions_person_created", "person_id", "created"),)

    id: Mapped[str] = mapped_column(String(16), primary_key=True, default=new_id)
    task_id: Mapped[str] = mapped_column(String(40), index=True)
    """The task that was answered: a row, or one that ships."""
    root_id: Mapped[str] = mapped_column(String(40), index=True)
    """The task that it is a part of, or itself: whose pool it feeds."""
    person_id: Mapped[str] = mapped_column(ForeignKey("people.id"))
    candidate: Mapped[str] = mapped_column(String(200))
    gold: Mapped[int]
    """The version of the gold that it was scored by."""
    content: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    """The answers as a native sitting."""
    result: Mapped[str] = mapped_column(Text)
    """The score as JSON, as the person sees it: of hidden splits it has totals only."""
    pooled: Mapped[str] = mapped_column(String(200), default="")
    """The name of the sitting that it became in the project, or why it became none."""
    created: Mapped[float] = mapped_column(Float(53), default=time.time)
