"""What the Python jobs share: the words of the exchange that InteropIT reads, and the books of what was confirmed and received."""
import sys

FIRST, AFTER_LOSS, MOST = 100, 100, 50_000
PATIENCE = 60  # seconds that one answer may take on a busy machine, in place of what the libraries think


def say(*words):
    print(*words, flush=True)


class Job:
    """Arguments: the client's name, the port to talk to (its node will be killed), the port to go to then."""

    def __init__(self):
        self.name = sys.argv[1]
        self.ports = [int(port) for port in sys.argv[2:]]
        self.queues = ["ha." + self.name, "ha." + self.name + ".own"]
        self.confirmed, self.received, self.redelivered = set(), {}, 0
        self.lost = False

    def numbers(self):
        """Numbers to publish: some, then until the connection broke once, then some more. Says half after the first."""
        number, left = 0, AFTER_LOSS
        while left > 0 and number < MOST:
            if number == FIRST:
                say("half")
            yield number
            left -= self.lost
            number += 1

    def has_lost_its_connection(self):
        if self.lost:
            sys.exit("the connection broke a second time")
        self.lost = True
        say("lost")

    def takes(self, queue, number, redelivered):
        self.received.setdefault(queue, set()).add(number)
        self.redelivered += redelivered

    def misses(self, queue):
        return self.confirmed - self.received.get(queue, set())

    def ends(self):
        say("confirmed", len(self.confirmed))
        for queue in self.queues:
            say("received", queue, len(self.received[queue]), "missing", len(self.misses(queue)))
        say("redelivered", self.redelivered)
        say("content")
