import fastify from 'fastify';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { type Counts, createTally, type Received } from './tally.ts';

/** Where the receiver listens and what the announcements are signed with. */
export interface ReceiverOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host?: string;
  /** `whsec_<base64>`. */
  readonly secret: string;
}

/** A running receiver of announcements. */
export interface Receiver {
  /** Where announcements are to be sent. */
  readonly url: string;
  /** One line for each distinct announcement, in the order of arrival. */
  received(): readonly Received[];
  tally(): Counts;
  /** How many requests were not authentic announcements. */
  refused(): number;
  /** Answers authentic announcements from now on with this; other than with 2xx they are not received. */
  setAnswer(status: number, headers?: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

/** The largest announcement that is taken, in bytes: an order of the warehouse may have 32 MB. */
const BODY_LIMIT = 64 * 1024 * 1024;

const PATH = '/announcements';

/**
 * Starts a receiver that verifies announcements as anyone's would, with the library of Standard Webhooks rather than
 * Dockline's own code, and keeps of them what the tally needs.
 */
export async function startReceiver({ port, host = '127.0.0.1', secret }: ReceiverOptions): Promise<Receiver> {
  const tally = createTally();
  const webhook = new Webhook(secret);
  let answer: { status: number; headers: Readonly<Record<string, string>> } = { status: 204, headers: {} };
  let refused = 0;

  const app = fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post(PATH, async (request, reply) => {
    const received = readAnnouncement(webhook, request.body, request.headers);
    if (!received) {
      refused += 1;
      return reply.code(401).send();
    }
    if (answer.status >= 200 && answer.status <= 299) tally.add(received);
    return reply.code(answer.status).headers(answer.headers).send();
  });
  const origin = await app.listen({ port, host });

  return {
    url: origin + PATH,
    received: tally.received,
    tally: tally.counts,
    refused: () => refused,
    setAnswer(status, headers = {}) {
      answer = { status, headers };
    },
    close: () => app.close(),
  };
}

const announcement = z
  .object({
    id: z.string(),
    source: z.string(),
    subject: z.string(),
    type: z.string(),
    time: z.iso.datetime(),
    sequence: z.coerce.number().int().positive(),
    data: z.object({ late: z.boolean(), inferred: z.boolean(), event: z.object({ id: z.string() }).nullable() }),
  })
  .transform(({ data, ...attributes }) => ({
    ...attributes,
    late: data.late,
    inferred: data.inferred,
    eventId: data.event?.id ?? null,
    receivedAt: Date.now(),
  }));

function readAnnouncement(webhook: Webhook, body: unknown, headers: object): Received | undefined {
  try {
    return announcement.parse(webhook.verify(body as Buffer, headers as Record<string, string>));
  } catch {
    return undefined;
  }
}
