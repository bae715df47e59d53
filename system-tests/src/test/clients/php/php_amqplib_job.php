<?php
/* php-amqplib: create_connection over several nodes, confirms with wait_for_pending_acks, returns, errors, consume with acks.
   Arguments: the client's name, the port to talk to (its node will be killed), the port to go to then. */
require_once 'PhpAmqpLib/autoload.php';

use PhpAmqpLib\Connection\AMQPStreamConnection;
use PhpAmqpLib\Exception\AMQPIOException;
use PhpAmqpLib\Exception\AMQPProtocolChannelException;
use PhpAmqpLib\Exception\AMQPRuntimeException;
use PhpAmqpLib\Message\AMQPMessage;

const FIRST = 100, BATCH = 10, AFTER_LOSS = 100, MOST = 50000, PATIENCE = 60;
error_reporting(E_ALL & ~E_DEPRECATED);
[, $name, $port, $other] = $argv;
$queues = ["ha.$name", "ha.$name.own"];
$confirmed = $received = [];
$redelivered = 0;

function say(...$words) { echo implode(' ', $words), "\n"; }

function connect(...$ports) {
    $hosts = array_map(fn($each) => ['host' => '127.0.0.1', 'port' => $each, 'user' => 'guest', 'password' => 'guest'], $ports);
    $times = ['connection_timeout' => PATIENCE, 'read_write_timeout' => 2 * PATIENCE, 'heartbeat' => PATIENCE];
    return AMQPStreamConnection::create_connection($hosts, $times);
}

function refused($connection, $action) {
    try {
        $action($connection->channel());
        exit("expected a refusal\n");
    } catch (AMQPProtocolChannelException $error) {
        say('refused', $error->amqp_reply_code, $error->amqp_reply_text);
    }
}

function publishing_channel($connection) {
    global $confirmed;
    $channel = $connection->channel();
    $channel->confirm_select();
    $channel->set_ack_handler(function ($message) use (&$confirmed) { $confirmed[(int) $message->body] = true; });
    $channel->set_return_listener(fn($code, $text) => say('returned', $code, $text));
    return $channel;
}

/* Until all are confirmed: a nack, when a queue has had no leader for long, promises nothing. */
function publish($channel, $exchange, $from) {
    global $confirmed;
    $left = range($from, $from + BATCH - 1);
    while ($left) {
        foreach ($left as $number) {
            $channel->basic_publish(new AMQPMessage("$number", ['delivery_mode' => AMQPMessage::DELIVERY_MODE_PERSISTENT]), $exchange, '', true);
        }
        $channel->wait_for_pending_acks_returns(PATIENCE);
        $left = array_filter($left, fn($each) => !isset($confirmed[$each]));
    }
}

$connection = connect($port);
$channel = publishing_channel($connection);
$channel->exchange_declare($name, 'fanout', false, true, false);
$channel->queue_declare($queues[1], false, true, false, false);
foreach ($queues as $queue) {
    $channel->queue_bind($queue, $name);
}
$channel->basic_publish(new AMQPMessage('x'), '', 'nowhere-at-all', true);
$channel->wait_for_pending_acks_returns(PATIENCE);
$confirmed = [];
refused($connection, fn($c) => $c->queue_declare($queues[0], false, false, false, false));
refused($connection, fn($c) => $c->queue_declare('nowhere-at-all', true));

$lost = false;
for ($number = 0, $left = AFTER_LOSS; $left > 0 && $number < MOST; $number += BATCH) {
    if ($number == FIRST) {
        $reader = $connection->channel();  // holds some deliveries that the kill gives back
        $reader->basic_qos(0, 20, false);
        $reader->basic_consume($queues[0], 'holder', false, false, false, false, function ($message) use (&$held) { $held[] = $message; });
        while (count($held ?? []) < 20) {
            $reader->wait(null, false, PATIENCE);
        }
        say('half');
    }
    try {
        publish($channel, $name, $number);
    } catch (AMQPRuntimeException | AMQPIOException $error) {
        $lost && exit("the connection broke a second time\n");
        $lost = true;
        say('lost', get_class($error));
        $connection = connect($other, $port);
        $channel = publishing_channel($connection);
        say('back');
        publish($channel, $name, $number);
    }
    $left -= $lost ? BATCH : 0;
}
say('confirmed', count($confirmed));

foreach ($queues as $queue) {
    $received[$queue] = [];
    $reader = $connection->channel();
    $reader->basic_qos(0, 50, false);
    $reader->basic_consume($queue, '', false, false, false, false, function ($message) use (&$received, &$redelivered, $queue) {
        $received[$queue][(int) $message->body] = true;
        $redelivered += $message->isRedelivered() ? 1 : 0;
        $message->ack();
    });
    while (count(array_diff_key($confirmed, $received[$queue])) > 0) {
        $reader->wait(null, false, PATIENCE);
    }
    $reader->close();
    say('received', $queue, count($received[$queue]), 'missing', count(array_diff_key($confirmed, $received[$queue])));
}
say('redelivered', $redelivered);
foreach ($queues as $queue) {
    $channel->queue_delete($queue);
}
$channel->exchange_delete($name);
$connection->close();
say('content');
