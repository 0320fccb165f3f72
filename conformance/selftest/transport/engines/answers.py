"""What a wrong engine says to one request, and what a right one does."""

import json
import os
import signal
import sys
import time

OUT = 1
FOREVER = 60.0


def write(raw):
    while raw:
        raw = raw[os.write(OUT, raw) :]


def say(message, end=b"\n"):
    write(json.dumps(message).encode() + end)


def hello(number, **changed):
    engine = {"name": "bad", "version": "1", "language": "Python"}
    message = {"id": number, "protocol": 1, "engine": engine, "profiles": ["ohio"], "readings": {}, "choices": {}}
    return {**message, "operations": ["play"], "reports": ["turn"], **changed}


def right(request, **changed):
    """An answer with as many steps as were asked for."""
    if request["profile"] not in ("ohio", "bad"):
        return {"id": request["id"], "unsupported": "the profile"}
    hands = []
    for hand in request["hands"]:
        steps = [{"accepted": False, "reason": "not now", "turn": 0} for event in hand["events"]]
        hands.append({"steps": [{"turn": 0}, *steps]})
    return {"id": request["id"], "hands": hands, **changed}


def one_step_short(request):
    message = right(request)
    message["hands"][-1]["steps"].pop()
    return message


def one_field_short(request):
    message = right(request)
    del message["hands"][-1]["steps"][-1]["turn"]
    return message


def refused_without_reason(request):
    message = right(request)
    message["hands"][-1]["steps"].append({"accepted": False, "turn": 0})
    return message


def dies(request):
    sys.stderr.write("the reason is here\n")
    sys.stderr.flush()
    os._exit(7)


def crashes(request):
    os.kill(os.getpid(), signal.SIGSEGV)


def hangs(request):
    time.sleep(FOREVER)


def ignores_sigterm(request):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(FOREVER)


def late(request):
    time.sleep(0.6)
    say(right(request))


def floods(request):
    while True:
        write(b"x" * 65536)


def floods_lines(request):
    while True:
        write(b"debug\n" * 8192)


def floods_stderr(request):
    while True:
        os.write(2, b"noise " * 1000)


def half_line(request):
    write(json.dumps(right(request)).encode()[:-9])
    os._exit(0)


def half_line_then_hangs(request):
    write(json.dumps(right(request)).encode()[:-9])
    time.sleep(FOREVER)


def twice(request):
    line = json.dumps(right(request)).encode() + b"\n"
    write(line + line)


def twice_later(request):
    say(right(request))
    time.sleep(0.05)
    say(right(request))


def closes_stdout(request):
    os.close(OUT)
    time.sleep(FOREVER)


def child(program):
    """Another process that has our pipes; it has our mark, too."""
    command = [sys.executable, "-S", "-E", "-c", program, *sys.argv[2:]]
    if os.fork() == 0:
        os.execv(command[0], command)  # noqa: S606 - no shell is wanted


def child_keeps_the_pipes(request):
    child(f"import time; time.sleep({FOREVER})")
    os._exit(0)


def child_ignores_sigterm(request):
    program = f"import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep({FOREVER})"
    child(program)
    time.sleep(0.1)
    os._exit(0)


def eats_memory(request):
    try:
        bytearray(1 << 27)
    except MemoryError:
        os._exit(9)
    say(right(request))


def says(make):
    return lambda request: say(make(request))


def writes(make):
    return lambda request: write(make(json.dumps(right(request)).encode()))


# What becomes of a request of the profile "bad"; the others are answered well.
REQUESTS = {
    "good": says(right),
    "dies": dies,
    "crashes": crashes,
    "hangs": hangs,
    "ignores_sigterm": ignores_sigterm,
    "late": late,
    "floods": floods,
    "floods_lines": floods_lines,
    "floods_stderr": floods_stderr,
    "half_line": half_line,
    "half_line_then_hangs": half_line_then_hangs,
    "twice": twice,
    "twice_later": twice_later,
    "closes_stdout": closes_stdout,
    "child_keeps_the_pipes": child_keeps_the_pipes,
    "child_ignores_sigterm": child_ignores_sigterm,
    "eats_memory": eats_memory,
    "garbage": lambda _: write(b"Segmentation fault (core dumped)\n"),
    "prints": lambda request: (write(b"thinking...\n"), say(right(request))),
    "blank_line": lambda request: (write(b"\n"), say(right(request))),
    "wrong_id": says(lambda request: right(request, id=request["id"] + 5)),
    "id_of_the_next": says(lambda request: right(request, id=request["id"] + 1)),
    "retyped_id": says(lambda request: right(request, id=str(request["id"]))),
    "id_with_a_point": writes(lambda line: line.replace(b', "hands', b'.0, "hands', 1) + b"\n"),
    "no_id": says(lambda request: {"hands": right(request)["hands"]}),
    "latin_1": lambda request: write(b'{"id":%d,"unsupported":"se\xf1or"}\n' % request["id"]),
    "byte_order_mark": writes(lambda line: b"\xef\xbb\xbf" + line + b"\n"),
    "crlf": writes(lambda line: line + b"\r\n"),
    "key_twice": writes(lambda line: line[:-1] + b', "hands": []}\n'),
    "not_a_number": writes(lambda line: line.replace(b'"turn": 0', b'"turn": NaN') + b"\n"),
    "list": says(lambda request: [right(request)]),
    "unknown_field": says(lambda request: right(request, score=3)),
    "one_step_short": says(one_step_short),
    "one_field_short": says(one_field_short),
    "one_hand_more": says(lambda request: right(request, hands=right(request)["hands"] * 2)),
    "refused_without_reason": says(refused_without_reason),
    "error": says(lambda request: {"id": request["id"], "error": "IndexError"}),
    "error_without_id": says(lambda _: {"error": "cannot read that"}),
    "unsupported": says(lambda request: {"id": request["id"], "unsupported": "no such reading"}),
}  # fmt: skip
