# Bunny: hosts in a list, its own recovery of connection, topology and consumer, confirms, returns, errors.
# Arguments: the client's name, the port to talk to (its node will be killed), the port to go to then.
require "bunny"
require "set"

FIRST, BATCH, AFTER_LOSS, MOST, PATIENCE, FAULTS_MAX = 100, 10, 100, 50_000, 60, 5
$stdout.sync = true
name, *ports = ARGV
shared, own = queues = ["ha.#{name}", "ha.#{name}.own"]
confirmed = Set.new
received = Hash.new { |all, queue| all[queue] = Set.new }
redelivered = 0

def refused(connection)
  yield connection.create_channel
  abort "expected a refusal"
rescue Bunny::ChannelLevelException => error
  puts "refused #{error.channel_close.reply_code} #{error.channel_close.reply_text}"
end

# Waits; the deadline is a bound, not a pace.
def await(what)
  deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + PATIENCE
  until yield
    abort "#{what}: not within #{PATIENCE} s" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
    sleep 0.02
  end
end

connection = Bunny.new(
  hosts: ports.map { |port| "127.0.0.1:#{port}" }, hosts_shuffle_strategy: ->(all) { all },
  network_recovery_interval: 0.2, recover_from_connection_close: true, heartbeat: 20, continuation_timeout: 15_000,
  logger: Logger.new($stderr, level: :error)
)
connection.start
channel = connection.create_channel
exchange = channel.fanout(name, durable: true)
mine = channel.queue(own, durable: true).bind(exchange)
theirs = channel.queue(shared, durable: true).bind(exchange)
channel.confirm_select
returned = Queue.new
default = channel.default_exchange
default.on_return { |info, _, _| returned << info.reply_code }
default.publish("x", routing_key: "nowhere-at-all", mandatory: true)
channel.wait_for_confirms
puts "returned #{returned.pop}"
refused(connection) { |c| c.queue(shared, durable: false) }
refused(connection) { |c| c.queue("nowhere-at-all", passive: true) }

# This consumer is never touched again: Bunny brings it to the other node.
reader = connection.create_channel
reader.prefetch(20)
taken = Mutex.new
lost = 0
reader.queue(own, durable: true, passive: true).subscribe(manual_ack: true) do |info, _, body|
  taken.synchronize do
    received[own] << body.to_i
    redelivered += 1 if info.redelivered?
  end
  reader.ack(info.delivery_tag) unless received[own].size == FIRST / 2 && lost.zero? # one is left for the kill
end

# A channel that confirms, when the connection is there. Not the one that was recovered: Bunny 2.19 miscounts the confirms of several
# messages on it (it adds its offset twice).
renewed = lambda do
  next nil if !connection.open? || connection.recovering_from_network_failure?
  connection.create_channel.tap(&:confirm_select)
rescue Bunny::Exception, SystemCallError, IOError, Timeout::Error
  nil # it was gone, and the library had not seen it yet
end

number, left, said, faults = 0, AFTER_LOSS, false, 0
while left.positive? && number < MOST
  if number == FIRST && !said
    await("deliveries before the kill") { received[own].size >= FIRST }
    said = true
    puts "half"
  end
  begin
    batch = (number...number + BATCH).to_a
    batch.each { |each| exchange.publish(each.to_s, persistent: true) }
    next unless channel.wait_for_confirms # nacked: a queue has had no leader for long, so nothing is promised
    confirmed.merge(batch)
    number += BATCH
    left -= BATCH * lost
  rescue Bunny::Exception, SystemCallError, IOError, Timeout::Error => error # who waits for a confirm is left waiting
    # Also a confirm that does not come in the library's time: it is not lost before the kill, nor twice.
    raise if (faults += 1) > FAULTS_MAX
    is_first = said && lost.zero?
    puts "lost #{error.class}" if is_first
    lost = 1 if said
    await("recovery") { channel = renewed.call }
    exchange = channel.fanout(name, durable: true)
    puts "back" if is_first
  end
end
puts "confirmed #{confirmed.size}"

shared_reader = connection.create_channel
shared_reader.prefetch(50)
shared_reader.queue(shared, durable: true, passive: true).subscribe(manual_ack: true) do |info, _, body|
  taken.synchronize do
    received[shared] << body.to_i
    redelivered += 1 if info.redelivered?
  end
  shared_reader.ack(info.delivery_tag)
end
queues.each do |queue|
  await("all of #{queue}") { taken.synchronize { (confirmed - received[queue]).empty? } }
  puts "received #{queue} #{received[queue].size} missing #{(confirmed - received[queue]).size}"
end
puts "redelivered #{redelivered}"
mine.delete
theirs.delete
exchange.delete
connection.close
puts "content"
