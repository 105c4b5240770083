import { describe, expect, it } from 'vitest';
import { type Evidence, type Judgment, judge } from '../../../src/domain/lifecycle/apply-event.ts';
import type { Observation, ReportingEvent } from '../../../src/domain/lifecycle/lifecycle.ts';

const confirmed: ReportingEvent = { id: '9104:5', name: 'Confirm', time: 5, plan: [], milestone: 'confirmed' };

const reported = (milestone: 'confirmed' | 'unconfirmed', time: number): Observation => ({
  milestone,
  time,
  eventId: `9104:${time}`,
});

const seen = (milestone: 'confirmed' | 'unconfirmed', time: number): Observation => ({
  milestone,
  time,
  eventId: null,
});

const nothing: Evidence = { shows: [], proves: [] };
const open: Evidence = { shows: ['unconfirmed'], proves: ['unconfirmed'] };
const perhapsOpen: Evidence = { shows: ['unconfirmed'], proves: [] };
const closed: Evidence = { shows: ['confirmed'], proves: ['confirmed'] };
const perhapsClosed: Evidence = { shows: ['confirmed'], proves: [] };

interface Case {
  readonly current: Observation | undefined;
  readonly isAwaited?: true;
  readonly evidence?: Evidence;
  readonly judgment: Judgment;
}

/** Each case is about an event of time 5 that reports a confirmation. */
const cases: Readonly<Record<string, Case>> = {
  'the first of its register is the newest': { current: undefined, judgment: 'newest' },
  'one after an event of the opposite is the newest': { current: reported('unconfirmed', 4), judgment: 'newest' },
  'one after an event of the same is the newest': { current: reported('confirmed', 4), judgment: 'newest' },
  'one before an event of the opposite is older': { current: reported('unconfirmed', 6), judgment: 'older' },
  'one before an event of the same is older': { current: reported('confirmed', 6), judgment: 'older' },

  'an awaited one dates what the GET showed': { current: seen('confirmed', 4), isAwaited: true, judgment: 'awaited' },
  'an awaited one does not date back what the GET showed': {
    current: seen('confirmed', 5),
    isAwaited: true,
    judgment: 'awaitedEarlier',
  },
  'an awaited one does not return what a later GET took back': {
    current: seen('unconfirmed', 4),
    isAwaited: true,
    judgment: 'awaitedEarlier',
  },
  'an awaited one does not return what a later event took back': {
    current: reported('unconfirmed', 6),
    isAwaited: true,
    judgment: 'awaitedEarlier',
  },
  'one after an event of the opposite is another than the awaited': {
    current: reported('unconfirmed', 4),
    isAwaited: true,
    judgment: 'newest',
  },

  'one after what a GET showed is the newest without another GET': {
    current: seen('unconfirmed', 4),
    judgment: 'newest',
  },
  'one after what a GET showed is the newest if the GET after it agrees': {
    current: seen('unconfirmed', 4),
    evidence: closed,
    judgment: 'newest',
  },
  'one after what a GET showed is overtaken if the GET after it still shows that': {
    current: seen('unconfirmed', 4),
    evidence: open,
    judgment: 'overtaken',
  },
  'one after what a GET showed is the newest if the GET after it may lag': {
    current: seen('unconfirmed', 4),
    evidence: perhapsOpen,
    judgment: 'newest',
  },
  'one after an event of the opposite is the newest whatever the GET shows': {
    current: reported('unconfirmed', 4),
    evidence: open,
    judgment: 'newest',
  },
  'one after what a GET showed of the same is the newest': {
    current: seen('confirmed', 4),
    evidence: closed,
    judgment: 'newest',
  },

  'one before what a GET showed is older without another GET': {
    current: seen('unconfirmed', 5),
    judgment: 'older',
  },
  'one before what a GET showed is older if the GET after it still shows that': {
    current: seen('unconfirmed', 5),
    evidence: open,
    judgment: 'older',
  },
  'one before what a GET showed overtakes if the GET after it agrees': {
    current: seen('unconfirmed', 5),
    evidence: closed,
    judgment: 'overtakes',
  },
  'one before what a GET showed overtakes even if the GET after it may lag': {
    current: seen('unconfirmed', 5),
    evidence: perhapsClosed,
    judgment: 'overtakes',
  },
  'one before an event of the opposite is older whatever the GET shows': {
    current: reported('unconfirmed', 6),
    evidence: closed,
    judgment: 'older',
  },
  'one before what a GET showed of the same is older': {
    current: seen('confirmed', 5),
    evidence: closed,
    judgment: 'older',
  },
};

describe('of the events of a register,', () => {
  it.each(Object.entries(cases))('%s', (_title, { current, isAwaited = false, evidence = nothing, judgment }) => {
    expect(judge(confirmed, current, isAwaited, evidence)).toBe(judgment);
  });
});
