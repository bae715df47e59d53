"""pika against a cluster: declare, publish with confirms, an error, consume with acks. Arguments: two ports and a queue."""
import sys

import pika

port, other, queue = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]


def connect(p):
    return pika.BlockingConnection(pika.ConnectionParameters("127.0.0.1", p, "/", pika.PlainCredentials("guest", "guest")))


one = connect(port)
channel = one.channel()
channel.queue_declare(queue, durable=True)
channel.confirm_delivery()
for i in range(300):
    channel.basic_publish("", queue, str(i).encode(), pika.BasicProperties(delivery_mode=2), mandatory=True)
try:
    channel.basic_publish("", "nowhere-at-all", b"x", mandatory=True)
    sys.exit("an unroutable mandatory message was not returned")
except pika.exceptions.UnroutableError:
    pass
try:
    channel.queue_declare(queue, durable=False)
    sys.exit("a different declaration was accepted")
except pika.exceptions.ChannelClosedByBroker as e:
    if e.reply_code != 406:
        sys.exit("expected 406, saw %r" % e)

two = connect(other)
channel = two.channel()
channel.basic_qos(prefetch_count=20)
seen = []
for method, properties, body in channel.consume(queue, inactivity_timeout=20):
    if method is None:
        break
    seen.append(int(body))
    channel.basic_ack(method.delivery_tag)
    if len(seen) == 300:
        break
channel.cancel()
if seen != list(range(300)):
    sys.exit("not all, or not in order: %r" % seen[:20])
left = channel.queue_declare(queue, passive=True).method.message_count
if left:
    sys.exit("%d messages are left" % left)
channel.queue_delete(queue)
one.close()
two.close()
print("pika is content")
