"""`saltus view RESULT` and `saltus view MODEL`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, List, Optional

import typer

ORDER = 25


def view(
    file: Annotated[Path, typer.Argument(help="result file, or model file (JSON or YAML) to run live")],
    second: Annotated[Optional[Path], typer.Argument(help="another result to compare with")] = None,
    png: Annotated[Optional[Path], typer.Option(help="write a picture instead of opening a page")] = None,
    video: Annotated[Optional[Path], typer.Option(help="write a video, .webm or .gif, instead of opening a page")] = None,
    speed: Annotated[Optional[float], typer.Option(help="seconds of the run in a second of the video; default: as the page plays it")] = None,
    rate: Annotated[int, typer.Option(help="pictures a second of the video")] = 25,
    html: Annotated[Optional[Path], typer.Option(help="write one self-contained page instead of serving it")] = None,
    time: Annotated[Optional[float], typer.Option(help="time of the picture [s]; default: the end")] = None,
    size: Annotated[str, typer.Option(help="WIDTHxHEIGHT of picture or video")] = "1280x800",
    set: Annotated[Optional[List[str]], typer.Option("--set", metavar="NAME=VALUE", help="value of a parameter, live")] = None,
    until: Annotated[Optional[float], typer.Option(help="end time [s], live")] = None,
    output: Annotated[Optional[Path], typer.Option(help="result file of a live run; default: MODEL's name with .live.saltus here")] = None,
    port: Annotated[int, typer.Option(help="first port to try", min=1, max=65535)] = 8421,
    host: Annotated[str, typer.Option(help="address to listen on; others than this machine's need a password")] = "127.0.0.1",
    password: Annotated[bool, typer.Option("--password", help="ask for a password; or set SALTUS_VIEW_PASSWORD")] = False,
    open: Annotated[bool, typer.Option("--open/--no-open", help="open the browser")] = True,
) -> None:
    """Look at a result in the browser, or run a model live there. Ctrl-C ends it."""
    secret = os.environ.get("SALTUS_VIEW_PASSWORD") or (typer.prompt("password", hide_input=True) if password else None)
    from saltus.model_files import is_result

    if is_result(file):
        from saltus.result_file import load_result

        results, names = [load_result(path) for path in (file, second) if path], [path.stem for path in (file, second) if path]
        if png or html or video:
            _write(results, names, png, html, time, _size(size))
            if video:
                from saltus.view.film import write_video

                compare = results[1] if len(results) > 1 else None
                typer.echo(write_video(results[0], video, speed=speed, rate=rate, size=_size(size), title=names[0], compare=compare))
            return
        from saltus.view.source import ResultSource

        _serve(ResultSource(results, names), host, port, secret, open)
        return
    _live(file, second, png or html or video, set or [], until, output, host, port, secret, open)


def _size(text: str) -> tuple[int, int]:
    from saltus.errors import Fault, ModelError

    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and 16 <= int(width) <= 8192 and 16 <= int(height) <= 8192):
        raise ModelError(Fault("--size", f"is {text!r}, expected WIDTHxHEIGHT between 16 and 8192", "for example 1280x800"))
    return int(width), int(height)


def _write(results, names, png, html, time, size) -> None:
    from saltus.view.shows import write_page
    from saltus.view.still import write_picture

    compare = results[1] if len(results) > 1 else None
    if html:
        typer.echo(write_page(results[0], html, title=names[0], compare=compare))
    if png:
        typer.echo(write_picture(results[0], png, time=time, size=size, title=names[0], compare=compare))


def _live(file, second, written, assignments, until, output, host, port, secret, open) -> None:
    from saltus import running
    from saltus.model_files import load_engine
    from saltus.errors import Fault, ModelError
    from saltus.view.live import LiveRun

    if second or written:
        raise ModelError(Fault("", "is a model: there is nothing yet to compare or to write", f"run it first: saltus run {file}", str(file)))
    model = load_engine(file)
    for assignment in assignments:
        model.override(assignment)
    target = output or Path(file.with_suffix(".live.saltus").name)  # not the one of `saltus run`
    typer.echo(f"result    {target}{', in place of the one that is there' if target.exists() else ''}")
    run = LiveRun(model, running.Options(until=until), output=target, title=file.stem, waits=True).start()
    try:
        _serve(run, host, port, secret, open)
    finally:
        run.close()
        if run.error:
            raise run.error
        typer.echo(f"{run.status} at t = {run._time:g} s; result {target}")


def _serve(source, host, port, password, open) -> None:
    import threading
    import webbrowser

    from saltus.view.server import ViewServer

    with ViewServer(source, host=host, port=port, password=password) as server:
        if server.moved_from:
            typer.echo(f"port {server.moved_from} is taken: listens on {server.port}", err=True)
        typer.echo(f"view      {server.address}")
        typer.echo("          Ctrl-C ends it", err=True)
        if open and not _headless():
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            typer.echo("", err=True)


def _headless() -> bool:
    from saltus.display import headless

    return headless()
