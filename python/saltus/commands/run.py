"""`saltus run MODEL`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, List, Optional

import typer

from saltus.commands._common import DONE, FAILED, INTERRUPTED, MODEL_ERROR, print_json

ORDER = 20


def run(
    model: Annotated[Optional[Path], typer.Argument(help="model file (JSON, YAML, URDF, MJCF or SDF)")] = None,
    set: Annotated[Optional[List[str]], typer.Option("--set", metavar="NAME=VALUE", help="value of a parameter")] = None,
    until: Annotated[Optional[float], typer.Option(help="end time [s]")] = None,
    step: Annotated[Optional[float], typer.Option(help="fixed step [s]; without it the step is controlled")] = None,
    scheme: Annotated[Optional[str], typer.Option(help="time integrator; auto chooses by the model")] = None,
    tolerance: Annotated[Optional[float], typer.Option(help="relative tolerance of the step control")] = None,
    threads: Annotated[Optional[int], typer.Option(help="number of threads")] = None,
    resume: Annotated[Optional[Path], typer.Option("--resume", metavar="RESULT", help="go on with the run of a result file that was stopped or killed; instead of MODEL")] = None,
    output: Annotated[Optional[Path], typer.Option(help="result file; default: MODEL's name with .saltus here")] = None,
    plot: Annotated[bool, typer.Option("--plot", help="draw the named outputs beside the result")] = False,
    report: Annotated[Optional[Path], typer.Option(help="write a report (HTML): model, picture, plots, certificate, timing")] = None,
    dump: Annotated[Optional[Path], typer.Option(metavar="FOLDER", help="keep the contact problems that were not solved or took most work, for `saltus solve`")] = None,
    json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Check, compile and simulate a model. Exit 0 done, 2 mistake in the model, 3 the solver could not go on, 130 Ctrl-C."""
    from saltus import running
    from saltus.model_files import load_engine
    from saltus.errors import ModelError

    if (model is None) == (resume is None):
        raise typer.BadParameter("give a model file, or --resume with a result file" + (", not both" if model else ""))
    if resume and (set or step or scheme or tolerance or threads or dump):
        raise typer.BadParameter("--resume goes on as the run began: of the other settings it takes --until and --output")
    if report:
        from saltus.view.shows import refuse_other_endings

        refuse_other_endings(report, "a report", "a browser prints it as PDF")
    if plot or report:
        from saltus.display import pyplot

        pyplot()  # where matplotlib is missing this is said before the run, not after it
    try:
        if resume:
            target = output or resume
            recorded, loaded = _with_progress(lambda progress: _resumed(resume, until, output, progress), quiet=json)
        else:
            loaded = load_engine(model)
            for assignment in set or []:
                loaded.override(assignment)
            options = running.Options(until=until, step=step, scheme=scheme, tolerance=tolerance, threads=threads)
            target = output or Path(model.with_suffix(".saltus").name)
            recorded = _with_progress(lambda progress: running.run(loaded, options, output=target, progress=progress, dump=dump), quiet=json)
        summary = running.summary(recorded, loaded.outputs)
        if dump:
            summary["dumped"] = recorded.report["dumped"]
    except ModelError as error:
        if not json:
            raise
        print_json(_without_run("model_error", [fault.text for fault in error.faults]))
        raise typer.Exit(MODEL_ERROR) from None
    except KeyboardInterrupt:  # before the first step; later ones end the run in its report
        if not json:
            raise
        print_json(_without_run("interrupted", []))
        raise typer.Exit(INTERRUPTED) from None
    if json:
        print_json(summary)
    else:
        _print(summary, target)
    if plot:
        from saltus.plotting_files import plot_outputs

        picture = plot_outputs(recorded, loaded.outputs, target.with_suffix(".png"))
        if not json:
            typer.echo(f"plot      {picture}")
    if report:
        _report(recorded, loaded, report, model or target)
        if not json:
            typer.echo(f"report    {report}")
    raise typer.Exit({"done": DONE, "interrupted": INTERRUPTED}.get(summary["status"], FAILED))


def _resumed(path: Path, until: Optional[float], output: Optional[Path], progress):
    from saltus.result_file import resume

    result = resume(path, until=until, output=output, progress=progress)
    return result._recorded, result.model._engine


def _report(recorded, loaded, target: Path, model: Path) -> None:
    from saltus.model import Model
    from saltus.result import Result
    from saltus.view.report import report_html
    from saltus.view.shows import write_text

    write_text(target, report_html(Result(recorded, Model._of(loaded)), title=model.stem, model_file=model.name))


def _without_run(status: str, messages: list[str]) -> dict:
    """The object of `--json` where no step was made."""
    return {"status": status, "time": 0.0, "steps": 0, "rejected": 0, "wall_s": 0.0,
            "residual": {"equations": None, "constraints": None, "laws": None}, "energy": {}, "outputs": {},
            "messages": messages}


def _with_progress(run, quiet: bool):
    """What run(progress) gives; progress(t, until) moves a bar."""
    if quiet or not sys.stderr.isatty():
        return run(None)
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(TextColumn("t = {task.completed:.4g} s"), BarColumn(), TimeRemainingColumn(),
                  console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("run", total=None)
        return run(lambda t, end: bar.update(task, completed=t, total=end))


def _print(report: dict, target: Path) -> None:
    residual, energy = report["residual"], report["energy"]
    typer.echo(f"status    {report['status']} at t = {report['time']:g} s with {report['scheme']}" + (f" (auto: {report['chosen']})" if report.get("chosen") else ""))
    typer.echo(f"steps     {report['steps']} ({report['rejected']} rejected), {report['wall_s']:.3g} s")
    typer.echo(f"residual  equations {residual['equations']:.1e}, constraints {residual['constraints']:.1e}, "
               f"laws {residual['laws']:.1e} (worst, relative)")
    typer.echo(f"energy    {energy['start']:.9g} J -> {energy['end']:.9g} J, change {energy['change']:.3g} J")
    for name, value in report["outputs"].items():
        typer.echo(f"output    {name} = {value}")
    for message in report["messages"]:
        typer.echo(f"message   {message}")
    if "dumped" in report:
        typer.echo(f"problems  {len(report['dumped'])}" + (f" in {Path(report['dumped'][0]).parent}" if report["dumped"] else ""))
    typer.echo(f"result    {target}")
