import { describe, expect, it } from 'vitest';
import { advance } from '../../activities/advance.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { openTraces } from '../observability/tracing/open-traces.ts';
import { hold } from '../support/make.ts';
import { openDestination, turn } from './announcing.ts';
import { type Delivered, deliver, quietEnvironment } from './deps.ts';
import { openRetrieving, stopStopwatch } from './retrieving.ts';

const [first, second] = ['aa', 'bb'].map((digits) => digits.repeat(16)) as [string, string];
const traceOf = (traceId: string) => `00-${traceId}-${'cd'.repeat(8)}-01`;

/** Advances a subject, for which traced events wait, inline; returns the spans and the requests to the destination. */
async function advanceTraced(delivered: readonly Delivered[], of?: SubjectRef) {
  stopStopwatch();
  const { collector, tracing } = await openTraces();
  const { requests, destination } = await openDestination(undefined, tracing);
  const { store, deps, subject } = await openRetrieving({ deps: { tracing, destinationOf: () => destination } });
  await deliver(store, of ?? subject, ...delivered);
  await quietEnvironment().run(advance, deps, {
    subject: of ?? subject,
    known: null,
    refresh: false,
    retrieve: true,
    announce: true,
    busy: [],
    lingerMs: 0,
  });
  await tracing.close();
  const spanOf = (name: string) => collector.spans().find((span) => span.name === name);
  return { spanOf, requests };
}

describe('events that travel together', () => {
  it('continue the trace of the first and link those of the others, up to the announcement', async () => {
    const { spanOf, requests } = await advanceTraced([
      { id: '9104:1', name: 'OrderCreate', time: 1000, trace: traceOf(first) },
      { id: '9104:2', name: 'OrderUpdate', time: 2000, trace: traceOf(second) },
    ]);
    const [retrieve, record, announce] = ['retrieve order', 'record order', 'announce'].map(spanOf);
    expect(retrieve).toMatchObject({ traceId: first, parentId: 'cd'.repeat(8) });
    expect(retrieve?.links).toEqual([`${second} ${'cd'.repeat(8)}`]);
    expect(record).toMatchObject({ traceId: first, parentId: retrieve?.spanId });
    expect(announce).toMatchObject({ traceId: first, parentId: record?.spanId });
    expect(announce?.attributes).toMatchObject({ 'http.response.status_code': 204 });
    const [{ body = '', headers } = {}] = requests;
    expect(JSON.parse(body).traceparent).toBe(`00-${first}-${record?.spanId}-01`);
    expect(headers?.traceparent).toBe(`00-${first}-${announce?.spanId}-01`);
  });

  it('have one trace also where nothing is to be fetched', async () => {
    const traced = [first, second].map((traceId, index) => ({ ...turn(index + 1), trace: traceOf(traceId) }));
    const { spanOf } = await advanceTraced(traced, hold);
    expect(spanOf('record hold')).toMatchObject({ traceId: first, links: [`${second} ${'cd'.repeat(8)}`] });
    expect(spanOf('retrieve hold')).toBeUndefined();
  });
});

it('an event without a trace begins one', async () => {
  const { spanOf } = await advanceTraced([{ id: '9104:1', name: 'OrderCreate', time: 1000 }]);
  expect(spanOf('retrieve order')).toMatchObject({ parentId: '', links: [] });
  expect(spanOf('announce')?.traceId).toBe(spanOf('retrieve order')?.traceId);
});
