#!/usr/bin/env bash
# amqp-tools (librabbitmq): declare, publish line by line, get, errors, and a consumer that is cut off by the kill.
# They know no confirms: what is published and acked before the kill is counted by the test before it kills, or followed by a message
# of the test (0), whose confirm tells that all before it is on the mirrors.
# Arguments: a name, the port to talk to (its node will be killed), the port to go to then.
set -euo pipefail
name=$1 near=amqp://guest:guest@127.0.0.1:$2 far=amqp://guest:guest@127.0.0.1:$3
shared=ha.$name own=ha.$name.own
taken=$(mktemp -d)
trap 'rm -r "$taken"' EXIT

refused() { # a command that must fail; says the code of the answer
  local answer
  if answer=$("$@" 2>&1 </dev/null); then echo "expected a refusal of $*"; exit 1; fi
  echo "refused $(grep -o '40[0-9]' <<<"$answer" | head -1)"
}

consume() { # url, queue, count → the bodies, one a line
  amqp-consume -u "$1" -q "$2" -c "$3" -p 20 -- sh -c 'cat; echo' </dev/null | grep -v '^$'
}

amqp-declare-queue -u "$near" -q "$own" -d >/dev/null
refused amqp-declare-queue -u "$near" -q "$shared"
refused amqp-get -u "$near" -q nowhere-at-all
for queue in "$shared" "$own"; do
  seq 1 101 | amqp-publish -u "$near" -r "$queue" -p -l
done
echo "got $(amqp-get -u "$near" -q "$shared")"
consume "$near" "$own" 1 >/dev/null

# One delivery is with a consumer, which holds it until its node is gone.
amqp-consume -u "$near" -q "$own" -p 1 -- sleep 60 </dev/null >/dev/null 2>&1 &
consumer=$!
echo "half $shared 100 $own"
while amqp-declare-queue -u "$near" -q "$own" -d >/dev/null 2>&1; do sleep 0.1; done
kill $consumer 2>/dev/null || true
echo lost
amqp-declare-queue -u "$far" -q "$own" -d >/dev/null
echo back
for queue in "$shared" "$own"; do
  seq 102 120 | amqp-publish -u "$far" -r "$queue" -p -l
done
echo "confirmed 119"
for queue in "$shared" "$own"; do
  consume "$far" "$queue" $([ "$queue" = "$own" ] && echo 120 || echo 119) | sort -u >"$taken/$queue"
  echo "received $queue $(wc -l <"$taken/$queue") missing $(seq 2 120 | sort | comm -23 - "$taken/$queue" | wc -l)"
  amqp-delete-queue -u "$far" -q "$queue" >/dev/null
done
echo content
