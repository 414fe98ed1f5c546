"""What commands share: options, groups of commands, messages, progress, printed results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.doors import door

if TYPE_CHECKING:
    from readmark.console.candidate_output import candidate_output_to_stderr
    from readmark.console.groups import CheckedGroup, CommandGroup, OutputClosed, UnknownCommand
    from readmark.console.messages import in_options, logged_to_stderr, notify, problems
    from readmark.console.options import (
        by_option,
        confidence_option,
        draws_option,
        engine_option,
        errors_option,
        fields,
        format_option,
        from_option,
        full_option,
        interval_option,
        is_given,
        json_option,
        list_option,
        metrics_option,
        paired_interval_option,
        plot_option,
        require_plot,
        seed_option,
        settings_option,
        split_option,
        take_traffic,
        text_or_file,
        to_option,
        traffic_options,
        trials_option,
        workers_option,
    )
    from readmark.console.parameters import (
        METRIC_NAME,
        OUTPUT_FILE,
        OUTPUT_FOLDER,
        WORDS,
        candidate_name,
    )
    from readmark.console.printing import UNMET, print_json, print_result, print_written
    from readmark.console.ticker import Ticker, clock

__all__ = [
    "METRIC_NAME",
    "OUTPUT_FILE",
    "OUTPUT_FOLDER",
    "UNMET",
    "WORDS",
    "CheckedGroup",
    "CommandGroup",
    "OutputClosed",
    "Ticker",
    "UnknownCommand",
    "by_option",
    "candidate_name",
    "candidate_output_to_stderr",
    "clock",
    "confidence_option",
    "draws_option",
    "engine_option",
    "errors_option",
    "fields",
    "format_option",
    "from_option",
    "full_option",
    "in_options",
    "interval_option",
    "is_given",
    "json_option",
    "list_option",
    "logged_to_stderr",
    "metrics_option",
    "notify",
    "paired_interval_option",
    "plot_option",
    "print_json",
    "print_result",
    "print_written",
    "problems",
    "require_plot",
    "seed_option",
    "settings_option",
    "split_option",
    "take_traffic",
    "text_or_file",
    "to_option",
    "traffic_options",
    "trials_option",
    "workers_option",
]

__getattr__ = door(
    __name__,
    {
        "candidate_output": "candidate_output_to_stderr",
        "groups": "CheckedGroup CommandGroup OutputClosed UnknownCommand",
        "messages": "in_options logged_to_stderr notify problems",
        "options": "by_option confidence_option draws_option engine_option errors_option fields "
        "format_option from_option full_option interval_option is_given json_option list_option "
        "metrics_option paired_interval_option plot_option require_plot seed_option "
        "settings_option split_option take_traffic text_or_file to_option traffic_options "
        "trials_option workers_option",
        "parameters": "METRIC_NAME OUTPUT_FILE OUTPUT_FOLDER WORDS candidate_name",
        "printing": "UNMET print_json print_result print_written",
        "ticker": "Ticker clock",
    },
)
