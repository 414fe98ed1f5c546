"""Dates and times as texts, values and texts again, by XML Schema 1.1."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.tasks.names import XSD
from readmark.tasks.reasoning.datatypes import literal_fits
from readmark.tasks.reasoning.dates import (
    ZonedDate,
    canonical_text,
    is_zoned,
    read_date,
    read_moment,
    universal_text,
)
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.rdf import read_rdf, write_rdf
from readmark.tasks.reasoning.terms import Literal, Name, term_of, written

ZONES = st.integers(-14 * 60, 14 * 60).map(
    lambda minutes: datetime.timezone(datetime.timedelta(minutes=minutes))
)


@pytest.mark.parametrize(
    ("text", "expected", "start"),
    [
        ("2011-09-04", "2011-09-04", "2011-09-04 00:00:00"),
        ("2011-09-04Z", "2011-09-04Z", "2011-09-04 00:00:00"),
        ("2011-09-04+00:00", "2011-09-04Z", "2011-09-04 00:00:00"),
        ("2011-09-04-00:00", "2011-09-04Z", "2011-09-04 00:00:00"),
        ("2011-09-04+02:00", "2011-09-04+02:00", "2011-09-03 22:00:00"),
        ("2011-09-04-03:30", "2011-09-04-03:30", "2011-09-04 03:30:00"),
        # The zone is kept, and not only as far as 12 hours, as XML Schema 1.0 had it.
        ("2011-09-04+14:00", "2011-09-04+14:00", "2011-09-03 10:00:00"),
        ("2011-09-04-14:00", "2011-09-04-14:00", "2011-09-04 14:00:00"),
        ("2012-02-29+00:01", "2012-02-29+00:01", "2012-02-28 23:59:00"),
        # Zones that lead out of the years 1 to 9999: 0001 BC is the year before the first.
        ("0001-01-01+05:00", "0001-01-01+05:00", "0001-12-31 (BC) 19:00:00"),
        ("0001-01-01-05:00", "0001-01-01-05:00", "0001-01-01 05:00:00"),
        ("9999-12-31-14:00", "9999-12-31-14:00", "9999-12-31 14:00:00"),
    ],
)
def test_dates(text: str, expected: str, start: str) -> None:
    value = read_date(text)
    assert canonical_text(value) == expected
    assert universal_text(value) == start
    assert is_zoned(value) == (len(expected) > 10)


@pytest.mark.parametrize(
    ("text", "expected", "start"),
    [
        ("2009-11-15T13:00:00", "2009-11-15T13:00:00", "2009-11-15 13:00:00"),
        ("2009-11-15T13:00:00.0", "2009-11-15T13:00:00", "2009-11-15 13:00:00"),
        ("2009-11-15T13:00:00.500Z", "2009-11-15T13:00:00.5Z", "2009-11-15 13:00:00.500000"),
        ("2009-11-15T13:00:10+00:00", "2009-11-15T13:00:10Z", "2009-11-15 13:00:10"),
        ("2009-11-15T13:00:00+01:00", "2009-11-15T13:00:00+01:00", "2009-11-15 12:00:00"),
        ("2009-12-31T24:00:00-05:00", "2010-01-01T00:00:00-05:00", "2010-01-01 05:00:00"),
        ("9999-12-31T23:00:00-05:00", "9999-12-31T23:00:00-05:00", "10000-01-01 04:00:00"),
    ],
)
def test_times(text: str, expected: str, start: str) -> None:
    value = read_moment(text)
    assert canonical_text(value) == expected
    assert universal_text(value) == start


def test_equal_in_time_is_not_the_same_literal() -> None:
    """As 5 is not 5.0: XML Schema 1.1 calls such values equal and not identical."""
    dates = ["2011-09-04-12:00", "2011-09-05+12:00", "2011-09-04", "2011-09-04Z"]
    assert len({term_of(date) for date in dates}) == 4
    assert universal_text(read_date(dates[0])) == universal_text(read_date(dates[1]))
    assert term_of("2011-09-04Z") == term_of("2011-09-04+00:00") == term_of("2011-09-04-00:00")
    assert term_of("2011-09-04T10:00:00.50Z") == term_of("2011-09-04T10:00:00.5+00:00")
    assert term_of("2011-09-04Z") != term_of("2011-09-04T00:00:00Z")


def test_a_zoned_date_is_a_date() -> None:
    zoned = term_of("2011-09-04+02:00")
    assert isinstance(zoned, Literal)
    assert zoned.kind == "date"
    assert literal_fits(zoned, "date")
    assert not literal_fits(zoned, "dateTime")
    name = Name("2011-09-04+02:00")
    assert written(name) == "<2011-09-04+02:00>"
    assert term_of(written(name)) == name


@pytest.mark.parametrize("token", ["2011-09-04+14:01", "2011-09-04+99:00", "2011-02-29Z"])
def test_no_zone_and_no_day(token: str) -> None:
    with pytest.raises(ValueError, match="is no value"):
        term_of(token)


@given(
    st.one_of(
        st.dates(),
        st.datetimes(),
        st.datetimes(timezones=ZONES),
        st.builds(ZonedDate, st.dates(), ZONES),
    ).map(Literal)
)
def test_every_value_is_read_back(literal: Literal) -> None:
    assert term_of(written(literal)) == literal
    names = Namespaces()
    data = f'<urn:a> <urn:b> "{literal.lexical}"^^<{XSD}{_type(literal)}> .\n'.encode()
    [(_, _, statement)] = read_rdf(data, file="x.nt", namespaces=names)
    assert statement.object == literal
    assert write_rdf([statement], format="N_TRIPLES", namespaces=names) == data


def _type(literal: Literal) -> str:
    return {"date": "date", "datetime": "dateTime"}[literal.kind]
