import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { createAnnouncing } from '../../activities/announce.ts';
import type { ActivityDeps } from '../../activities/ports.ts';

const ids = ['order:1:31/1/created', 'order:1:31/2/packed'];

/** An outbox in memory, and a destination that answers when it is told to. */
function open() {
  const sent = new Set<string>();
  const posts: string[] = [];
  const answers: { resolve(): void; reject(error: Error): void }[] = [];
  const deps = {
    outbox: {
      unsent: async (asked: string[]) =>
        asked.filter((id) => !sent.has(id)).map((id) => ({ id, revision: 1, body: '{}' })),
      markSent: async (acknowledged: string[]) => {
        for (const id of acknowledged) sent.add(id);
      },
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
  const { announce, announceAtOnce } = createAnnouncing();
  const attempt = () => {
    const environment = new MockActivityEnvironment();
    return { environment, done: environment.run(announce, deps, { tenant: '1', ids }) };
  };
  const attemptAtOnce = () => announceAtOnce(deps, { tenant: '1', ids });
  return { posts, answers, attempt, attemptAtOnce };
}

describe('announcing', () => {
  it('sends each announcement once it is its turn', async () => {
    const { posts, answers, attempt } = open();
    const { done } = attempt();
    await expect.poll(() => posts).toEqual([ids[0]]);
    answers[0]?.resolve();
    await expect.poll(() => posts).toEqual(ids);
    answers[1]?.resolve();
    await done;
  });

  it('leaves what is not taken at once, and takes up later what it has begun', async () => {
    const { posts, answers, attempt, attemptAtOnce } = open();
    const left = attemptAtOnce();
    await expect.poll(() => posts).toEqual([ids[0]]);
    expect(await left).toEqual(ids);
    const { done } = attempt();
    answers[0]?.resolve();
    await expect.poll(() => posts).toEqual(ids);
    answers[1]?.resolve();
    await done;
    expect(posts).toEqual(ids);
  });

  it('leaves what follows on what is refused at once', async () => {
    const { posts, answers, attemptAtOnce } = open();
    const left = attemptAtOnce();
    await expect.poll(() => posts).toEqual([ids[0]]);
    answers[0]?.resolve();
    await expect.poll(() => posts).toEqual(ids);
    answers[1]?.reject(new Error('answered 503'));
    expect(await left).toEqual([ids[1]]);
  });

  it('leaves nothing where everything is taken at once', async () => {
    const { answers, posts, attemptAtOnce } = open();
    const left = attemptAtOnce();
    for (const [index] of ids.entries()) {
      await expect.poll(() => posts).toHaveLength(index + 1);
      answers[index]?.resolve();
    }
    expect(await left).toEqual([]);
  });

  it('ends its sending when it is canceled, so that the next run can send', async () => {
    const { posts, attempt } = open();
    const { environment, done } = attempt();
    await expect.poll(() => posts).toEqual([ids[0]]);
    environment.cancel();
    await expect(done).rejects.toThrow();
  });

  it('sends again what failed', async () => {
    const { posts, answers, attempt } = open();
    const first = attempt();
    await expect.poll(() => posts).toHaveLength(1);
    answers[0]?.reject(new Error('answered 503'));
    await expect(first.done).rejects.toThrow('answered 503');
    void attempt().done.catch(() => undefined);
    await expect.poll(() => posts).toEqual([ids[0], ids[0]]);
  });
});
