"""Sixty equal oscillators, half of the springs Python functions, two threads: the peer counts one kind twice."""

from saltus.verification.models import of_gallery, options_of, with_step


def verify(case):
    keywords = with_step("runge_kutta_4", 1e-3)
    for threads in (2, 1):
        case.how = options_of(keywords) + f", threads {threads}"
        result = of_gallery("parallel_user_function").simulate(0.3, threads=threads, **keywords)
        kind = "threads" if threads == 2 else "serial"
        yield case.check(f"x_first_{kind}", result["x0.coordinate"].last)
        yield case.check(f"x_last_{kind}", result["x59.coordinate"].last)
