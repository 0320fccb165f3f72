"""A small engine that is wrong in one way, which its first argument names; `good` is right.

It is wrong only for requests of the profile "bad", so that a test can see who is charged. The second argument is a
mark by which a test finds the process and its children. It is imported and not run, as then it is compiled but once.
"""

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


def serve(answer=REQUESTS["good"], greet=hello, goodbye=None):
    """Answer line by line, as one should."""
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "hello":
            say(greet(request["id"]))
        elif request["op"] == "bye":
            if goodbye:
                goodbye(request)
            return
        elif request["profile"] == "bad":
            answer(request)
        else:
            say(right(request))


def banner():
    write(b"bad engine 1.0 ready\n")
    serve()


def banner_after_hello():
    serve(greet=lambda number: [write(json.dumps(hello(number)).encode() + b"\nready\n"), os._exit(0)])


def dies_at_once():
    sys.stderr.write("no such module\n")
    sys.exit(1)


def says_nothing():
    time.sleep(FOREVER)


def hello_with_error():
    serve(greet=lambda number: {"id": number, "error": "not today"})


def hello_of_version_2():
    serve(greet=lambda number: hello(number, protocol=2))


def hello_without_reports():
    serve(greet=lambda number: {key: value for key, value in hello(number).items() if key != "reports"})


def hello_changes():
    name = str(time.time_ns())
    serve(dies, lambda number: hello(number, engine={"name": name, "version": "1", "language": "Python"}))


def starts_only_once():
    """The third argument names a file that says that it was started before."""
    try:
        os.close(os.open(sys.argv[3], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        sys.exit(1)
    serve(dies)


def closes_stdin():
    def closing(request):
        os.close(0)
        say(right(request))
        time.sleep(FOREVER)

    serve(closing)


def ends_after_each_answer():
    serve(lambda request: (say(right(request)), os._exit(0)))


def every_second_wrong():
    count = [0]

    def answer(request):
        count[0] += 1
        say(one_step_short(request) if count[0] % 2 else right(request))

    serve(answer)


def every_answer_twice():
    serve(twice)


def wrong_after_another():
    """State is kept between requests."""
    before = [0]

    def answer(request):
        message = right(request)
        message["hands"][0]["steps"][0]["turn"] = before[0] % 2
        before[0] += 1
        say(message)

    serve(answer)


def forgets_to_flush():
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "bye":
            return
        sys.stdout.write(json.dumps(hello(1) if request["op"] == "hello" else right(request)) + "\n")


def last_first():
    """Answers what is there already in the opposite order."""
    rest = b""
    while True:
        chunk = os.read(0, 1 << 20)
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        for line in reversed(lines):
            request = json.loads(line)
            if request["op"] == "bye":
                return
            say(hello(request["id"]) if request["op"] == "hello" else right(request))


def half_read():
    """Takes whatever it reads at once for a line."""
    while True:
        chunk = os.read(0, 1 << 20)
        for line in chunk.splitlines():
            try:
                request = json.loads(line)
            except ValueError:
                say({"error": "not JSON"})
                continue
            if request["op"] == "bye":
                return
            say(hello(request["id"]) if request["op"] == "hello" else right(request))
        if not chunk:
            return


def short_lines():
    """Takes the first 4096 bytes for a line."""
    while True:
        line = sys.stdin.buffer.readline(4096)
        if not line or b'"bye"' in line:
            return
        request = json.loads(line)
        say(hello(request["id"]) if request["op"] == "hello" else right(request))


def accepts_everything():
    def answer(request):
        message = right(request)
        for hand in message["hands"]:
            hand["steps"][1:] = [{"accepted": True, "turn": 0} for _ in hand["steps"][1:]]
        say(message)

    serve(answer)


def refuses_by_exception():
    def answer(request):
        message = right(request)
        for step in message["hands"][0]["steps"][1:]:
            step["reason"] = "TypeError: 'NoneType' object is not subscriptable"
        say(message)

    serve(answer)


def refuses_by_error():
    def answer(request):
        message = right(request)
        for hand in message["hands"]:
            hand["steps"][1:] = [{"error": "ValueError: illegal"} for _ in hand["steps"][1:2]]
        say(message)

    serve(answer)


def plays_any_profile():
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "bye":
            return
        say(hello(request["id"]) if request["op"] == "hello" else right({**request, "profile": "ohio"}))


def answers_bye():
    serve(goodbye=lambda request: say({"id": request["id"], "ok": True}))


def stays():
    serve(goodbye=lambda _: time.sleep(FOREVER))


def talks_to_stderr():
    sys.stderr.write("loading\n")
    sys.stderr.flush()
    serve()


def floods_stderr_before_each_answer():
    def answer(request):
        for _ in range(40):
            os.write(2, b"noise " * 1000)
        say(right(request))

    serve(answer)


def reads_late():
    """Writes much more than a pipe holds for each request before it reads the next."""
    serve(lambda request: say({"id": request["id"], "unsupported": "no" * 9000}))


WHOLE = {name: value for name, value in list(globals().items()) if callable(value) and not value.__code__.co_argcount}


def main():
    way = sys.argv[1]
    if way in WHOLE:
        WHOLE[way]()
    else:
        serve(REQUESTS[way])
