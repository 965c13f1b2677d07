"""Failed logins are remembered over a restart."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "guesses",
        sa.Column("kind", sa.String(10), primary_key=True),
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("remaining", sa.Double, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("guesses")
