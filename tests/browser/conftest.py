"""The tools to look at a page."""

import pytest

from tests.browser import tools


@pytest.fixture(scope="session")
def browser_tools(request: pytest.FixtureRequest) -> None:
    """Everything is installed; what had to be is announced at once, whatever pytest captures."""
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        tools.chromium()
        tools.node_modules()
        tools.java()
