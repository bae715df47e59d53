// amqplib: confirm channel, returns, errors, a consumer beside the publisher, and a connection of one's own making after the kill.
// Arguments: the client's name, the port to talk to (its node will be killed), the port to go to then.
import amqplib from 'amqplib';
import { once } from 'node:events';

const FIRST = 100, BATCH = 10, AFTER_LOSS = 100, MOST = 50_000, PATIENCE_MS = 240_000;
const [name, port, other] = process.argv.slice(2);
const queues = [`ha.${name}`, `ha.${name}.own`];
const [shared, own] = queues;
const confirmed = new Set();
const received = new Map(queues.map((queue) => [queue, new Set()]));
let redelivered = 0;
setTimeout(() => { console.log('out of patience'); process.exit(1); }, PATIENCE_MS).unref();

async function connect(...ports) {
  for (const each of ports) {
    try {
      const connection = await amqplib.connect(`amqp://guest:guest@127.0.0.1:${each}?heartbeat=20`);
      connection.on('error', () => {}); // who publishes hears of it, too
      return connection;
    } catch (error) {
      if (each === ports.at(-1)) throw error;
    }
  }
}

async function refused(connection, action) {
  const channel = await connection.createChannel();
  channel.on('error', () => {});
  try {
    await action(channel);
    throw new Error('expected a refusal');
  } catch (error) {
    console.log('refused', error.code, error.message.split('\n')[0]);
  }
}

// Consumes until all that is confirmed has come, and the publisher is done.
async function consume(connection, queue, isDone) {
  const channel = await connection.createChannel();
  channel.on('error', () => {});
  await channel.prefetch(50);
  await new Promise((resolve) => {
    channel.consume(queue, (message) => {
      if (message === null) throw new Error(`the consumer of ${queue} was cancelled`);
      received.get(queue).add(Number(message.content));
      redelivered += message.fields.redelivered ? 1 : 0;
      channel.ack(message);
      if (isDone() && missing(queue) === 0) resolve();
    });
  });
  await channel.close();
}

const missing = (queue) => [...confirmed].filter((each) => !received.get(queue).has(each)).length;

// Again when nacked, which promises nothing: a queue has had no leader for long.
async function publish(channel, from) {
  for (let isNacked = true; isNacked;) {
    for (let number = from; number < from + BATCH; number++) {
      channel.publish(name, '', Buffer.from(String(number)), { persistent: true });
    }
    try {
      await channel.waitForConfirms();
      isNacked = false;
    } catch (error) {
      if (error.message !== 'message nacked') throw error;
    }
  }
  for (let number = from; number < from + BATCH; number++) confirmed.add(number);
}

let connection = await connect(port);
let channel = await connection.createConfirmChannel();
channel.on('error', () => {});
await channel.assertExchange(name, 'fanout', { durable: true });
await channel.assertQueue(own, { durable: true });
for (const queue of queues) await channel.bindQueue(queue, name, '');
const returned = once(channel, 'return');
channel.publish('', 'nowhere-at-all', Buffer.from('x'), { mandatory: true });
await channel.waitForConfirms();
console.log('returned', (await returned)[0].fields.replyCode);
await refused(connection, (c) => c.assertQueue(shared, { durable: false }));
await refused(connection, (c) => c.checkQueue('nowhere-at-all'));
consume(connection, own, () => false).catch(() => {}); // ends with the connection

let lost = false;
for (let number = 0, left = AFTER_LOSS; left > 0 && number < MOST; number += BATCH) {
  if (number === FIRST) console.log('half');
  try {
    await publish(channel, number);
  } catch (error) {
    if (lost) throw error;
    lost = true;
    console.log('lost', error.message);
    connection = await connect(other, port);
    channel = await connection.createConfirmChannel();
    console.log('back');
    await publish(channel, number);
  }
  left -= lost ? BATCH : 0;
}
console.log('confirmed', confirmed.size);
for (const queue of queues) {
  if (missing(queue) > 0) await consume(connection, queue, () => true);
  console.log('received', queue, received.get(queue).size, 'missing', missing(queue));
}
console.log('redelivered', redelivered);
for (const queue of queues) await channel.deleteQueue(queue);
await channel.deleteExchange(name);
await connection.close();
console.log('content');
