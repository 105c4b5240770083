import fastify from 'fastify';
import { Webhook } from 'standardwebhooks';
import { memberOf } from '../../src/base/json.ts';
import { TEST_TYPE } from '../../src/destinations/announcements/cloud-event.ts';
import { type Answer, createReceiverLiar, type ReceiverLies } from './lies.ts';
import { createRefusals } from './refusals.ts';
import { createTally, type Received, receivedSchema } from './tally.ts';

interface ReceiverOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Secret that signs the announcements: `whsec_<base64>`. */
  readonly secret: string;
  /** Default: none. */
  readonly lies?: Partial<ReceiverLies>;
}

/** Running receiver of announcements. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Maximum size of an announcement, in bytes: an order of the warehouse may have 32 MB. */
const BODY_LIMIT = 64 * 1024 * 1024;

const PATH = '/announcements';

/** Starts a receiver. It verifies announcements with the library of Standard Webhooks, as any consumer would, not with Dockline's own code. */
export async function startReceiver({ port, secret, lies }: ReceiverOptions) {
  const tally = createTally();
  const liar = createReceiverLiar(lies);
  const refusals = createRefusals();
  const webhook = new Webhook(secret);
  let answer: Answer = { status: 204, headers: {} };
  let refused = 0;
  let tests = 0;

  /** Answers an authentic announcement, and keeps it if the answer accepts it. */
  const answerTo = (received: Received | 'test', bytes: number): Answer => {
    const given = liar.refuse(bytes) ?? answer;
    const isAccepted = given.status >= 200 && given.status <= 299;
    if (received === 'test') tests += isAccepted ? 1 : 0;
    else if (isAccepted) tally.add({ ...received, triedAt: refusals.since(received.id) ?? received.receivedAt });
    else refusals.add(received.id, given.status);
    return given;
  };

  const app = fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(PATH, async (request, reply) => {
    const received = readAnnouncement(webhook, request.body, request.headers);
    if (!received) {
      refused += 1;
      return reply.code(401).send();
    }
    const { status, headers, text } = answerTo(received, (request.body as Buffer).length);
    return reply.code(status).headers(headers).send(text);
  });
  app.addHook('onResponse', async (request) => liar.answered(request.raw.socket));
  const origin = await app.listen({ port, host: '127.0.0.1' });

  return {
    /** Destination of the announcements. */
    url: origin + PATH,
    /** Returns the distinct announcements, in order of arrival. */
    received: tally.received,
    tally: tally.counts,
    /** Returns the number of requests that were not authentic announcements. */
    refused: () => refused,
    /** Returns the number of accepted announcements that said that they are tests. */
    tests: () => tests,
    /** Sets the answer to authentic announcements from now on; only those answered with 2xx are received. */
    setAnswer(status: number, headers: Readonly<Record<string, string>> = {}, text?: string) {
      answer = { status, headers, ...(text !== undefined && { text }) };
    },
    /** Reports whether an announcement was once refused because of its size. */
    isTooLarge: refusals.isTooLarge,
    setLies: liar.set,
    close: () => app.close(),
  };
}

function readAnnouncement(webhook: Webhook, body: unknown, headers: object): Received | 'test' | undefined {
  try {
    const announcement = webhook.verify(body as Buffer, headers as Record<string, string>);
    return memberOf(announcement, 'type') === TEST_TYPE ? 'test' : receivedSchema.parse(announcement);
  } catch {
    return undefined;
  }
}
