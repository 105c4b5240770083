import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Announcement } from '../../../consumer/src/announcement.ts';
import { milestonesOf } from '../../../consumer/src/milestones.ts';
import { parseValue } from '../../../consumer/src/parse.ts';
import { handedOn } from '../../../consumer/workflow/src/handed-on.ts';
import { acceptGap, nothing, type Received, take } from '../../../consumer/workflow/src/received.ts';
import { milestoneOf, newestOf } from '../../../consumer/workflow/src/standing.ts';
import { registerOf } from '../../../src/domain/lifecycle/milestone.ts';
import { orderOf } from '../../support/make.ts';
import { announcementOf } from './announcements.ts';

/** Takes announcements in their order of arrival; returns what was received, and what came of each. */
function takeAll(announcements: readonly Announcement[], begin: Received = nothing) {
  let received = begin;
  const outcomes: string[] = [];
  const reached: string[] = [];
  for (const announcement of announcements) {
    const step = take(received, announcement);
    received = step.received;
    outcomes.push(step.outcome);
    reached.push(...step.reached.map(milestoneOf));
  }
  return { received, outcomes, reached, standing: received.standing.map(milestoneOf) };
}

const history = milestonesOf.order.map((milestone, index) => announcementOf(index + 1, milestone));
const inOrder = takeAll(history);

describe('announcements of a subject', () => {
  it('take effect in the order of the subject, each once, whatever the order of arrival and however often each comes', () => {
    const arrivals = fc
      .array(fc.constantFrom(...history), { maxLength: 20 })
      .chain((again) => fc.shuffledSubarray([...history, ...again], { minLength: history.length + again.length }));
    fc.assert(
      fc.property(arrivals, (announcements) => {
        const { received, reached } = takeAll(announcements);
        expect(reached).toEqual(inOrder.reached);
        expect(received).toEqual(inOrder.received);
      }),
    );
  });

  it('wait for the one that `previous` names, which leaves no gap where a filter left some out', () => {
    const filtered = [announcementOf(2, 'picked', { previous: null }), announcementOf(7, 'confirmed', { previous: 2 })];
    const { outcomes, standing } = takeAll(filtered.toReversed());
    expect(outcomes).toEqual(['early', 'taken']);
    expect(standing).toEqual(['picked', 'confirmed']);
  });

  it('are duplicates if they are replayed, and taken if the replay is the first to arrive', () => {
    const [created, packed] = [announcementOf(1, 'created'), announcementOf(2, 'packed')];
    const replayed = announcementOf(2, 'packed', { isReplay: true });
    expect(takeAll([created, packed, replayed]).outcomes).toEqual(['taken', 'taken', 'duplicate']);
    expect(takeAll([created, replayed, packed]).outcomes).toEqual(['taken', 'taken', 'duplicate']);
    expect(takeAll([replayed, packed, created]).outcomes).toEqual(['early', 'duplicate', 'taken']);
  });

  it('of another subject change nothing', () => {
    const other = announcementOf(2, 'packed', { subject: orderOf('2') });
    const { received, outcomes } = takeAll([announcementOf(1, 'created'), other]);
    expect(outcomes).toEqual(['taken', 'foreign']);
    expect(received).toEqual(takeAll([announcementOf(1, 'created')]).received);
  });

  it('of a type of a later Dockline have their place, and reach nothing', () => {
    const sent = { ...announcementOf(2, 'picked'), type: 'dockline.order.teleported' };
    const { outcomes, standing } = takeAll([
      announcementOf(1, 'created'),
      announcementOf(3, 'packed'),
      parseValue(sent),
    ]);
    expect(outcomes).toEqual(['taken', 'early', 'taken']);
    expect(standing).toEqual(['created', 'packed']);
  });
});

