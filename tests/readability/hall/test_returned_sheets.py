"""Sheets that come back filled in: the entries of a round as its page has them."""

from pathlib import Path

from panel_judges import panel_test
from readmark.readability.hall.panel import PANEL_WORK
from shipped_projects import shipped


def test_entries_have_the_places_that_the_page_of_the_round_gives_them(tmp_path: Path) -> None:
    configuration = shipped("panel")
    [item] = PANEL_WORK.divide([panel_test(6)], configuration)
    codes = [passage["code"] for passage in item.paper["passages"]]
    sheet = tmp_path / "Zoe.csv"  # only half of the round is filled in
    rows = [f"{code},{stars},{stars},clear order" for stars, code in enumerate(codes[:3], 1)]
    sheet.write_text("\n".join(["id,stars,rank,criteria", *rows]) + "\n", "utf-8")
    [(person, name, objects)] = PANEL_WORK.read(sheet, {item.name: item}, configuration)
    assert (person, name) == ("Zoe", item.name)
    assert set(objects) == {*codes[:3], "order", "criteria"}
    on_page = PANEL_WORK.view(item, configuration).objects
    for id, value in objects.items():
        assert value["order"] == on_page[id]["order"], id
    assert objects[codes[0]]["fields"] == {"stars": 1}
    assert objects["order"]["fields"] == {"order": " < ".join(codes[:3])}
