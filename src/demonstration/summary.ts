import { type Stage, stages } from '../domain/stage.ts';
import { type SubjectKind, subjectKey } from '../domain/subject.ts';
import type { SubjectTruth } from '../simulator/simulator.ts';
import { expectedMilestones } from './expected.ts';

/** What the summary is drawn from: the simulator's record on one side, what Dockline and the destination hold on the other. */
export interface Evidence {
  readonly truth: readonly SubjectTruth[];
  readonly sent: number;
  readonly undelivered: number;
  readonly inbox: { readonly accepted: number; readonly duplicates: number; readonly parked: number };
  readonly subjects: readonly { readonly key: string; readonly kind: SubjectKind; readonly stage: Stage }[];
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
    readonly parked: number;
    readonly undelivered: number;
  };
  /** How many orders ended in each stage. */
  readonly stages: StageCounts;
  /** How many receipts, adjustments and assemblies ended in each stage. */
  readonly others: { readonly [K in Exclude<SubjectKind, 'order'>]: StageCounts };
  /** Subjects whose stage is not the one in which the simulator left them. */
  readonly wrongStages: readonly string[];
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
  const { truth, sent, undelivered, inbox, subjects, received, duplicates, outOfOrder, warehouseCalls, elapsedMs } =
    evidence;
  const expected = truth.flatMap((subject) =>
    expectedMilestones(subject).map((milestone) => `${subjectKey(subject)} ${milestone}`),
  );
  return {
    orders: truth.filter(({ kind }) => kind === 'order').length,
    webhooks: { sent, ...inbox, undelivered },
    stages: countStages(subjects, 'order'),
    others: {
      receipt: countStages(subjects, 'receipt'),
      adjustment: countStages(subjects, 'adjustment'),
      assembly: countStages(subjects, 'assembly'),
    },
    wrongStages: wrongStages(truth, subjects),
    announcements: {
      expected: expected.length,
      received: received.length,
      duplicates,
      missing: countMissing(expected, received.map(withoutRevision)),
      outOfOrder,
    },
    warehouseCalls,
    elapsedMs,
  };
}

/** Whether nothing is missing, doubled, out of order, parked or in the wrong stage. */
export function isWell({ webhooks, wrongStages, announcements }: Summary): boolean {
  const { duplicates, missing, outOfOrder } = announcements;
  const faults = [duplicates, missing, outOfOrder, webhooks.parked, webhooks.undelivered, wrongStages.length];
  return faults.every((count) => count === 0);
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

/** How many of the expected are not among the received, each of which can stand for one only. */
function countMissing(expected: readonly string[], received: readonly string[]): number {
  const unused = Map.groupBy(received, (name) => name);
  return expected.filter((name) => unused.get(name)?.pop() === undefined).length;
}
