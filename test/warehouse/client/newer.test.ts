import { describe, expect, it } from 'vitest';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';
import { judge } from '../../../src/warehouse/client/page-answer.ts';

const at = (clock: string | undefined, snapshot: Snapshot = { status: 'open' }, more: object = {}) => ({
  snapshot,
  ...(clock && { changedAt: clock.includes(':') ? `2026-02-11T${clock}` : clock }),
  ...more,
});

const reports = (milestone: Milestone | null, clock?: string) => [
  { milestone, changedAt: clock && `2026-02-11T${clock}` },
];

type Row = ReturnType<typeof at>;
const open = { status: 'open' } as const;
const closed = { status: 'closed' } as const;

describe('a row of a listing', () => {
  it.each<[string, ReturnType<typeof judge>, Row, Row | undefined, ReturnType<typeof reports>]>([
    ['of which nothing is known', 'newer', at('10:42:10'), undefined, []],
    ['that does not say when it was changed', 'unclear', at(undefined, closed), undefined, reports('confirmed')],
    ['with a time that nobody can read', 'unclear', at('11 Feb 10:42:10'), at('10:42:09'), []],
    ['that is newer than what is stored', 'newer', at('10:42:10'), at('10:42:09'), []],
    ['as new as what is stored', 'unclear', at('10:42:10.063'), at('10:42:10.063'), []],
    [
      'as new as what is stored, of which the message is no newer',
      'newer',
      at('10:42:10.063'),
      at('10:42:10.063'),
      reports('updated', '10:42:10.063'),
    ],
    [
      'as new as what is stored, with something else',
      'unclear',
      at('10:42:10', closed),
      at('10:42:10'),
      reports('confirmed', '10:42:10'),
    ],
    ['older than what is stored', 'older', at('10:42:08'), at('10:42:09'), []],
    ['where what is stored does not say when it was changed', 'unclear', at('10:42:10'), at(undefined), []],
    ['with a zone, where what is stored has none', 'unclear', at('10:42:10Z'), at('09:42:09'), []],
    ['with fewer digits of a later second', 'newer', at('10:42:10'), at('10:42:09.9630000'), []],
    ['newer than the record in the message', 'newer', at('10:42:10'), undefined, reports('updated', '10:42:09')],
    ['older than it', 'older', at('10:42:10'), undefined, reports('updated', '10:42:11')],
    [
      'older than it, though it shows the event',
      'older',
      at('10:42:10', closed),
      undefined,
      reports('confirmed', '10:42:11'),
    ],
    ['of the same second', 'unclear', at('10:42:10'), undefined, reports('updated', '10:42:10')],
    [
      'of the same second, that shows the event',
      'newer',
      at('10:42:10', closed),
      undefined,
      reports('confirmed', '10:42:10'),
    ],
    ['of the same millisecond', 'newer', at('10:42:10.063'), undefined, reports('updated', '10:42:10.063')],
    [
      'newer, without what the event reports',
      'older',
      at('10:42:19', open),
      undefined,
      reports('confirmed', '10:42:09'),
    ],
    ['of an event whose message has no record', 'unclear', at('10:42:10'), at('10:42:09'), reports('updated')],
    [
      'that shows the event, and what is stored does not',
      'newer',
      at('10:42:10', closed),
      at('10:42:09', open),
      reports('confirmed'),
    ],
    [
      'that shows it as what is stored does',
      'unclear',
      at('10:42:10', closed),
      at('10:42:09', closed),
      reports('confirmed'),
    ],
    ['that is the first to show the event', 'newer', at('10:42:10', closed), undefined, reports('confirmed')],
    ['that is open as each is at first', 'unclear', at('10:42:10', open), undefined, reports('unconfirmed')],
    ['that is open again', 'newer', at('10:42:10', open), at('10:42:09', closed), reports('unconfirmed')],
    ['that was created', 'newer', at('10:42:10'), undefined, reports('created')],
    ['that is not complete yet', 'older', at('10:42:10', open, { isDeferred: true }), undefined, reports('created')],
    [
      'of which the newest events are several',
      'unclear',
      at('10:42:10', closed),
      undefined,
      [...reports('confirmed'), ...reports('updated')],
    ],
  ])('%s: %s', (_, verdict, row, stored, newest) => {
    expect(judge(row, { stored, newest })).toBe(verdict);
  });
});
