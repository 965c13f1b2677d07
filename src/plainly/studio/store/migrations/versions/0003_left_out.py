"""People may be left out of the results, with a reason."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("participants", sa.Column("left_out", sa.Text, nullable=False, server_default=""))
    op.add_column("participants", sa.Column("left_out_by", sa.String(100), nullable=False, server_default=""))
    op.add_column("participants", sa.Column("left_out_at", sa.String(40)))


def downgrade() -> None:
    for column in ("left_out_at", "left_out_by", "left_out"):
        op.drop_column("participants", column)
