import { formatTable } from '../../src/base/text.ts';
import { collectionOf, type SubjectKind, subjectKinds } from '../../src/domain/catalogue/subject.ts';
import { stages } from '../../src/domain/lifecycle/stage.ts';
import type { StoredSubject } from './stored.ts';
import { isWell, type StageCounts, type Summary } from './summary.ts';

/** Subject as a line of the report. */
export type SubjectLine = Omit<StoredSubject, 'tenant'>;

/** Formats the report of a demonstration: every subject with its stage, orders first, then the result. */
export function report(subjects: readonly SubjectLine[], summary: Summary): string {
  const rows = subjects
    .toSorted((a, b) => subjectKinds.indexOf(a.kind) - subjectKinds.indexOf(b.kind))
    .map(({ kind, id, referenceNumber, stage, revision, attention }) => [
      `${kind} ${id}`,
      referenceNumber ?? '',
      stage,
      String(revision),
      attention.join(', '),
    ]);
  const table = formatTable([['subject', 'reference', 'stage', 'announced', 'attention'], ...rows]);
  const troubled = subjects.filter(({ attention }) => attention.length > 0).length;
  return [table, '', ...resultLines(summary, troubled)].join('\n');
}

/** Says the result of a demonstration in which everything went well. */
export function brief({ announcements: { expected, received }, orders, elapsedMs }: Summary): string {
  const took = `${orders} orders in ${(elapsedMs / 1000).toFixed(1)} s`;
  return `${received} of ${expected} events announced once, in order (${took}; see --report)`;
}

function resultLines(summary: Summary, troubled: number): string[] {
  const { webhooks, announcements, wrongStages, stock, others, falsehoods } = summary;
  return [
    `${summary.orders} orders in ${(summary.elapsedMs / 1000).toFixed(1)} s: ${listStages(summary.stages)}`,
    ...Object.entries(others).flatMap(([kind, counts]) =>
      listStages(counts) ? [`${collectionOf[kind as SubjectKind].padEnd(15)}${listStages(counts)}`] : [],
    ),
    `webhooks       ${webhooks.sent} sent, ${webhooks.accepted} accepted, ${webhooks.duplicates} duplicates, ${webhooks.quarantined} quarantined`,
    `announcements  ${announcements.expected} expected, ${announcements.received} received, ${announcements.missing} missing, ${announcements.duplicates} duplicates, ${announcements.outOfOrder} out of order, ${announcements.false} false`,
    ...(stock.events > 0 ? [`stock levels   ${stock.events} changes in ${stock.announcements} announcements`] : []),
    ...(summary.quantities > 0
      ? [`advices        ${summary.quantities} quantities compared with what the warehouse did`]
      : []),
    `warehouse      ${summary.warehouseCalls} calls`,
    ...(Object.keys(summary.lies).length > 0 ? [`lies told      ${listCounts(summary.lies)}`] : []),
    ...(troubled > 0 ? [`attention      ${troubled}: the board says why on the page of each`] : []),
    ...wrongStages.map((wrong) => `wrong stage    ${wrong}`),
    ...stock.wrongLevels.map((wrong) => `wrong levels   ${wrong}`),
    ...falsehoods.map((falsehood) => `false          ${falsehood}`),
    isWell(summary)
      ? 'Nothing missing, nothing duplicated, nothing out of order, nothing false.'
      : 'FAILED: see the counts above.',
  ];
}

const listStages = (counts: StageCounts): string =>
  stages.flatMap((stage) => (counts[stage] ? [`${counts[stage]} ${stage}`] : [])).join(', ');

const listCounts = (counts: Summary['lies']): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
