"""Times by the server's clock, comments, the questionnaire after the tasks. Older answers have none of them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_SECONDS = ("server_seconds", "believed_seconds", "spare_seconds")


def upgrade() -> None:
    for name in _SECONDS:
        op.add_column("responses", sa.Column(name, sa.Double))
    op.add_column("responses", sa.Column("impossible", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("responses", sa.Column("comment", sa.Text, nullable=False, server_default=""))
    op.add_column("participants", sa.Column("after", sa.JSON))
    op.add_column("participants", sa.Column("comment", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    for table, names in (
        ("responses", (*_SECONDS, "impossible", "comment")),
        ("participants", ("after", "comment")),
    ):
        for name in names:
            op.drop_column(table, name)
