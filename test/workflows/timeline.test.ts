import { describe, expect, it } from 'vitest';
import { brief, describeChange, describeRetrieval, shorten, withoutSubject } from '../../workflows/timeline.ts';

describe('the timeline', () => {
  const time = Date.UTC(2026, 1, 11, 16, 42, 19, 63);
  const change = { revision: 3, milestone: 'packed', time, cause: 'event', late: false } as const;

  it('says when, what, and what told of it', () => {
    const event = { id: '9104:7', name: 'OrderPackComplete', milestone: 'packed', time, plan: [] } as const;
    expect(describeChange({ ...change, event })).toBe(
      '- `2026-02-11T16:42:19.063Z` **packed** · revision 3 · OrderPackComplete (9104:7)',
    );
    expect(describeChange({ ...change, event, late: true })).toMatch(/ · late$/);
    expect(describeChange({ ...change, cause: 'snapshot' })).toContain('shown by the resource itself');
    expect(describeChange({ ...change, cause: 'clock' })).toContain('by the clock');
  });

  it('says what was fetched and what was refused', () => {
    expect(describeRetrieval(time, ['getOrder', 'getUser'], ['getUser: GET /uiproperties/users/1 answered 404'])).toBe(
      '- `2026-02-11T16:42:19.063Z` fetched getOrder, getUser · refused: getUser: GET /uiproperties/users/1 answered 404',
    );
  });

  it('keeps the newest lines', () => {
    const lines = Array.from({ length: 100 }, (_, index) => String(index));
    expect(shorten(lines)).toEqual(lines.slice(40));
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
