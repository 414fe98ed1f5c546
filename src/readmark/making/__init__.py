"""Making a test: sources, screening, question rules, levels, splits, cross-checks, publishing.

Each `readmark set` command has a folder or a file here, and each work of the hall that needs them a
module in `hall`. Other rooms use what a command does: how far people agree (`agreement_of_files`),
signs of careless work in an export (`export_quality`, which reads what `write_quality_checks` adds
to it), corpus tables, the published folder of a test (`publish_test`), question rules while a test
is checked (`examiner_for`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.making.agreement.agree import agreement_of_files
    from readmark.making.agreement.comparison import AgreementComparison
    from readmark.making.agreement.report import AgreementReport, measure_name
    from readmark.making.corpus import corpus_table
    from readmark.making.export.folder import publish_test
    from readmark.making.export.licences import Licence, licence_named
    from readmark.making.quality.judging import QUALITY_CODES, export_quality
    from readmark.making.quality.report import QualityReport
    from readmark.making.quality.work import reading_amount, write_quality_checks
    from readmark.making.rules.examiner import Examiner, examiner_for

__all__ = [
    "QUALITY_CODES",
    "AgreementComparison",
    "AgreementReport",
    "Examiner",
    "Licence",
    "QualityReport",
    "agreement_of_files",
    "corpus_table",
    "examiner_for",
    "export_quality",
    "licence_named",
    "measure_name",
    "publish_test",
    "reading_amount",
    "write_quality_checks",
]

__getattr__ = door(
    __name__,
    {
        "agreement.agree": "agreement_of_files",
        "agreement.comparison": "AgreementComparison",
        "agreement.report": "AgreementReport measure_name",
        "corpus": "corpus_table",
        "export.folder": "publish_test",
        "export.licences": "Licence licence_named",
        "quality.judging": "QUALITY_CODES export_quality",
        "quality.report": "QualityReport",
        "quality.work": "reading_amount write_quality_checks",
        "rules.examiner": "Examiner examiner_for",
    },
)
