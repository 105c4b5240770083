import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createAnnouncement, createTestAnnouncement } from '../../src/destinations/announcements/cloud-event.ts';
import { createDestination } from '../../src/destinations/kinds/http.ts';
import type { Milestone } from '../../src/domain/lifecycle/milestone.ts';
import type { OutgoingAnnouncement } from '../../src/domain/outgoing.ts';
import { permitAnyone } from '../../src/domain/permission.ts';
import { packed } from '../../test/destinations/announcements/announcements.ts';

/** Outcome of a request, and the answer to it. */
const expectations = {
  taken: { isAuthentic: true, outcome: 'taken', status: 204 },
  duplicate: { isAuthentic: true, outcome: 'duplicate', status: 204 },
  early: { isAuthentic: true, outcome: 'early', status: 425 },
  ignored: { isAuthentic: true, outcome: 'ignored', status: 204 },
  refused: { isAuthentic: false, outcome: 'refused', status: 401 },
} as const;

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Request as Dockline sends it. */
export type VectorRequest = Sent & (typeof expectations)[keyof typeof expectations];

/** Case that every receiver can be tried with. It begins with an empty store. */
export interface Vector {
  readonly description: string;
  /** Secret of the receiver. */
  readonly secret: string;
  /** Time by the receiver's clock, in seconds since the epoch. */
  readonly time: number;
  readonly requests: readonly VectorRequest[];
}

const secretOf = (words: string): string => `whsec_${Buffer.from(words).toString('base64')}`;
const secret = secretOf('the secret of the test vectors');
const next = secretOf('the secret that replaces that one');
const time = Date.UTC(2026, 1, 11, 10, 31) / 1000;

/** Announcement of an order, with the revision of the one before. */
function announcementOf(revision: number, milestone: Milestone, previous: number | null): OutgoingAnnouncement {
  const { subject, lifecycle } = packed;
  const announcement = createAnnouncement({
    subject,
    change: { revision, milestone, time: (time - 60) * 1000, cause: 'snapshot', late: false },
    lifecycle: { ...lifecycle, revision },
    resources: { order: '{"notes":"Grüße","weight":1.10}' },
    resourceFrom: 'warehouse',
    missing: [],
  });
  return { ...announcement, previous, isReplay: false };
}

const first = announcementOf(1, 'created', null);
const second = announcementOf(2, 'picked', 1);
const third = announcementOf(3, 'packed', 2);
const fourth = announcementOf(4, 'confirmed', 1);
const rename = (it: string): string => it.replaceAll('confirmed', 'teleported');
const unknown = { ...fourth, id: rename(fourth.id), body: rename(fourth.body) };
const trial = createTestAnnouncement(packed.subject.tenant, time * 1000);
const id = 'test/0b9f5a52-5f0c-4a39-9d0e-3f6d2b8c1a47';
const test = { ...trial, id, body: trial.body.replace(trial.id, id) };

interface SendingOptions {
  readonly secrets?: readonly string[];
  /** When it is sent, in seconds since the epoch. */
  readonly at?: number;
}

/** Has Dockline's destination send announcements to a server of its own; returns what arrives there. */
async function withServer<T>(
  use: (send: (announcement: OutgoingAnnouncement, options?: SendingOptions) => Promise<Sent>) => Promise<T>,
): Promise<T> {
  let arrived: Sent | undefined;
  const server = createServer(async (request, response) => {
    const own = Object.entries(request.headers).filter(([name]) => /^(webhook-|content-type|dockline-)/.test(name));
    arrived = { headers: Object.fromEntries(own) as Sent['headers'], body: await text(request) };
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await use(async (announcement, { secrets = [secret], at = time } = {}) => {
      const options = { url, secret: secrets, timeoutMs: 60_000, allowedAddresses: [], now: () => at * 1000 };
      const destination = createDestination(options);
      await destination.send(permitAnyone(announcement), new AbortController().signal);
      await destination.close();
      return arrived as Sent;
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Composes the vectors, by the names of their files. */
export async function composeVectors(): Promise<Readonly<Record<string, Vector>>> {
  const { taken, duplicate, early, ignored, refused } = expectations;
  const vectorOf = (description: string, ...requests: VectorRequest[]): Vector => ({
    description,
    secret,
    time,
    requests,
  });
  return await withServer(async (send) => {
    const [one, two, three] = [await send(first), await send(second), await send(third)];
    return {
      structured: vectorOf('Announcements of an order are taken in order.', { ...one, ...taken }, { ...two, ...taken }),
      'bad-signature': vectorOf(
        'Nothing is taken that was signed with another secret, changed on the way, or not signed.',
        { ...(await send(first, { secrets: [next] })), ...refused },
        { ...one, body: one.body.replace('created', 'deleted'), ...refused },
        { ...one, headers: { ...one.headers, 'webhook-id': two.headers['webhook-id'] as string }, ...refused },
        { ...one, headers: { 'content-type': one.headers['content-type'] as string }, ...refused },
      ),
      timestamp: vectorOf(
        'A timestamp is at most five minutes from now, in either direction.',
        { ...(await send(first, { at: time - 360 })), ...refused },
        { ...(await send(first, { at: time + 360 })), ...refused },
        { ...(await send(first, { at: time - 240 })), ...taken },
      ),
      'two-secrets': vectorOf(
        'While a secret is replaced, both sign, and one signature that matches is enough.',
        { ...(await send(first, { secrets: [next, secret] })), ...taken },
        { ...(await send(second, { secrets: [secret, next] })), ...taken },
        { ...(await send(third, { secrets: [next] })), ...refused },
      ),
      duplicate: vectorOf(
        'A copy is acknowledged and not taken again, also after later ones.',
        { ...one, ...taken },
        { ...(await send(first, { at: time - 5 })), ...duplicate },
        { ...two, ...taken },
        { ...one, ...duplicate },
      ),
      replay: vectorOf(
        'What somebody had sent again is a duplicate, unless the receiver wants replays.',
        { ...one, ...taken },
        { ...(await send({ ...first, isReplay: true })), ...duplicate },
        { ...(await send({ ...second, isReplay: true })), ...taken },
      ),
      gap: vectorOf(
        'What comes before a missing one is answered 425, and taken once that has come.',
        { ...two, ...early },
        { ...one, ...taken },
        { ...three, ...early },
        { ...two, ...taken },
        { ...three, ...taken },
      ),
      filter: vectorOf(
        'What a filter leaves out is no gap: only data.previous decides.',
        { ...one, ...taken },
        { ...(await send(fourth)), ...taken },
      ),
      'unknown-type': vectorOf(
        'A type that the receiver does not know is acknowledged, and counts in the order.',
        { ...one, ...taken },
        { ...(await send(unknown)), ...taken },
        { ...(await send(unknown)), ...duplicate },
        { ...(await send(announcementOf(5, 'unconfirmed', 4))), ...taken },
      ),
      'connection-test': vectorOf('A test of the connection is acknowledged, and nothing else is done.', {
        ...(await send(test)),
        ...ignored,
      }),
    };
  });
}
