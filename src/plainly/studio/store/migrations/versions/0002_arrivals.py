"""Open links: their settings, and what is known of those who come by one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_EMPTY = sa.text("'{}'")


def upgrade() -> None:
    op.add_column("campaigns", sa.Column("arrival", sa.JSON, nullable=False, server_default=_EMPTY))
    op.add_column("campaigns", sa.Column("slug", sa.String(40)))
    op.create_index("campaigns_by_slug", "campaigns", ["slug"], unique=True)
    for column in (
        sa.Column("parameters", sa.JSON, nullable=False, server_default=_EMPTY),
        sa.Column("platform_id", sa.String(100)),
        sa.Column("platform", sa.JSON, nullable=False, server_default=_EMPTY),
        sa.Column("place", sa.Boolean),
        sa.Column("cell", sa.Text),
        sa.Column("seen", sa.String(40)),
        sa.Column("screened", sa.Text, nullable=False, server_default=""),
        sa.Column("completion", sa.String(40), nullable=False, server_default=""),
        sa.Column("completed", sa.String(40)),
    ):
        op.add_column("participants", column)
    op.create_index("participants_by_platform", "participants", ["campaign_id", "platform_id"], unique=True)
    op.execute("UPDATE participants SET completed = finished")


def downgrade() -> None:
    op.drop_index("participants_by_platform", "participants")
    names = "parameters platform_id platform place cell seen screened completion completed"
    for name in reversed(names.split()):
        op.drop_column("participants", name)
    op.drop_index("campaigns_by_slug", "campaigns")
    op.drop_column("campaigns", "slug")
    op.drop_column("campaigns", "arrival")
