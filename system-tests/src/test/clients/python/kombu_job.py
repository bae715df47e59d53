"""kombu on py-amqp: fail-over between brokers, ensured publishes with confirms, errors, drain_events, SimpleQueue, a reply queue
that expires, a pidbox-like fanout. Arguments: see job.py."""
import socket
import sys

from amqp.exceptions import NotFound, PreconditionFailed
from kombu import Connection, Consumer, Exchange, Producer, Queue

from job import FIRST, PATIENCE, Job, say

job = Job()
exchange = Exchange(job.name, "fanout", durable=True)
queues = [Queue(each, exchange, durable=True) for each in job.queues]
urls = ";".join("amqp://guest:guest@127.0.0.1:%d//" % port for port in job.ports)


def connect():
    return Connection(
        urls, failover_strategy="round-robin", heartbeat=20, connect_timeout=PATIENCE, transport_options={"confirm_publish": True}
    )


def refused(kind, action):
    with connection.channel() as channel:
        try:
            action(channel)
            sys.exit("expected " + kind.__name__)
        except kind as error:
            say("refused", error.code, error.message)


def lost(error, interval):
    if not job.lost:
        job.has_lost_its_connection()


def replies_through_a_queue_that_expires():
    """What kombu's mailboxes do: a fanout for the question, an expiring auto-delete queue for the answer."""
    channel = connection.channel()
    questions = Exchange(job.name + ".pidbox", "fanout", durable=False, auto_delete=True)
    answers = Exchange("reply." + job.name + ".pidbox", "direct", durable=False, auto_delete=True)
    asked = Queue("a." + job.name + ".pidbox", questions, durable=False, auto_delete=True, expires=10.0, message_ttl=300.0)
    answered = Queue("b." + job.name + ".pidbox", answers, routing_key="b", durable=False, auto_delete=True, expires=10.0)
    got = []

    def answer(body, message):
        message.ack()
        Producer(channel).publish({"pong": body}, exchange=answers, routing_key=message.properties["reply_to"])

    with Consumer(channel, [asked], callbacks=[answer]), Consumer(channel, [answered], callbacks=[lambda b, m: got.append(b)], no_ack=True):
        Producer(channel).publish("ping", exchange=questions, reply_to="b", expiration=30)
        while not got:
            connection.drain_events(timeout=PATIENCE)
    say("answered", got[0]["pong"])
    channel.close()


connection = connect()
connection.connect()
for queue in queues:
    queue(connection.default_channel).declare()
refused(PreconditionFailed, lambda c: Queue(job.queues[0], durable=False)(c).queue_declare())
refused(NotFound, lambda c: Queue("nowhere-at-all")(c).queue_declare(passive=True))
replies_through_a_queue_that_expires()

strict = connection.channel()
returned = []
Producer(strict, on_return=lambda error, *_: returned.append(error.reply_code)).publish("x", routing_key="nowhere-at-all", mandatory=True)
say("returned", returned[0])
strict.close()

producer = Producer(connection.channel(), exchange=exchange, auto_declare=False)
back = False
for number in job.numbers():
    producer.publish(
        {"number": number}, delivery_mode=2, retry=True,
        retry_policy={"interval_start": 0, "interval_step": 0.5, "max_retries": 20, "errback": lost},
    )
    job.confirmed.add(number)
    if job.lost and not back:
        back = True
        say("back")


for queue in queues:
    def takes(body, message, name=queue.name):
        job.takes(name, body["number"], message.delivery_info["redelivered"])
        message.ack()

    with connection.channel() as channel, Consumer(channel, [queue], callbacks=[takes], prefetch_count=50):
        while job.misses(queue.name):
            connection.drain_events(timeout=PATIENCE)

simple = connection.SimpleQueue(job.queues[1])
simple.put({"simple": True})
message = simple.get(timeout=PATIENCE)
message.ack()
say("simple", message.payload["simple"])
simple.close()
for queue in queues:
    queue(connection.default_channel).delete()
exchange(connection.default_channel).delete()
connection.release()
job.ends()
