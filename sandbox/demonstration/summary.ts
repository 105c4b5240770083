import { isRow, type SubjectKind, subjectKey, subjectKinds } from '../../src/domain/catalogue/subject.ts';
import { mainKind } from '../../src/domain/kinds/kinds.ts';
import { type StockLevels, sameLevels } from '../../src/domain/lifecycle/snapshot.ts';
import { type Stage, stages } from '../../src/domain/lifecycle/stage.ts';
import type { SubjectTruth } from '../simulator/state/book.ts';
import { compareAnnouncements, expectedMilestones, isOfStock } from './expected.ts';

/** Facts that a summary compares: the simulator's record, and the data of Dockline and of the destination. */
export interface Evidence {
  readonly truth: readonly SubjectTruth[];
  readonly sent: number;
  readonly undelivered: number;
  readonly inbox: { readonly accepted: number; readonly duplicates: number; readonly quarantined: number };
  readonly subjects: readonly {
    readonly key: string;
    readonly kind: SubjectKind;
    readonly stage: Stage;
    /** Present for stock only. */
    readonly levels?: StockLevels;
  }[];
  /** Distinct ids of the announcements that were received. */
  readonly received: readonly string[];
  readonly duplicates: number;
  readonly outOfOrder: number;
  /** Claims of announcements that the simulator's book contradicts. */
  readonly falsehoods: readonly string[];
  /** Number of times that the simulator told each lie. */
  readonly lies: Readonly<Record<string, number>>;
  /** Number of quantities in advices that were compared with what the warehouse did. */
  readonly quantities: number;
  readonly warehouseCalls: number;
  readonly elapsedMs: number;
}

/** Number of subjects in each stage that has any. */
export type StageCounts = { readonly [S in Stage]?: number };

/** Result of a demonstration. */
export interface Summary extends Pick<Evidence, 'lies' | 'quantities' | 'warehouseCalls' | 'elapsedMs'> {
  readonly orders: number;
  readonly webhooks: Evidence['inbox'] & Pick<Evidence, 'sent' | 'undelivered'>;
  /** Final stages of the orders. */
  readonly stages: StageCounts;
  /** Final stages of the other subjects. */
  readonly others: { readonly [K in Exclude<SubjectKind, typeof mainKind>]: StageCounts };
  /** Subjects whose stage differs from the simulator's. */
  readonly wrongStages: readonly string[];
  /** Delivered changes of stock levels and the announcements that they coalesced into. */
  readonly stock: { readonly events: number; readonly announcements: number; readonly wrongLevels: readonly string[] };
  /** Announcements of events, stock excepted. Announcements of changes that only a GET shows are not counted. */
  readonly announcements: Pick<Evidence, 'duplicates' | 'outOfOrder'> & {
    readonly expected: number;
    readonly received: number;
    readonly missing: number;
    readonly false: number;
  };
  /** First of the false claims. */
  readonly falsehoods: readonly string[];
}

const FALSEHOODS_SHOWN = 20;

const otherKinds = subjectKinds.filter((kind) => kind !== mainKind);

/** Compares the expected result with the evidence. */
export function summarize(evidence: Evidence): Summary {
  const { truth, sent, undelivered, inbox, subjects, duplicates, outOfOrder, received: _, ...measured } = evidence;
  const { expected, received, missing } = compareAnnouncements(truth, evidence.received);
  const stock = truth.filter(({ kind }) => isRow(kind));
  const stagesOf = (kind: SubjectKind) => countStages(subjects.filter((subject) => subject.kind === kind));
  return {
    ...measured,
    orders: truth.filter(({ kind }) => kind === mainKind).length,
    webhooks: { sent, ...inbox, undelivered },
    stages: stagesOf(mainKind),
    others: Object.fromEntries(otherKinds.map((kind) => [kind, stagesOf(kind)])) as Summary['others'],
    wrongStages: wrongStages(truth, subjects),
    stock: {
      events: stock.flatMap(({ events }) => events.filter(({ fate }) => fate === 'delivered')).length,
      announcements: evidence.received.filter(isOfStock).length,
      wrongLevels: wrongLevels(stock, subjects),
    },
    announcements: {
      expected,
      received,
      duplicates,
      missing: missing.length,
      outOfOrder,
      false: evidence.falsehoods.length,
    },
    falsehoods: evidence.falsehoods.slice(0, FALSEHOODS_SHOWN),
  };
}

/** Reports whether nothing is missing, duplicate, out of order, false, quarantined, in the wrong stage or at the wrong level. */
export function isWell({ webhooks, wrongStages, stock, announcements }: Summary): boolean {
  const { duplicates, missing, outOfOrder } = announcements;
  const wrong = wrongStages.length + stock.wrongLevels.length;
  const faults = [
    duplicates,
    missing,
    outOfOrder,
    announcements.false,
    webhooks.quarantined,
    webhooks.undelivered,
    wrong,
  ];
  return faults.every((count) => count === 0);
}

function countStages(subjects: Evidence['subjects']): StageCounts {
  const counts = stages.map((stage) => [stage, subjects.filter((subject) => subject.stage === stage).length] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function wrongStages(truth: readonly SubjectTruth[], subjects: Evidence['subjects']): string[] {
  const found = new Map(subjects.map(({ key, stage }) => [key, stage]));
  return truth
    .filter((subject) => expectedMilestones(subject).length > 0 && found.get(subjectKey(subject)) !== subject.stage)
    .map((subject) => `${subjectKey(subject)} is ${found.get(subjectKey(subject)) ?? 'unknown'}, not ${subject.stage}`);
}

/** Stock whose newest change was not delivered is not compared, since Dockline cannot know its levels. */
function wrongLevels(stock: readonly SubjectTruth[], subjects: Evidence['subjects']): string[] {
  const found = new Map(subjects.map(({ key, levels }) => [key, levels]));
  return stock
    .filter(({ events }) => events.at(-1)?.fate === 'delivered')
    .filter((subject) => !sameLevels(found.get(subjectKey(subject)), subject.levels))
    .map((subject) => `${subjectKey(subject)} has other levels than the warehouse`);
}
