import { onTestFinished } from 'vitest';
import { type AnnounceInput, announce } from '../../activities/announce.ts';
import type { ActivityDeps } from '../../activities/ports/deps.ts';
import { recordFor } from '../../activities/record.ts';
import { createDestination } from '../../src/destinations/kinds/http.ts';
import type { Tracing } from '../../src/domain/tracing.ts';
import { secret } from '../destinations/announcements/announcements.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';
import { hold } from '../support/make.ts';
import { type Reply, startRecordingServer } from '../warehouse/recording-server.ts';
import { type Delivered, deliver, depsOn, quietEnvironment } from './deps.ts';

/** The n-th event of the hold, counted from 1. */
export const turn = (n: number, rest: Partial<Delivered> = {}): Delivered => ({
  id: `9104:${n}`,
  name: n % 2 ? 'InventoryPlaceOnHold' : 'InventoryReleaseFromHold',
  time: n,
  shown: { onHold: n % 2 === 1 },
  ...(rest.resource !== undefined && { carriesResource: true }),
  ...rest,
});

/** A destination that answers each announcement as requested, by default with 204. Closes with the test. */
export async function openDestination(
  answer: (id: string, attempt: number) => Reply | Promise<Reply> = () => ({ status: 204 }),
  tracing?: Tracing,
) {
  const posts: string[] = [];
  const { url, requests } = await startRecordingServer(({ headers }) => {
    const id = String(headers['webhook-id']);
    posts.push(id);
    return answer(id, posts.filter((post) => post === id).length);
  });
  const destination = createDestination({ url, secret: [secret], timeoutMs: 60_000, allowedAddresses: [], tracing });
  onTestFinished(() => destination.close());
  return { posts, requests, destination: { ...destination, name: 'default', filter: {} } };
}

/** Announcements of one subject that were recorded and wait to be sent; `answer` is given their places, from 1. */
export async function openAnnouncing({
  count = 2,
  answer = () => ({ status: 204 }),
  leaseMs,
  now,
  resource,
  ...rest
}: Partial<ActivityDeps> & {
  readonly count?: number;
  readonly answer?: (place: number, attempt: number) => Reply | Promise<Reply>;
  readonly leaseMs?: number;
  /** Record in each message, as JSON text. */
  readonly resource?: string;
  readonly now?: () => number;
} = {}) {
  const store = await openTemporaryStore(now ? { now } : {});
  const ids: string[] = [];
  const { posts, destination } = await openDestination((id, attempt) => answer(ids.indexOf(id) + 1, attempt));
  const deps = depsOn(store, { destinationOf: () => destination, ...rest });
  const eventIds = await deliver(
    store,
    hold,
    ...Array.from({ length: count }, (_, index) => turn(index + 1, resource === undefined ? {} : { resource })),
  );
  const leaseMsOf = leaseMs === undefined ? undefined : () => leaseMs;
  const { leased, announce: ways } = await recordFor(deps, { subject: hold, known: null, eventIds }, leaseMsOf);
  ids.push(...(ways.default ?? []));
  const attempt = (input: Partial<AnnounceInput> & { readonly attempt?: number } = {}) => {
    const { attempt: number = 1, ...others } = input;
    const environment = quietEnvironment({ attempt: number });
    const whole = { subject: hold, destination: 'default', ids, ...others };
    return { environment, done: environment.run(announce, deps, whole) };
  };
  return {
    store,
    deps,
    ids,
    announcements: leased,
    attempt,
    /** The places of what was posted. */
    posts: () => posts.map((id) => ids.indexOf(id) + 1),
    unsent: async () => ((await store.subjects.unsent(hold)).default ?? []).map((id) => ids.indexOf(id) + 1),
  };
}

/** Answers that are given one by one, counted from 0, each of them once it is asked for. */
export function openAnswers() {
  const answers: { readonly asked: PromiseWithResolvers<void>; readonly given: PromiseWithResolvers<Reply> }[] = [];
  const at = (index: number) => {
    answers[index] ??= { asked: Promise.withResolvers(), given: Promise.withResolvers() };
    return answers[index];
  };
  let count = 0;
  return {
    next: () => {
      const { asked, given } = at(count);
      count += 1;
      asked.resolve();
      return given.promise;
    },
    asked: (index: number) => at(index).asked.promise,
    give: (index: number, reply: Reply = { status: 204 }) => at(index).given.resolve(reply),
  };
}
