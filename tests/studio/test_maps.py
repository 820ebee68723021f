"""The result page of a release of traces shows its maps, in both languages, and no path."""

import pytest
from tests.unit.report.test_maps import FOUND

from sfumato.document.result.release import ColumnEntry, Done, ReleaseResult, SourceTable


@pytest.mark.parametrize(("language", "heading"), [("en", "Where traces go"), ("fr", "Où vont les traces")])
def test_the_result_page_has_the_maps_of_the_report(hand, language, heading):
    folder = hand.studio.folder / f"walks-{language}"
    run = folder / "runs" / "001"
    run.mkdir(parents=True)
    (folder / "plan.toml").write_text('format = "sfumato.plan/1"\n', "utf-8")
    column, done = ColumnEntry(name="who", role="identifying"), Done(method="traces", summary="Nothing.")
    source = SourceTable(rows=9)
    result = ReleaseResult(sfumato="1", source=source, columns=(column,), done=done, promise=(), traces=FOUND)
    (run / "result.json").write_text(result.to_json(), "utf-8")
    address = f"{hand.studio.root}/p/{folder.name}/result?run=1"
    page = hand.client.get(address, headers={"accept-language": language})
    assert page.status_code == 200
    assert heading in page.text
    assert page.text.count("<desc>") == 4
    assert "<polyline" not in page.text
