import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/admin/access.ts';
import { sourceOf } from '../../../src/admin/board/html.ts';
import type { Shown } from '../../../src/admin/views/view.ts';
import type { AnnouncementRow } from '../../../src/destinations/views/announcement-row.ts';
import type { ShownSubject } from '../../../src/subjects/views/subject/read.ts';
import { timeline } from '../../../src/subjects/views/subject/timeline.ts';

const at = (time: string) => new Date(`2026-03-${time}:00Z`);

type Retrieval = ShownSubject['retrievals'][number];

const get = { operation: 'getOrder', status: 200, ms: 12, others: 0 };

const fetched = (time: string, ...gets: readonly (typeof get)[]): Retrieval => ({
  at: at(time),
  gets,
  refused: [],
  failure: null,
});

const announcement = (revision: number, time: string, lastError: string | null): AnnouncementRow => ({
  id: `order:9104:1/${revision}/picked`,
  destination: 'default',
  subject: 'order:9104:1',
  type: 'order.picked',
  customerId: null,
  revision,
  state: lastError === null ? 'sent' : 'unsent',
  isOnHold: false,
  isReplay: false,
  attempts: 1,
  lastStatus: null,
  lastError,
  createdAt: at(time),
  sentAt: lastError === null ? at(time) : null,
  deadLetteredAt: null,
  deadLetterReason: null,
  bytes: 1,
  leftOut: [],
});

/** Shows the timeline of an order, as text. */
function show(
  { retrievals = [], announcements = [], webhooks = [] }: Partial<Given> = {},
  caller: Partial<Caller> = {},
): string {
  const row = { tenant: '9104', kind: 'order', id: '1', webhooks, announcements, notes: [], retrievals };
  const shown = {
    row: row as unknown as ShownSubject,
    now: 0,
    caller: { name: 'reader', roles: ['read'], ...caller },
  };
  return sourceOf(timeline(shown as unknown as Shown<ShownSubject>));
}

interface Given {
  readonly retrievals: readonly Retrieval[];
  readonly announcements: readonly AnnouncementRow[];
  readonly webhooks: readonly object[];
}

describe('the timeline of a subject', () => {
  it('folds GETs that follow each other, with their number', () => {
    const text = show({ retrievals: [fetched('02T10:00', get, get), fetched('02T10:01', get)] });
    expect(text.match(/<details/g)).toHaveLength(1);
    expect(text).toContain('3 GETs</span></summary>');
  });

  it('shows a single GET as it is', () => {
    expect(show({ retrievals: [fetched('02T10:00', get)] })).not.toContain('<details');
  });

  it('folds no GETs of which one failed', () => {
    const refused = [{ operation: 'getCustomer', message: 'GET /customers/418 answered 403' }];
    const retrievals = [
      { ...fetched('02T10:00', get, { ...get, operation: 'getCustomer' }), refused },
      { ...fetched('02T10:01'), failure: { operation: 'getOrder', message: 'GET /orders/1 answered 503' } },
    ];
    const text = show({ retrievals });
    expect(text).not.toContain('<details');
    expect(text).toContain('GET /customers/418 answered 403');
    expect(text).toContain('GET /orders/1 answered 503');
  });

  it('does not tell a customer that what goes to receivers of others goes to none', () => {
    const announcements = [{ ...announcement(1, '02T10:00', null), destination: null }];
    expect(show({ announcements })).toContain('for no destination');
    const limits = [{ tenant: '9104', customer: '418' }];
    expect(show({ announcements }, { limits })).not.toContain('for no destination');
  });

  const times = ['02T23:58', '02T23:59', '03T00:01'];
  it('has a heading for each day, newest first', () => {
    const text = show({ announcements: times.map((time, index) => announcement(index + 1, time, null)) });
    expect([...text.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, day]) => day)).toEqual(['2026-03-03', '2026-03-02']);
  });

  it('has one row for a step: what was received, fetched and sent to each destination', () => {
    const webhook = { id: 7, eventId: '9104:7', event: 'OrderPickJobDone', endpoint: 'warehouse', bytes: 9 };
    const receivedAt = new Date(at('02T10:00').getTime() - 800);
    const sent = { ...announcement(1, '02T10:00', null), sentAt: new Date(at('02T10:00').getTime() + 171) };
    const text = show({
      retrievals: [fetched('02T10:00', get)],
      announcements: [
        { ...sent, destination: 'erp' },
        { ...sent, destination: 'shop' },
      ],
      webhooks: [{ ...webhook, receivedAt, observedAt: at('02T10:00') }],
    });
    expect(text.match(/<li(?! class="day)/g)).toHaveLength(1);
    const words = text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    expect(words).toContain('Picked webhook 800 ms earlier → fetched in 12 ms → erp ✓ 171 ms, shop ✓ 171 ms');
  });

  it('has the later of two revisions of the same moment first, newest first', () => {
    const text = show({ announcements: [announcement(15, '02T10:00', null), announcement(14, '02T10:00', null)] });
    expect(text.indexOf('revision-15')).toBeLessThan(text.indexOf('revision-14'));
  });

  it('of nothing says so', () => {
    expect(show()).toContain('No entries.');
  });
});
