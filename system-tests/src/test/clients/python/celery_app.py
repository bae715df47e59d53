"""The application that celery_job.py and its worker share. Environment: JOB_NAME, JOB_PORTS, JOB_DONE (a file for what was done)."""
import os

from celery import Celery
from kombu import Exchange, Queue

name = os.environ["JOB_NAME"]
app = Celery(
    "celery_app",
    broker=["amqp://guest:guest@127.0.0.1:%s//" % port for port in os.environ["JOB_PORTS"].split(",")],
    backend="rpc://",
)
app.conf.update(
    broker_connection_retry=True,
    broker_connection_timeout=60,  # with the login: a node that is slow is not gone
    broker_heartbeat=20,
    broker_transport_options={"confirm_publish": True},
    result_expires=120,
    task_acks_late=True,
    task_create_missing_queues=False,
    task_default_queue="ha." + name,
    task_publish_retry_policy={"max_retries": 20, "interval_start": 0, "interval_step": 0.5, "interval_max": 1},
    task_queues=[Queue("ha." + name, Exchange(name), routing_key="task")],
    task_default_exchange=name,
    task_default_routing_key="task",
    worker_prefetch_multiplier=1,
)


@app.task
def add(x, y):
    return x + y


@app.task(bind=True, max_retries=3)
def flaky(self):
    if self.request.retries < 2:
        raise self.retry(countdown=0.2)
    return self.request.retries


@app.task
def record(number):
    """Of tasks over a kill only what they did counts: a queue of results does not outlive its node."""
    with open(os.environ["JOB_DONE"], "a") as done:
        done.write("%d\n" % number)