describe('a gap', () => {
  const [created, packed, confirmed] = [
    announcementOf(1, 'created'),
    announcementOf(4, 'packed'),
    announcementOf(6, 'confirmed'),
  ];

  it('that is accepted ends before the next one, and what was in it is dropped from then on', () => {
    const first = acceptGap(takeAll([created, confirmed, packed]).received);
    expect(first.reached.map(milestoneOf)).toEqual(['packed']);
    expect(first.received.early).toEqual([confirmed]);
    expect(takeAll([announcementOf(3, 'picked')], first.received).outcomes).toEqual(['duplicate']);
    expect(takeAll([announcementOf(5, 'updated')], first.received).reached).toEqual(['updated', 'confirmed']);
    expect(acceptGap(first.received).received).toMatchObject({ last: 6, early: [] });
  });

  it('is accepted even if the order of the announcements contradicts itself', () => {
    const impossible = announcementOf(2, 'packed', { previous: 9 });
    const { received } = acceptGap(takeAll([created, impossible]).received);
    expect(takeAll([announcementOf(3, 'confirmed')], received).standing).toEqual(['created', 'packed', 'confirmed']);
  });
});

describe('the standing milestones', () => {
  const pairs = Object.values(milestonesOf)
    .flatMap((some) => some.flatMap((one) => some.map((other) => [one, other] as const)))
    .filter(([one, other]) => one !== other);

  it('take back what the same register of a lifecycle holds, but an order that is overdue is at risk', () => {
    for (const [one, other] of pairs) {
      const { standing } = takeAll([announcementOf(1, one), announcementOf(2, other)]);
      const isTakenBack = registerOf(one) === registerOf(other) && !(one === 'atRisk' && other === 'overdue');
      expect(standing, `${one}, ${other}`).toEqual(isTakenBack ? [other] : [one, other]);
    }
  });

  it('have the newest announcement of each', () => {
    const { received } = takeAll([1, 2, 3].map((revision) => announcementOf(revision, 'updated')));
    expect(received.standing).toEqual([announcementOf(3, 'updated')]);
    expect(newestOf(received.standing, ['updated'], 2)).toEqual(announcementOf(3, 'updated'));
    expect(newestOf(received.standing, ['updated'], 3)).toBeUndefined();
    const several = newestOf(inOrder.received.standing, ['deleted', 'canceled', 'packed'], 0);
    expect(several && milestoneOf(several)).toBe('deleted');
  });

  it('do not change for what happened before it was taken back', () => {
    const reopened = announcementOf(1, 'unconfirmed', { time: 2000 });
    const late = { late: true, time: 1000 };
    expect(takeAll([reopened, announcementOf(2, 'confirmed', late)])).toMatchObject({
      standing: ['unconfirmed'],
      reached: ['unconfirmed'],
    });
    const inTime = announcementOf(2, 'confirmed', { ...late, late: false });
    expect(takeAll([reopened, inTime]).standing).toEqual(['confirmed']);
    const recovered = announcementOf(1, 'recovered', { time: 2000, cause: 'clock' });
    expect(takeAll([recovered, announcementOf(2, 'overdue', { ...late, cause: 'clock' })]).standing).toEqual([
      'overdue',
    ]);
  });

  it('of one line of an order are not taken back for another line', () => {
    const picked = announcementOf(1, 'itemPicked', { orderItemId: '1' });
    const unpicked = (orderItemId: string) => announcementOf(2, 'itemUnpicked', { orderItemId });
    expect(takeAll([picked, unpicked('2')]).standing).toEqual(['itemPicked', 'itemUnpicked']);
    expect(takeAll([picked, unpicked('1')]).standing).toEqual(['itemUnpicked']);
  });
});

describe('what is handed to the next run', () => {
  it('goes on as if it were the same run, without records', () => {
    const order = JSON.stringify({ notes: 'x'.repeat(100_000) });
    const whole = history.map((_, index) => announcementOf(index + 1, 'updated', { order }));
    const { received } = takeAll([...whole.slice(0, 5), ...whole.slice(6, 8)]);
    const next = JSON.parse(JSON.stringify(handedOn(received)));
    expect(JSON.stringify(next).length).toBeLessThan(5_000);
    expect(next.standing[0].data).toMatchObject({ order: null, missing: ['order'] });
    expect(takeAll([...whole.slice(5, 6)], next).received).toMatchObject({ last: 8, early: [] });
  });

  it('does not grow with the number of announcements', () => {
    const sizeOf = (announcements: readonly Announcement[]) =>
      JSON.stringify(handedOn(takeAll(announcements).received)).length;
    const life = (length: number) =>
      Array.from({ length }, (_, index) => announcementOf(index + 1, index % 2 ? 'confirmed' : 'unconfirmed'));
    expect(sizeOf(life(1000))).toBeLessThan(sizeOf(life(2)) + 50);
  });
});
