"""Pictures of pages for the documentation: `python docs/screenshots.py`. They need chromium."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

PICTURES = Path(__file__).parent / "pictures"
SCREEN = {"width": 1280, "height": 800}


def main() -> None:
    """The first screen of the report on the demo set."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        page = Path(folder) / "report.html"
        command = [sys.executable, "-m", "plainly", "report", "--demo", "--quiet", "-o", str(page)]
        subprocess.run(command, check=True)
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        opened = browser.new_page(viewport=SCREEN, color_scheme="light")
        opened.goto(page.as_uri())
        opened.locator("figure svg, figure canvas").first.wait_for()
        opened.screenshot(path=PICTURES / "report.png")
        browser.close()


if __name__ == "__main__":
    main()
