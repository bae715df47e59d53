"""pika: blocking publishes with confirms, errors, a lost connection, consume with acks. Arguments: see job.py."""
import sys

import pika
from pika.exceptions import AMQPConnectionError, ChannelClosedByBroker, NackError, UnroutableError

from job import FIRST, PATIENCE, Job, say

job = Job()
shared, own = job.queues
persistent = pika.BasicProperties(delivery_mode=2)


def connect(ports):
    """The first of these ports that answers."""
    return pika.BlockingConnection(
        [pika.ConnectionParameters("127.0.0.1", port, heartbeat=20, socket_timeout=PATIENCE, stack_timeout=PATIENCE) for port in ports]
    )


def refused(connection, code, action):
    channel = connection.channel()
    try:
        action(channel)
        sys.exit("expected a refusal with %d" % code)
    except ChannelClosedByBroker as error:
        say("refused", error.reply_code, error.reply_text)


def publishing_channel(connection):
    channel = connection.channel()
    channel.confirm_delivery()
    return channel


connection = connect(job.ports[:1])
channel = publishing_channel(connection)
channel.exchange_declare(job.name, "fanout", durable=True)
channel.queue_declare(own, durable=True)
for queue in job.queues:
    channel.queue_bind(queue, job.name)
try:
    channel.basic_publish("", "nowhere-at-all", b"x", mandatory=True)
    sys.exit("an unroutable mandatory message was not returned")
except UnroutableError as error:
    say("returned", error.messages[0].method.reply_code)
refused(connection, 406, lambda c: c.queue_declare(shared, durable=False))
refused(connection, 404, lambda c: c.queue_declare("nowhere-at-all", passive=True))
refused(connection, 406, lambda c: (c.basic_ack(77), c.queue_declare(shared, passive=True)))

for number in job.numbers():
    while number not in job.confirmed:
        try:
            channel.basic_publish(job.name, "", str(number).encode(), persistent, mandatory=True)
            job.confirmed.add(number)
            if number == FIRST // 2:  # ten settled, ten left with a consumer that the kill takes away
                reader = connection.channel()
                reader.basic_qos(prefetch_count=20)
                for method, _, body in reader.consume(shared):
                    job.takes(shared, int(body), method.redelivered)
                    if method.delivery_tag == 10:
                        reader.basic_ack(10, multiple=True)
                    if method.delivery_tag == 20:
                        break
        except NackError:
            pass  # one of the queues has had no leader for long: nothing is promised, so once more
        except AMQPConnectionError:
            job.has_lost_its_connection()
            connection = connect(job.ports[1:])
            channel = publishing_channel(connection)
            say("back")

for queue in job.queues:
    reader = connection.channel()
    reader.basic_qos(prefetch_count=50)
    for method, _, body in reader.consume(queue, inactivity_timeout=PATIENCE):
        if method is None:
            break
        job.takes(queue, int(body), method.redelivered)
        reader.basic_ack(method.delivery_tag)
        if not job.misses(queue):
            break
    reader.cancel()
    reader.close()
for queue in job.queues:
    channel.queue_delete(queue)
channel.exchange_delete(job.name)
connection.close()
job.ends()
