import { expect, it } from 'vitest';
import { type Alert, advanceAll, type Change, type Notified, newsFor } from '../../../src/domain/health/alert.ts';
import type { ConditionName } from '../../../src/domain/health/condition.ts';
import { type Incident, toIncident } from '../../../src/domain/health/incident.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = 30 * DAY;

const found = (condition: ConditionName, rest: Partial<Incident> = {}): Incident => ({
  ...toIncident(condition, { place: '9104', title: 'It fails', ended: 'it is well' }, NOW - DAY),
  count: 3,
  sort: '503',
  ...rest,
});

const alertOf = (finding: Incident, rest: Partial<Alert> = {}): Alert => ({
  ...{ finding, phase: 'open', since: NOW - DAY, goneSince: null, most: 3, notified: {} },
  ...rest,
});

/** Position of a channel that was told an hour ago, of three records that are answered 503. */
const notified = (rest: Partial<Notified> = {}): Notified => ({
  ...{ as: 'open', at: NOW - 60 * MINUTE, count: 3, sort: 'warehouse-failing 503' },
  ...rest,
});

const failing = found('warehouse-failing');
const acknowledged = { acknowledged: { by: 'ana', at: NOW } };

it.each<[story: string, alert: Partial<Alert>, position: Notified | undefined, change: Change | undefined]>([
  ['is noticed', { phase: 'noticed' }, undefined, undefined],
  ['opened', {}, undefined, 'opened'],
  ['opened again, of which the channel knows the end', {}, notified({ as: 'over' }), 'opened'],
  ['is as the channel knows it', {}, notified(), undefined],
  ['has other answers', { finding: { ...failing, sort: '500' } }, notified(), 'changed'],
  [
    'has other answers within a minute',
    { finding: { ...failing, sort: '500' } },
    notified({ at: NOW - 30_000 }),
    undefined,
  ],
  ['is another of its family', { finding: found('credential-refused') }, notified(), 'changed'],
  ['has grown tenfold', { finding: { ...failing, count: 30 } }, notified(), 'grew'],
  ['has grown less', { finding: { ...failing, count: 29 } }, notified(), undefined],
  ['was told a day ago', {}, notified({ at: NOW - DAY }), 'reminder'],
  ['was acknowledged', { finding: { ...failing, ...acknowledged } }, notified({ at: NOW - DAY }), undefined],
  ['was told by a clock that was ahead', {}, notified({ at: NOW + 400 * DAY }), 'reminder'],
  ['is not found any more', { goneSince: NOW - MINUTE }, notified({ at: NOW - DAY }), undefined],
  ['is over', { phase: 'over' }, notified(), 'over'],
  ['is over, as the channel knows', { phase: 'over' }, notified({ as: 'over' }), undefined],
  ['is over before the channel was told', { phase: 'over' }, undefined, undefined],
])('an incident that %s', (_, alert, position, change) => {
  const story = alertOf(failing, { ...alert, notified: position ? { ops: position } : {} });
  const news = newsFor({ name: 'ops', conditions: [] }, [story], NOW);
  expect(news.map((it) => it.change)).toEqual(change === undefined ? [] : [change]);
  expect(
    newsFor({ name: 'ops', conditions: [] }, [story], NOW, () => true),
    'while it is silenced',
  ).toEqual([]);
});

it.each<[conditions: readonly ConditionName[], position: Notified | undefined, isHeard: boolean]>([
  [[], undefined, true],
  [['credential-refused'], undefined, true],
  [['warehouse-failing'], undefined, false],
  [['warehouse-failing'], notified(), true],
  [['destination-failing'], notified(), false],
])(
  'of a failure that has become another, a channel that wants %j and was told %j hears: %s',
  (conditions, position, isHeard) => {
    const story = alertOf(found('credential-refused'), { notified: position ? { ops: position } : {} });
    expect(newsFor({ name: 'ops', conditions }, [story], NOW)).toHaveLength(isHeard ? 1 : 0);
  },
);

const damping = { holdMs: MINUTE, clearMs: 5 * MINUTE };

it('what was wrong at a place goes on as what is wrong there now, whatever has ended there', () => {
  const before = alertOf(found('destination-failing'), { notified: { ops: notified() } });
  const stopped = found('destination-stopped');
  const ended = found('destination-failing', { isOver: true });
  for (const incidents of [[stopped], [ended, stopped], [stopped, ended]])
    expect(advanceAll([before], incidents, NOW, damping)).toMatchObject([
      { phase: 'open', finding: { condition: 'destination-stopped' }, notified: { ops: notified() } },
    ]);
});
