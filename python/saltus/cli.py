"""The command `saltus`: each command is one function in one file of saltus/commands."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
import sys
import warnings


def application():
    """The typer application with every command of saltus.commands, in the order of their `ORDER`."""
    import typer

    import saltus.commands

    app = typer.Typer(name="saltus", help=__doc_app, no_args_is_help=True, add_completion=True,
                      pretty_exceptions_show_locals=False, rich_markup_mode=None, context_settings={"help_option_names": ["-h", "--help"]})
    modules = [importlib.import_module(f"saltus.commands.{m.name}") for m in pkgutil.iter_modules(saltus.commands.__path__)]
    for module in sorted((m for m in modules if hasattr(m, "ORDER")), key=lambda m: m.ORDER):
        name = module.__name__.rpartition(".")[2]
        command = getattr(module, name)
        app.command(name, short_help=inspect.cleandoc(command.__doc__).partition(". ")[0].replace("\n", " ").rstrip("."))(command)

    def print_version(asked: bool) -> None:
        if asked:
            from saltus import _core

            typer.echo(f"saltus {_core.version}")
            raise typer.Exit()

    @app.callback()
    def root(version: bool = typer.Option(False, "--version", callback=print_version, is_eager=True, help="print the version and end")) -> None:
        pass

    return app


__doc_app = "Dynamics in which smooth motion and jumps meet: bodies, joints, contact, impact, friction, circuits."


def main() -> None:
    """Runs the command line and ends the process: 0 done, 2 the user's mistake, 3 no result, 130 interrupted."""
    missing = [name for name in ("typer", "rich") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"the command saltus needs {' and '.join(missing)}: {sys.executable} -m pip install {' '.join(missing)}", file=sys.stderr)
        sys.exit(2)
    from saltus.commands._common import interrupted, report_faults
    from saltus.errors import ModelError, ModelWarning

    others = warnings.showwarning

    def shown(message, category, *place, **more) -> None:
        """A warning about a model, without the line of this package that raised it."""
        if issubclass(category, ModelWarning):
            print(f"warning: {message}", file=sys.stderr)
        else:
            others(message, category, *place, **more)

    warnings.showwarning = shown
    try:
        application()()
    except ModelError as error:
        report_faults(error.faults)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(interrupted())
