import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { createAnnounce } from '../../activities/announce.ts';
import type { ActivityDeps } from '../../activities/ports.ts';

const ids = ['order:1:31/1/created', 'order:1:31/2/packed'];

/** An outbox in memory, and a destination that answers when it is told to. */
function open() {
  const sent = new Set<string>();
  const posts: string[] = [];
  const answers: { resolve(): void; reject(error: Error): void }[] = [];
  const deps = {
    outbox: {
      unsent: async (id: string) => (sent.has(id) ? undefined : { id, revision: 1, body: '{}' }),
      markSent: async (id: string) => void sent.add(id),
    },
    destinationOf: () => ({
      send: async ({ id }: { id: string }, signal: AbortSignal) => {
        posts.push(id);
        const answer = Promise.withResolvers<void>();
        answers.push(answer as (typeof answers)[number]);
        signal.addEventListener('abort', () => answer.reject(signal.reason));
        await answer.promise;
      },
    }),
  } as unknown as ActivityDeps;
  const announce = createAnnounce();
  const attempt = (isLocal: boolean) => {
    const environment = new MockActivityEnvironment({ isLocal });
    return { environment, done: environment.run(announce, deps, { tenant: '1', ids }) };
  };
  return { posts, answers, attempt };
}

describe('announcing', () => {
  it('sends each announcement once it is its turn', async () => {
    const { posts, answers, attempt } = open();
    const { done } = attempt(false);
    await expect.poll(() => posts).toEqual([ids[0]]);
    answers[0]?.resolve();
    await expect.poll(() => posts).toEqual(ids);
    answers[1]?.resolve();
    await done;
  });

  it('takes up what a local attempt that ran out of time has begun', async () => {
    const { posts, answers, attempt } = open();
    const local = attempt(true);
    await expect.poll(() => posts).toEqual([ids[0]]);
    local.environment.cancel();
    const regular = attempt(false);
    answers[0]?.resolve();
    await expect(local.done).rejects.toThrow();
    await expect.poll(() => posts).toEqual(ids);
    answers[1]?.resolve();
    await regular.done;
    expect(posts).toEqual(ids);
  });

  it('ends its sending when it is canceled, so that the next run can send', async () => {
    const { posts, attempt } = open();
    const { environment, done } = attempt(false);
    await expect.poll(() => posts).toEqual([ids[0]]);
    environment.cancel();
    await expect(done).rejects.toThrow();
  });

  it('sends again what failed', async () => {
    const { posts, answers, attempt } = open();
    const first = attempt(false);
    await expect.poll(() => posts).toHaveLength(1);
    answers[0]?.reject(new Error('answered 503'));
    await expect(first.done).rejects.toThrow('answered 503');
    void attempt(false).done.catch(() => undefined);
    await expect.poll(() => posts).toEqual([ids[0], ids[0]]);
  });
});
