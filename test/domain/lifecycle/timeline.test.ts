import { describe, expect, it } from 'vitest';
import { withoutSubject } from '../../../src/domain/catalogue/subject.ts';
import {
  brief,
  describeChange,
  describeFailure,
  describeResults,
  describeRetrieval,
} from '../../../src/domain/lifecycle/timeline.ts';

const time = Date.UTC(2026, 1, 11, 16, 42, 19, 63);

describe('the timeline', () => {
  const change = { revision: 3, milestone: 'packed', time, cause: 'event', late: false } as const;

  it('has the time, the milestone and the source', () => {
    const event = { id: '9104:7', name: 'OrderPackComplete', milestone: 'packed', time, plan: [] } as const;
    expect(describeChange({ ...change, event })).toBe(
      '- `2026-02-11T16:42:19.063Z` **packed** · revision 3 · OrderPackComplete (9104:7)',
    );
    expect(describeChange({ ...change, event, late: true })).toMatch(/ · late$/);
    expect(describeChange({ ...change, cause: 'snapshot' })).toContain('shown by the resource itself');
    expect(describeChange({ ...change, cause: 'clock' })).toContain('by the clock');
  });

  it('names each GET with its status and duration, and what was refused', () => {
    const calls = [
      { operation: 'getOrder', status: 200, ms: 41 },
      { operation: 'getUser', status: 404, ms: 7 },
      { operation: 'getCustomer', status: null, ms: 5000 },
    ];
    const refused = [{ operation: 'getUser', id: '1', message: 'GET /uiproperties/users/1 answered 404' }] as const;
    expect(describeRetrieval(time, { calls, refused })).toBe(
      '- `2026-02-11T16:42:19.063Z` GET order 200 in 41 ms, GET user 404 in 7 ms, GET customer failed in 5000 ms' +
        ' · refused: getUser: GET /uiproperties/users/1 answered 404',
    );
    expect(describeRetrieval(time, { calls: [], refused: [] })).toMatch(/Z` nothing new to GET$/);
  });

  it('says of a GET how many others it was for', () => {
    const calls = [
      { operation: 'getOrder', status: 200, ms: 240, others: 36 },
      { operation: 'getOrdersPicklist', status: 200, ms: 150, others: 1 },
    ];
    expect(describeRetrieval(time, { calls, refused: [] })).toBe(
      '- `2026-02-11T16:42:19.063Z` GET orders 200 in 240 ms, with 36 others, GET pick list 200 in 150 ms, with 1 other',
    );
  });

  it('says why a first attempt failed', () => {
    expect(describeFailure(time, 'getOrder: GET /orders/31 answered 503')).toBe(
      '- `2026-02-11T16:42:19.063Z` failed at first · getOrder: GET /orders/31 answered 503',
    );
  });

  it('names what the destination acknowledged, with its status, in one line, and what was given up in one each', () => {
    const result = (revision: number, milestone: string) => ({ id: `order:9104:31/${revision}/${milestone}`, ms: 12 });
    const sent = [
      { ...result(1, 'created'), status: 204 },
      { ...result(2, 'picked'), status: 200 },
    ];
    const deadLettered = { ...result(3, 'packed'), status: 422, deadLettered: 'POST answered 422' };
    expect(describeResults(time, [...sent, deadLettered])).toEqual([
      '- `2026-02-11T16:42:19.063Z` announced 1/created 204 (12 ms), 2/picked 200 (12 ms)',
      '- `2026-02-11T16:42:19.063Z` **dead-lettered** 3/packed · POST answered 422',
    ]);
    expect(describeResults(time, [deadLettered])).toHaveLength(1);
    expect(describeResults(time, [])).toEqual([]);
  });
});

describe('a summary', () => {
  it('stays within what Temporal takes, however long the list', () => {
    const ids = Array.from({ length: 200 }, (_, index) =>
      withoutSubject(`order:9104:31/${index + 1}/excludedFromPickJob`),
    );
    expect(brief(ids)).toMatch(/^1\/excludedFromPickJob, .+ and 195 more$/);
    expect(Buffer.byteLength(brief(ids))).toBeLessThan(200);
    expect(brief(ids.slice(0, 2))).toBe('1/excludedFromPickJob, 2/excludedFromPickJob');
    expect(brief([])).toBe('');
  });
});
