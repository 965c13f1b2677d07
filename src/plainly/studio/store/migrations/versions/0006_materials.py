"""The files of which a campaign was made, and the pictures in its instructions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    campaign = sa.ForeignKey("campaigns.id", ondelete="CASCADE")
    op.create_table(
        "materials",
        sa.Column("campaign_id", sa.String(20), campaign, primary_key=True),
        sa.Column("request", sa.JSON, nullable=False),
        sa.Column("names", sa.JSON, nullable=False),
        sa.Column("files", sa.LargeBinary, nullable=False),
    )
    op.add_column("campaigns", sa.Column("material", sa.Integer, nullable=False, server_default="1"))
    op.create_table(
        "images",
        sa.Column("campaign_id", sa.String(20), sa.ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("type", sa.String(20), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("images")
    op.drop_column("campaigns", "material")
    op.drop_table("materials")
