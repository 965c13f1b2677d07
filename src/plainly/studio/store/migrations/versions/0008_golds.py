"""What adjudicators decide."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "golds",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("campaign_id", sa.String(20), sa.ForeignKey("campaigns.id", ondelete="CASCADE"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
        sa.Column("by", sa.String(100), nullable=False),
        sa.Column("time", sa.String(40), nullable=False),
        sa.UniqueConstraint("campaign_id", "place", "number"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    op.drop_table("golds")
