"""Celery: a worker and its tasks, with results over rpc://, retries, more tasks with an ETA than the prefetch, remote control, and a
broker that dies under both. Arguments: see job.py."""
import os
import shutil
import subprocess
import sys
import tempfile
import time

from job import say

here = os.path.dirname(os.path.abspath(__file__))
scratch = tempfile.mkdtemp(prefix="celery-job-")
os.environ.update(JOB_NAME=sys.argv[1], JOB_PORTS=",".join(sys.argv[2:]), JOB_DONE=os.path.join(scratch, "done"))
from celery_app import add, app, flaky, record  # noqa: E402

ETA_TASKS, ETA_SECONDS, PATIENCE = 20, 35, 90


def awaits(what, condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            sys.exit("%s: not within %d s" % (what, PATIENCE))
        time.sleep(0.1)


def worker_answers():
    return app.control.ping(timeout=2)


def done():
    if not os.path.exists(os.environ["JOB_DONE"]):
        return set()
    with open(os.environ["JOB_DONE"]) as lines:
        return {int(line) for line in lines}


worker = subprocess.Popen(
    [sys.executable, "-m", "celery", "-A", "celery_app", "worker", "--concurrency", "2", "--loglevel", "INFO", "-n", sys.argv[1]],
    cwd=here, stdout=sys.stderr, stderr=subprocess.STDOUT,
)
try:
    awaits("the worker answers a ping", worker_answers)
    say("sum", add.delay(2, 3).get(timeout=PATIENCE))
    say("retried", flaky.delay().get(timeout=PATIENCE))

    # All of these are held by the worker at once, unacked, although its prefetch is two: it raises its limit for each.
    later = [add.apply_async((i, 1), countdown=ETA_SECONDS) for i in range(ETA_TASKS)]
    most = 0

    def all_are_held_or_done():
        global most
        held = app.control.inspect(timeout=2).scheduled() or {}
        most = max([most] + [len(tasks) for tasks in held.values()])
        return most == ETA_TASKS or all(each.ready() for each in later)

    awaits("tasks with an ETA reach the worker", all_are_held_or_done)
    say("scheduled", most)
    say("later", sum(each.get(timeout=PATIENCE) for each in later))

    # Over the kill: tasks that are due soon, held unacked by the worker, and tasks that are published meanwhile.
    for number in range(ETA_TASKS):
        record.apply_async((number,), countdown=1)
    with app.connection_for_write() as watched:
        watched.connect()
        say("half")
        try:
            watched.drain_events(timeout=PATIENCE)
        except TimeoutError:
            sys.exit("the connection outlived its node")
        except OSError:
            say("lost")
    for number in range(ETA_TASKS, 2 * ETA_TASKS):
        record.delay(number)
    say("back")
    confirmed = set(range(2 * ETA_TASKS))
    awaits("all tasks are done", lambda: confirmed <= done())
    say("confirmed", len(confirmed))
    say("received", app.conf.task_default_queue, len(done()), "missing", len(confirmed - done()))
    awaits("the worker answers a ping again", worker_answers)
    fresh = [sys.executable, "-c", "from celery_app import add; print(add.delay(4, 4).get(timeout=%d))" % PATIENCE]
    say("sum", subprocess.run(fresh, cwd=here, stdout=subprocess.PIPE, text=True, check=True).stdout.strip())
    say("content")
finally:
    worker.terminate()
    try:
        worker.wait(30)
    except subprocess.TimeoutExpired:
        worker.kill()
    shutil.rmtree(scratch)
