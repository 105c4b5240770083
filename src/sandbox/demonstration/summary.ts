import { type SubjectKind, subjectKey } from '../../domain/catalogue/subject.ts';
import type { Milestone } from '../../domain/lifecycle/milestone.ts';
import { type StockLevels, sameLevels } from '../../domain/lifecycle/snapshot.ts';
import { type Stage, stages } from '../../domain/lifecycle/stage.ts';
import type { SubjectTruth } from '../simulator/simulator.ts';
import { expectedMilestones } from './expected.ts';

/** What the summary is drawn from: the simulator's record on one side, what Dockline and the destination hold on the other. */
export interface Evidence {
  readonly truth: readonly SubjectTruth[];
  readonly sent: number;
  readonly undelivered: number;
  readonly inbox: { readonly accepted: number; readonly duplicates: number; readonly quarantined: number };
  readonly subjects: readonly {
    readonly key: string;
    readonly kind: SubjectKind;
    readonly stage: Stage;
    /** What there is of it; only of stock. */
    readonly levels?: StockLevels;
  }[];
  /** Ids of the announcements that came, each once. */
  readonly received: readonly string[];
  readonly duplicates: number;
  readonly outOfOrder: number;
  readonly warehouseCalls: number;
  readonly elapsedMs: number;
}

/** How many subjects are in each stage; stages without any are left out. */
export type StageCounts = { readonly [S in Stage]?: number };

/** The result of a demonstration; `expected` comes from the simulator's own record of what it did. */
export interface Summary {
  readonly orders: number;
  readonly webhooks: {
    readonly sent: number;
    readonly accepted: number;
    readonly duplicates: number;
    readonly quarantined: number;
    readonly undelivered: number;
  };
  /** How many orders ended in each stage. */
  readonly stages: StageCounts;
  /** How many receipts, adjustments and so on ended in each stage. */
  readonly others: { readonly [K in Exclude<SubjectKind, 'order'>]: StageCounts };
  /** Subjects whose stage is not the one in which the simulator left them. */
  readonly wrongStages: readonly string[];
  /** Changes of stock levels: how many were delivered, and in how many announcements they coalesced. */
  readonly stock: { readonly events: number; readonly announcements: number; readonly wrongLevels: readonly string[] };
  /** Of all but stock, and of what events tell: what a GET alone shows is announced beside that. */
  readonly announcements: {
    readonly expected: number;
    readonly received: number;
    readonly duplicates: number;
    readonly missing: number;
    readonly outOfOrder: number;
  };
  readonly warehouseCalls: number;
  readonly elapsedMs: number;
}

/** Compares what should have come with what came. */
export function summarize(evidence: Evidence): Summary {
  const { truth, sent, undelivered, inbox, subjects, duplicates, outOfOrder, warehouseCalls, elapsedMs } = evidence;
  const { expected, received, missing } = compareAnnouncements(truth, evidence.received);
  const ofStock = evidence.received.filter(isOfStock);
  return {
    orders: truth.filter(({ kind }) => kind === 'order').length,
    webhooks: { sent, ...inbox, undelivered },
    stages: countStages(subjects, 'order'),
    others: {
      receipt: countStages(subjects, 'receipt'),
      adjustment: countStages(subjects, 'adjustment'),
      assembly: countStages(subjects, 'assembly'),
      item: countStages(subjects, 'item'),
      stock: countStages(subjects, 'stock'),
      hold: countStages(subjects, 'hold'),
    },
    wrongStages: wrongStages(truth, subjects),
    stock: {
      events: truth.filter(({ kind }) => kind === 'stock').flatMap(deliveredEvents).length,
      announcements: ofStock.length,
      wrongLevels: wrongLevels(truth, subjects),
    },
    announcements: {
      expected,
      received,
      duplicates,
      missing: missing.length,
      outOfOrder,
    },
    warehouseCalls,
    elapsedMs,
  };
}

/** What should be announced against what was, by the ids that came, each once; stock, whose events coalesce, is left out. */
export function compareAnnouncements(truth: readonly SubjectTruth[], ids: readonly string[]) {
  const expected = truth.flatMap((subject) =>
    expectedMilestones(subject).map((milestone) => `${subjectKey(subject)} ${milestone}`),
  );
  const received = ids.filter((id) => !isOfStock(id)).map(withoutRevision);
  const told = received.filter((name) => !shownOnly.some((milestone) => name.endsWith(` ${milestone}`)));
  return {
    expected: expected.length,
    received: told.length,
    /** As `order:9104:31004581 packed`. */
    missing: unmatched(expected, received),
    /** What was announced more often than it should have been. */
    surplus: unmatched(told, expected),
  };
}

const isOfStock = (id: string): boolean => id.startsWith('stock:');

/** What no event tells, so that no event is missing where it is not announced. */
const shownOnly: readonly Milestone[] = ['deactivated', 'reactivated', 'allocationLost', 'stalled', 'resumed'];

/** Whether nothing is missing, doubled, out of order, quarantined, in the wrong stage or at the wrong level. */
export function isWell({ webhooks, wrongStages, stock, announcements }: Summary): boolean {
  const { duplicates, missing, outOfOrder } = announcements;
  const wrong = wrongStages.length + stock.wrongLevels.length;
  const faults = [duplicates, missing, outOfOrder, webhooks.quarantined, webhooks.undelivered, wrong];
  return faults.every((count) => count === 0);
}

const deliveredEvents = ({ events }: SubjectTruth) => events.filter(({ fate }) => fate === 'delivered');

/** Where the newest change was never delivered, no one can know what there is now. */
function wrongLevels(truth: readonly SubjectTruth[], subjects: Evidence['subjects']): string[] {
  const found = new Map(subjects.map(({ key, levels }) => [key, levels]));
  return truth
    .filter(({ kind, events }) => kind === 'stock' && events.at(-1)?.fate === 'delivered')
    .filter((subject) => !sameLevels(found.get(subjectKey(subject)), subject.levels))
    .map((subject) => `${subjectKey(subject)} has other levels than the warehouse`);
}

function countStages(subjects: Evidence['subjects'], kind: SubjectKind): StageCounts {
  const present = subjects.filter((subject) => subject.kind === kind).map(({ stage }) => stage);
  const counts = stages.map((stage) => [stage, present.filter((one) => one === stage).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function wrongStages(truth: readonly SubjectTruth[], subjects: Evidence['subjects']): string[] {
  const found = new Map(subjects.map(({ key, stage }) => [key, stage]));
  return truth
    .filter((subject) => expectedMilestones(subject).length > 0 && found.get(subjectKey(subject)) !== subject.stage)
    .map((subject) => `${subjectKey(subject)} is ${found.get(subjectKey(subject)) ?? 'unknown'}, not ${subject.stage}`);
}

/** `order:9104:31004581/3/packed` as the simulator can know it: `order:9104:31004581 packed`. */
const withoutRevision = (id: string): string => id.replace(/\/\d+\//, ' ');

/** The names that have no counterpart among the others, each of which can stand for one only. */
function unmatched(names: readonly string[], others: readonly string[]): string[] {
  const unused = Map.groupBy(others, (name) => name);
  return names.filter((name) => unused.get(name)?.pop() === undefined);
}
