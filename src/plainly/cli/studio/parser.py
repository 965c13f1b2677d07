"""The actions of `plainly studio` and their options. Importing this page imports nothing heavy."""

from __future__ import annotations

import argparse
from ipaddress import ip_address, ip_network

from plainly.cli.options import (
    Commands,
    Parser,
    add_columns,
    add_command,
    add_format_option,
    add_repeated,
    seed_number,
)

PORT = 8808


def add_studio(commands: Commands) -> None:
    """The command with all its actions; without an action, the studio starts."""
    studio = add_command(
        commands,
        "studio",
        "collect human judgements in the browser; without an action: start the studio",
        "  plainly studio\n"
        "  plainly studio --database postgresql://studio@localhost/studio --url https://study.example.org\n"
        "  plainly studio backup studio-monday.sqlite",
        "studio.serve",
    )
    _add_places(studio, None)
    web = studio.add_argument_group("server")
    web.add_argument("--host", help="where to listen (default: 127.0.0.1, this machine only)")
    web.add_argument("--port", type=port, metavar="N", help=f"where to listen (default: {PORT})")
    web.add_argument(
        "--url",
        metavar="ADDRESS",
        help="the one in front of the studio, as https://study.example.org: all links begin so, and no other name is"
        " answered",
    )
    web.add_argument(
        "--secure",
        action="store_true",
        help="a server in front of this one speaks HTTPS: cookies and links go no other way (with an https --url: so"
        " it is)",
    )
    web.add_argument(
        "--proxy",
        type=network,
        action="append",
        default=[],
        metavar="ADDRESS",
        help="of the server in front of this one, or its network: who asks is whom it names; may be repeated"
        " (default with HTTPS: this machine)",
    )
    web.add_argument("--no-browser", action="store_true", help="do not open a browser")
    actions = studio.add_subparsers(title="actions", metavar="ACTION", dest="action")
    _add_export(actions)
    _add_import(actions)
    _add_backup(actions)
    _add_restore(actions)
    _add_user(actions)


def _add_places(command: Parser, default: str | None) -> None:
    kept = command.add_argument_group("database")
    kept.add_argument(
        "--database",
        metavar="URL",
        default=default,
    )
    kept.add_argument(
        "--folder",
        metavar="FOLDER",
        default=default,
    )


def _add_action(actions: Commands, name: str, summary: str, example: str, home: str) -> Parser:
    action = add_command(actions, name, summary, example, home)
    _add_places(action, argparse.SUPPRESS)  # what stands before the action counts, too
    return action


def _add_export(actions: Commands) -> None:
    export = _add_action(
        actions,
        "export",
        "write the answers of a campaign, as the other commands read them",
        "  plainly studio export 'Short words' -o short-words\n"
        "  plainly studio export 'Short words' -o short-words.zip",
        "studio.export",
    )
    export.add_argument("campaign", metavar="CAMPAIGN", nargs="?", help="its name or id; none: list all campaigns")
    output = export.add_argument_group("output")
    add_format_option(output, "of the list (default: table)")
    output.add_argument("-o", "--output", metavar="FILE", help="a new folder, or a file that ends in .zip")
    output.add_argument("--force", action="store_true")


def _add_import(actions: Commands) -> None:
    importing = _add_action(
        actions,
        "import",
        "make a campaign, from an export of another studio or from files",
        "  plainly studio import short-words.zip\n"
        "  plainly studio import --kind ranking --input texts=texts.jsonl --name 'Short words' --lang en",
        "studio.importing",
    )
    importing.add_argument(
        "archive", metavar="EXPORT", nargs="?", help="an export: its folder, its .zip, or campaign.json of it"
    )
    importing.add_argument(
        "--new-links", action="store_true", help="the links of the export open nothing here; renew them"
    )
    files = importing.add_argument_group("from files")
    files.add_argument("--kind", metavar="KIND", help="ranking, operations, comprehension or ratings")
    add_repeated(files, "--input", "SLOT=FILE", "a file that the kind reads; may be repeated")
    add_columns(
        files, "id=nr,text=sentence", "what columns are called in the tables; SLOT.NAME=COLUMN where several have it"
    )
    add_repeated(files, "--option", "NAME=VALUE", "of the kind; may be repeated")
    files.add_argument("--name", metavar="TEXT", help="of the campaign")
    files.add_argument("--lang", help="default: as the files say")
    files.add_argument("--interface", default="en", metavar="LANG", help="of the participants' pages (default: en)")
    files.add_argument(
        "--welcome", metavar="FILE", help="a YAML or JSON file with instructions, consent and form for participants"
    )
    files.add_argument("--seed", type=seed_number, help="default: drawn; of all random choices")


def _add_backup(actions: Commands) -> None:
    backup = _add_action(
        actions,
        "backup",
        "copy everything to one file, while the studio runs",
        "  plainly studio backup studio-monday.sqlite",
        "studio.backup",
    )
    backup.add_argument("file", metavar="FILE", help="where to")
    backup.add_argument_group("output").add_argument("--force", action="store_true")


def _add_restore(actions: Commands) -> None:
    restore = _add_action(
        actions,
        "restore",
        "put a backup in the place of everything; stop the studio before",
        "  plainly studio restore studio-monday.sqlite --force",
        "studio.restore",
    )
    restore.add_argument("file", metavar="FILE", help="a backup")
    restore.add_argument_group("output").add_argument("--force", action="store_true", help="in the database, too")


def _add_user(actions: Commands) -> None:
    user = add_command(
        actions,
        "user",
        "add, list and delete those who may log in, and set passwords",
        "  plainly studio user add anna --role analyst\n  plainly studio user list",
        "studio.user",
    )
    tasks = user.add_subparsers(title="actions", metavar="ACTION", dest="task", required=True)
    add = _add_action(
        tasks,
        "add",
        "add a user; the password is asked for, or read from standard input",
        "  plainly studio user add anna --role analyst",
        "studio.user",
    )
    add.add_argument("name", metavar="NAME", help="of the user")
    add.add_argument(
        "--role",
        choices=["owner", "analyst"],
        default="owner",
        help="owner: everything (default); analyst: sees everything, changes nothing",
    )
    listing = _add_action(tasks, "list", "list all users", "  plainly studio user list", "studio.user")
    add_format_option(listing.add_argument_group("output"), "default: table")
    password = _add_action(
        tasks,
        "password",
        "set a new password; it is asked for, or read from standard input",
        "  plainly studio user password anna",
        "studio.user",
    )
    password.add_argument("name", metavar="NAME", help="of the user")
    delete = _add_action(tasks, "delete", "delete a user", "  plainly studio user delete anna", "studio.user")
    delete.add_argument("name", metavar="NAME", help="of the user")


def network(written: str) -> str:
    try:
        return str(ip_network(written)) if "/" in written else str(ip_address(written))
    except ValueError:
        message = f"must be an address such as 10.0.0.2 or a network such as 10.0.0.0/24, not {written!r}"
        raise argparse.ArgumentTypeError(message) from None


def port(written: str) -> int:
    if not written.isdecimal() or len(written) > 5 or int(written) > 65535:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 65535, not {written!r}")
    return int(written)
