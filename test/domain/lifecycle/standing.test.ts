import { describe, expect, it } from 'vitest';
import type { SubjectKind } from '../../../src/domain/catalogue/subject.ts';
import type { SavedSubject } from '../../../src/domain/lifecycle/attention.ts';
import type { Lifecycle } from '../../../src/domain/lifecycle/lifecycle.ts';
import { standingOf } from '../../../src/domain/lifecycle/standing.ts';
import { lifecycleOf, savedOf } from '../../support/make.ts';

const standingWith = (kind: SubjectKind, lifecycle: Partial<Lifecycle>, more: Partial<SavedSubject> = {}) =>
  standingOf(kind, savedOf({ lifecycle: lifecycleOf(lifecycle), stageSince: 1000, ...more }));

const picked = { milestone: 'picked', time: 5, eventId: '9104:5' } as const;
const stalled = { milestone: 'stalled', time: 6, eventId: null } as const;
const line = { milestone: 'itemPicked', time: 5, eventId: '9104:4' } as const;

describe('the current state of a subject', () => {
  it('is its stage, since when, its reasons for attention and the newest facts', () => {
    const snapshot = { status: 'open', customerId: '418', lineCount: 3 } as const;
    const registers = { pick: picked, attention: stalled, 'itemPick:70': line };
    expect(
      standingWith('order', { revision: 4, registers, lastEventTime: 5, snapshot }, { isUnannounced: true }),
    ).toEqual({
      revision: 4,
      stage: 'picked',
      reached: ['picked', 'stalled'],
      stageSince: 1000,
      isOver: false,
      isStalled: true,
      attention: ['stalled', 'unannounced'],
      lastEventTime: 5,
      snapshot,
      progress: { lines: 3, picked: 1, packed: 0 },
    });
  });

  it('exists for a subject without events', () => {
    expect(standingWith('order', {})).toMatchObject({
      revision: 0,
      stage: 'created',
      isOver: false,
      isStalled: false,
      attention: [],
      snapshot: null,
      progress: { lines: null, picked: 0, packed: 0 },
    });
  });

  it.each([
    ['order', 'closing', 'confirmed'],
    ['order', 'cancelation', 'canceled'],
    ['receipt', 'deletion', 'deleted'],
    ['stock', 'level', 'changed'],
    ['hold', 'hold', 'placedOnHold'],
  ] as const)('is over for the %s whose %s register says %s', (kind, register, milestone) => {
    const registers = { [register]: { milestone, time: 1, eventId: null } };
    expect(standingWith(kind, { registers }).isOver).toBe(true);
  });

  it('is over for an item in any stage, and for an order only at its end', () => {
    expect(standingWith('item', {}).isOver).toBe(true);
    expect(standingWith('order', { registers: { pick: picked } }).isOver).toBe(false);
  });

  it('has line progress for orders only', () => {
    expect(standingWith('receipt', {}).progress).toBeNull();
  });

  it('stays within a few kilobytes, whatever the length of texts and the number of lines', () => {
    const long = 'ß'.repeat(100_000);
    const registers = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`itemPick:${index}`, line]));
    const snapshot = { customerName: long, referenceNumber: long, status: 'open', fullyAllocated: true } as const;
    const standing = standingWith('order', { registers, snapshot });
    expect(standing.snapshot).toEqual({
      customerName: 'ß'.repeat(255),
      referenceNumber: 'ß'.repeat(255),
      status: 'open',
      fullyAllocated: true,
    });
    expect(standing.progress).toEqual({ lines: null, picked: 500, packed: 0 });
    expect(Buffer.byteLength(JSON.stringify(standing))).toBeLessThan(2000);
  });
});
