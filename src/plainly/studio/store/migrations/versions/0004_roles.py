"""Tasks with a role of their own: for practice, as a check, or shown once more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tasks", sa.Column("role", sa.String(10), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("tasks", "role")
