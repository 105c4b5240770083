import fastify from 'fastify';
import { Webhook } from 'standardwebhooks';
import { TEST_TYPE } from '../../announcements/test-announcement.ts';
import { memberOf } from '../../domain/json.ts';
import { createTally, type Received, receivedSchema } from './tally.ts';

/** Options of a receiver. */
interface ReceiverOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Secret that signs the announcements: `whsec_<base64>`. */
  readonly secret: string;
}

/** Running receiver of announcements. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Maximum size of an announcement, in bytes: an order of the warehouse may have 32 MB. */
const BODY_LIMIT = 64 * 1024 * 1024;

const PATH = '/announcements';

/** Starts a receiver. It verifies announcements with the library of Standard Webhooks, as any consumer would, not with Dockline's own code. */
export async function startReceiver({ port, secret }: ReceiverOptions) {
  const tally = createTally();
  const webhook = new Webhook(secret);
  let answer: { status: number; headers: Readonly<Record<string, string>> } = { status: 204, headers: {} };
  let refused = 0;
  let tests = 0;

  const app = fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(PATH, async (request, reply) => {
    const received = readAnnouncement(webhook, request.body, request.headers);
    if (!received) {
      refused += 1;
      return reply.code(401).send();
    }
    if (answer.status >= 200 && answer.status <= 299) {
      if (received === 'test') tests += 1;
      else tally.add(received);
    }
    return reply.code(answer.status).headers(answer.headers).send();
  });
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
    setAnswer(status: number, headers: Readonly<Record<string, string>> = {}) {
      answer = { status, headers };
    },
    close: () => app.close(),
  };
}

function readAnnouncement(webhook: Webhook, body: unknown, headers: object): Received | 'test' | undefined {
  try {
    const verified = webhook.verify(body as Buffer, headers as Record<string, string>);
    const announcement = 'ce-id' in headers ? { ...attributesIn(headers), data: verified } : verified;
    return memberOf(announcement, 'type') === TEST_TYPE ? 'test' : receivedSchema.parse(announcement);
  } catch {
    return undefined;
  }
}

/** Reads the attributes of a CloudEvent in the binary mode. */
const attributesIn = (headers: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name.startsWith('ce-'))
      .map(([name, value]) => [name.slice('ce-'.length), decodeURIComponent(value)]),
  );
