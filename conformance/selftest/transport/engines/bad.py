"""A small engine that is wrong in one way, which its first argument names; `good` is right.

It is wrong only for requests of the profile "bad", so that a test can see who is charged. The second argument is a
mark by which a test finds the process and its children. It is imported and not run, as then it is compiled but once.
"""

import json
import os
import sys
import time

from answers import FOREVER, REQUESTS, dies, hello, one_step_short, right, say, twice, write


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


def many_lines():
    """Each answer is written as people like to read it."""
    serve(greet=lambda number: write(json.dumps(hello(number), indent=1).encode() + b"\n"))


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
