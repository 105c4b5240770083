import { describe, expect, it } from 'vitest';
import type { Milestone } from '../../../src/domain/lifecycle/milestone.ts';
import type { Snapshot } from '../../../src/domain/lifecycle/snapshot.ts';
import { isNewer } from '../../../src/warehouse/client/page-answer.ts';

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
  it.each<[string, boolean, Row, Row | undefined, ReturnType<typeof reports>]>([
    ['of which nothing is known', true, at('10:42:10'), undefined, []],
    ['that does not say when it was changed', false, at(undefined, closed), undefined, reports('confirmed')],
    ['with a time that nobody can read', false, at('11 Feb 10:42:10'), at('10:42:09'), []],
    ['that is newer than what is stored', true, at('10:42:10'), at('10:42:09'), []],
    ['as new as what is stored', false, at('10:42:10.063'), at('10:42:10.063'), []],
    [
      'as new as what is stored, of which the message is no newer',
      true,
      at('10:42:10.063'),
      at('10:42:10.063'),
      reports('updated', '10:42:10.063'),
    ],
    [
      'as new as what is stored, with something else',
      false,
      at('10:42:10', closed),
      at('10:42:10'),
      reports('confirmed', '10:42:10'),
    ],
    ['older than what is stored', false, at('10:42:08'), at('10:42:09'), []],
    ['where what is stored does not say when it was changed', false, at('10:42:10'), at(undefined), []],
    ['with a zone, where what is stored has none', false, at('10:42:10Z'), at('09:42:09'), []],
    ['with fewer digits of a later second', true, at('10:42:10'), at('10:42:09.9630000'), []],
    ['newer than the record in the message', true, at('10:42:10'), undefined, reports('updated', '10:42:09')],
    ['older than it', false, at('10:42:10'), undefined, reports('updated', '10:42:11')],
    [
      'older than it, though it shows the event',
      false,
      at('10:42:10', closed),
      undefined,
      reports('confirmed', '10:42:11'),
    ],
    ['of the same second', false, at('10:42:10'), undefined, reports('updated', '10:42:10')],
    [
      'of the same second, that shows the event',
      true,
      at('10:42:10', closed),
      undefined,
      reports('confirmed', '10:42:10'),
    ],
    ['of the same millisecond', true, at('10:42:10.063'), undefined, reports('updated', '10:42:10.063')],
    ['newer, without what the event reports', false, at('10:42:19', open), undefined, reports('confirmed', '10:42:09')],
    ['of an event whose message has no record', false, at('10:42:10'), at('10:42:09'), reports('updated')],
    [
      'that shows the event, and what is stored does not',
      true,
      at('10:42:10', closed),
      at('10:42:09', open),
      reports('confirmed'),
    ],
    [
      'that shows it as what is stored does',
      false,
      at('10:42:10', closed),
      at('10:42:09', closed),
      reports('confirmed'),
    ],
    ['that is the first to show the event', true, at('10:42:10', closed), undefined, reports('confirmed')],
    ['that is open as each is at first', false, at('10:42:10', open), undefined, reports('unconfirmed')],
    ['that is open again', true, at('10:42:10', open), at('10:42:09', closed), reports('unconfirmed')],
    ['that was created', true, at('10:42:10'), undefined, reports('created')],
    ['that is not complete yet', false, at('10:42:10', open, { isDeferred: true }), undefined, reports('created')],
    [
      'of which the newest events are several',
      false,
      at('10:42:10', closed),
      undefined,
      [...reports('confirmed'), ...reports('updated')],
    ],
  ])('%s is newer: %s', (_, verdict, row, stored, newest) => {
    expect(isNewer(row, { stored, newest })).toBe(verdict);
  });
});
