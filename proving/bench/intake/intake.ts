import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Scale } from '../bench-options.ts';
import { type ContenderOptions, type Environment, type Fixture, openFixture, startContender } from '../fixture.ts';
import { format, type Measured, medianRatio, quantile, summarize } from '../statistics.ts';
import { createWorkload, type Delivery, steps } from '../workload.ts';

/** Throughput of a webhook endpoint alone at 64 connections. */
export interface IntakeRow {
  readonly name: string;
  readonly requestsPerSecond: Measured;
  readonly p99Ms: Measured;
  readonly toBare: number | null;
}

/** Dockline's webhook endpoint alone. */
export const webhookProgram = new URL('webhook.ts', import.meta.url);

const contenders: readonly (ContenderOptions & { readonly name: string })[] = [
  { name: 'bare Fastify', program: new URL('bare.ts', import.meta.url) },
  { name: 'Dockline on SQLite', program: webhookProgram },
  { name: 'Dockline on PostgreSQL', program: webhookProgram, database: 'postgres' },
];

interface Figures {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
}

/** Sends the same requests to each contender, once a round, each time in a fresh process with fresh data. */
export async function measureIntake(environment: Environment, { rounds, requests }: Scale): Promise<IntakeRow[]> {
  await using opened = new AsyncDisposableStack();
  const fixture = await openFixture(opened);
  const warmUp = Math.ceil(requests * 0.6);
  const orders = await createWorkload(fixture.warehouse).orders(Math.ceil((requests + warmUp) / steps.length));
  const all = orders.flat().map(toRequest);
  const load = { fixture, warmUp: all.slice(0, warmUp), requests: all.slice(warmUp, warmUp + requests) };
  const measured = contenders
    .filter(({ database }) => database !== 'postgres' || environment.postgresServer !== undefined)
    .map((contender) => ({ contender, figures: [] as Figures[] }));
  for (let round = 1; round <= rounds; round += 1) {
    // Alternates the order, since the first finds another machine than the last.
    for (const { contender, figures } of round % 2 === 1 ? measured : measured.toReversed()) {
      const one = await measureOnce(contender, load, environment);
      figures.push(one);
      const rate = `${format(one.requestsPerSecond)} requests per second, p99 ${format(one.p99Ms)} ms`;
      environment.say(`intake, round ${round} of ${rounds}, ${contender.name}: ${rate}`);
    }
  }
  const rates = measured.map(({ figures }) => figures.map(({ requestsPerSecond }) => requestsPerSecond));
  return measured.map(({ contender: { name }, figures }, index) => ({
    name,
    requestsPerSecond: summarize(rates[index] ?? []),
    p99Ms: summarize(figures.map(({ p99Ms }) => p99Ms)),
    toBare: medianRatio(rates[index] ?? [], rates[0] ?? []),
  }));
}

interface Load {
  readonly fixture: Fixture;
  readonly warmUp: readonly Buffer[];
  readonly requests: readonly Buffer[];
}

async function measureOnce(
  contender: ContenderOptions,
  { fixture, warmUp, requests }: Load,
  environment: Environment,
): Promise<Figures> {
  await using opened = new AsyncDisposableStack();
  const { url } = await startContender(contender, { ...environment, fixture }, opened);
  await sendRaw(url, warmUp);
  environment.signal.throwIfAborted();
  return await sendRaw(url, requests);
}

const CONNECTIONS = 64;

/** Request as bytes: the work of an HTTP client would be most of what is measured of an endpoint that does nothing. */
function toRequest({ body, signature }: Delivery): Buffer {
  const head = ['POST /webhooks/warehouse HTTP/1.1', 'host: dockline', 'content-type: application/json; charset=utf-8'];
  const own = [`signature: ${signature}`, `content-length: ${body.length}`];
  return Buffer.concat([Buffer.from(`${[...head, ...own].join('\r\n')}\r\n\r\n`), body]);
}

/** Sends requests one after the other on each connection. Rejects unless all are answered 2xx. */
async function sendRaw(url: string, requests: readonly Buffer[]): Promise<Figures> {
  const { hostname: host, port } = new URL(url);
  const left = requests.values();
  const times: number[] = [];
  let firstAt = 0;
  const lane = async () => {
    const socket = connect({ host, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    const exchange = createExchange(socket);
    for (const request of left) {
      const sentAt = performance.now();
      await exchange(request);
      const answeredAt = performance.now();
      firstAt ||= answeredAt;
      times.push(answeredAt - sentAt);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const requestsPerSecond = ((requests.length - 1) / (performance.now() - firstAt)) * 1000;
  return { requestsPerSecond, p99Ms: quantile(times, 0.99) };
}

const ANSWER = /^HTTP\/1\.1 2\d\d .*?\r\ncontent-length: (\d+)\r\n.*?\r\n\r\n/is;

/** Each call resolves with the end of the answer. */
function createExchange(socket: Socket): (request: Buffer) => Promise<void> {
  let answer = '';
  let pending = Promise.withResolvers<void>();
  const fail = (reason: string) => pending.reject(new Error(`a webhook was not accepted: ${reason}`));
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
    const [head, length] = ANSWER.exec(answer) ?? [];
    if (head !== undefined && answer.length >= head.length + Number(length)) pending.resolve();
    else if (head === undefined && answer.includes('\r\n\r\n')) fail(answer);
  });
  socket.once('error', ({ message }) => fail(message));
  socket.once('close', () => fail('the connection was closed'));
  return (request) => {
    answer = '';
    pending = Promise.withResolvers();
    socket.write(request);
    return pending.promise;
  };
}
