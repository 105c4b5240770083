import { describe, expect, it } from 'vitest';
import { report, type SubjectLine } from '../../../sandbox/demonstration/report.ts';
import type { Summary } from '../../../sandbox/demonstration/summary.ts';

const summary: Summary = {
  orders: 2,
  webhooks: { sent: 12, accepted: 11, duplicates: 1, quarantined: 0, undelivered: 0 },
  stages: { confirmed: 1, canceled: 1 },
  others: { receipt: { confirmed: 1 }, adjustment: {}, assembly: {}, item: {}, stock: { current: 2 }, hold: {} },
  wrongStages: [],
  stock: { events: 9, announcements: 4, wrongLevels: [] },
  announcements: { expected: 11, received: 11, duplicates: 0, missing: 0, outOfOrder: 0, false: 0 },
  falsehoods: [],
  lies: {},
  quantities: 0,
  warehouseCalls: 9,
  elapsedMs: 1234,
};

const orders: SubjectLine[] = [
  { kind: 'order', id: '31', referenceNumber: 'OR31X', stage: 'confirmed', revision: 7, attention: [] },
  {
    kind: 'receipt',
    id: '3200',
    referenceNumber: null,
    stage: 'canceled',
    revision: 4,
    attention: ['unannounced', 'failing'],
  },
  { kind: 'item', id: '7', referenceNumber: null, stage: 'created', revision: 1, attention: ['stalled'] },
];

describe('the report', () => {
  it('lists the subjects with every reason for attention, and reports that nothing is wrong', () => {
    expect(report(orders, summary)).toBe(
      `subject       reference  stage      announced  attention
────────────  ─────────  ─────────  ─────────  ────────────────────
order 31      OR31X      confirmed  7
receipt 3200             canceled   4          unannounced, failing
item 7                   created    1          stalled

2 orders in 1.2 s: 1 confirmed, 1 canceled
receipts       1 confirmed
stock          2 current
webhooks       12 sent, 11 accepted, 1 duplicates, 0 quarantined
announcements  11 expected, 11 received, 0 missing, 0 duplicates, 0 out of order, 0 false
stock levels   9 changes in 4 announcements
warehouse      9 calls
attention      2: the board says why on the page of each
Nothing missing, nothing duplicated, nothing out of order, nothing false.`,
    );
  });

  it('names everything that is wrong', () => {
    const text = report(orders, { ...summary, wrongStages: ['order:1:31 is created, not confirmed'] });
    expect(text).toContain('wrong stage    order:1:31 is created, not confirmed');
    expect(text).toContain('FAILED: see the counts above.');
    const falsehoods = ['order:1:31/1/created: its order is that of 32'];
    expect(report(orders, { ...summary, falsehoods })).toContain('false          order:1:31/1/created: its order is');
    const stock = { ...summary.stock, wrongLevels: ['stock:1:12.7. has other levels than the warehouse'] };
    expect(report(orders, { ...summary, stock })).toContain('wrong levels   stock:1:12.7. has other');
  });
});
