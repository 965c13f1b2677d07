"""The first tables. Migrations stay as they are once they were released: tables.py changes, this page does not."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(100), nullable=False, unique=True),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "logins",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("expires", sa.String(40), nullable=False),
    )
    op.create_index("ix_logins_user_id", "logins", ["user_id"])
    op.create_table(
        "campaigns",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("lang", sa.String(20), nullable=False),
        sa.Column("interface", sa.String(20), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("welcome", sa.JSON, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("invited", sa.Integer, nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("updated", sa.String(40), nullable=False),
    )
    op.create_table(
        "items",
        sa.Column("campaign_id", sa.String(20), sa.ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
    )
    op.create_table(
        "participants",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("campaign_id", sa.String(20), sa.ForeignKey("campaigns.id", ondelete="CASCADE"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("note", sa.String(200), nullable=False),
        sa.Column("token", sa.String(64), nullable=False, unique=True),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("fields", sa.JSON, nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("started", sa.String(40)),
        sa.Column("finished", sa.String(40)),
        sa.UniqueConstraint("campaign_id", "number"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_participants_campaign_id", "participants", ["campaign_id"])
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("participant_id", sa.Integer, sa.ForeignKey("participants.id", ondelete="CASCADE"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Column("response_id", sa.Integer),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.UniqueConstraint("participant_id", "place"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "responses",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("participant_id", sa.Integer, sa.ForeignKey("participants.id", ondelete="CASCADE"), nullable=False),
        sa.Column("task_id", sa.Integer, sa.ForeignKey("tasks.id", ondelete="CASCADE"), nullable=False),
        sa.Column("client_id", sa.String(64), nullable=False),
        sa.Column("action", sa.String(10), nullable=False),
        sa.Column("answer", sa.JSON, nullable=False),
        sa.Column("seconds", sa.Double),
        sa.Column("received", sa.String(40), nullable=False),
        sa.UniqueConstraint("participant_id", "client_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("responses_of_task", "responses", ["task_id"])
    op.create_table(
        "runs",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("status", sa.String(20), nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("request", sa.JSON, nullable=False),
        sa.Column("files", sa.LargeBinary),
        sa.Column("evaluation", sa.JSON, nullable=False),
        sa.Column("page", sa.LargeBinary),
        sa.Column("created", sa.String(40), nullable=False),
    )


def downgrade() -> None:
    for table in ("runs", "responses", "tasks", "participants", "items", "campaigns", "logins", "users"):
        op.drop_table(table)
