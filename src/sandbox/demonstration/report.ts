import { layOut } from '../../cli/table.ts';
import { collectionOf, type SubjectKind, subjectKinds } from '../../domain/catalogue/subject.ts';
import type { Attention } from '../../domain/lifecycle/attention.ts';
import { stages } from '../../domain/lifecycle/stage.ts';
import { isWell, type StageCounts, type Summary } from './summary.ts';

/** A subject as a line of the report. */
export interface SubjectLine {
  readonly kind: SubjectKind;
  readonly id: string;
  readonly referenceNumber: string | null;
  readonly stage: string;
  readonly revision: number;
  readonly attention: readonly Attention[];
}

/** What a person reads at the end: everything that lived with its stage, then the result of the whole. */
export function report(subjects: readonly SubjectLine[], summary: Summary): string {
  const rows = subjects
    .toSorted(byKind)
    .map(({ kind, id, referenceNumber, stage, revision, attention }) => [
      `${kind} ${id}`,
      referenceNumber ?? '',
      stage,
      String(revision),
      attention.join(', '),
    ]);
  return [layOut([['subject', 'reference', 'stage', 'announced', 'attention'], ...rows]), '', outcome(summary)].join(
    '\n',
  );
}

function outcome(summary: Summary): string {
  const { webhooks, announcements, wrongStages, stock, others } = summary;
  return [
    `${summary.orders} orders in ${(summary.elapsedMs / 1000).toFixed(1)} s: ${inWords(summary.stages)}`,
    ...Object.entries(others).flatMap(([kind, counts]) =>
      inWords(counts) ? [`${collectionOf[kind as SubjectKind].padEnd(15)}${inWords(counts)}`] : [],
    ),
    `webhooks       ${webhooks.sent} sent, ${webhooks.accepted} accepted, ${webhooks.duplicates} duplicates, ${webhooks.quarantined} quarantined`,
    `announcements  ${announcements.expected} expected, ${announcements.received} received, ${announcements.missing} missing, ${announcements.duplicates} twice, ${announcements.outOfOrder} out of order`,
    ...(stock.events > 0 ? [`stock levels   ${stock.events} changes in ${stock.announcements} announcements`] : []),
    `warehouse      ${summary.warehouseCalls} calls`,
    ...wrongStages.map((wrong) => `wrong stage    ${wrong}`),
    ...stock.wrongLevels.map((wrong) => `wrong levels   ${wrong}`),
    isWell(summary)
      ? 'Nothing missing, nothing twice, nothing out of order.'
      : 'NOT all is well: see the figures above.',
  ].join('\n');
}

const rankOf = ({ kind }: SubjectLine): number => subjectKinds.indexOf(kind);

/** Orders first. */
const byKind = (a: SubjectLine, b: SubjectLine): number => rankOf(a) - rankOf(b);

const inWords = (counts: StageCounts): string =>
  stages.flatMap((stage) => (counts[stage] ? [`${counts[stage]} ${stage}`] : [])).join(', ');
