"""What people have handed in: of a whole project, and of some of its items."""

from readmark.works import PersonsWork, ProjectWork, WorkItem, read_configuration

CONFIGURATION = '[project]\nname = "N"\nwork = "form"\n'


def test_who_handed_in_counts_even_without_objects() -> None:
    begun = {"q": {"type": "entry"}}
    people = [
        PersonsWork("Ann", {"a": begun, "b": begun}, finished=frozenset({"a"})),
        PersonsWork("Bob", {}, finished=frozenset({"b"})),  # nothing in the form applied
        PersonsWork("Cleo", {"a": begun, "b": begun}),
    ]
    items = [WorkItem("a", {}), WorkItem("b", {})]
    project = ProjectWork(read_configuration(CONFIGURATION), [], items, people)
    for finished in (project.finished(), project.finished_on(["a", "b"])):
        assert {person.person: dict(person.objects) for person in finished.people} == {
            "Ann": {"a": begun},
            "Bob": {},
        }
    some = project.finished_on(["b"])
    assert [item.name for item in some.items] == ["b"]
    assert [(person.person, person.finished) for person in some.people] == [("Bob", {"b"})]
