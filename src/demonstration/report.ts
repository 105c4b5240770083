import { stages } from '../domain/stage.ts';
import { isWell, type Summary } from './summary.ts';
import { layOut } from './table.ts';

/** An order as a line of the report. */
export interface OrderLine {
  readonly orderId: string;
  readonly referenceNumber: string | null;
  readonly stage: string;
  readonly revision: number;
  readonly needsAttention: boolean;
}

/** What a person reads at the end: the orders with their stages, then what came of the whole. */
export function report(orders: readonly OrderLine[], summary: Summary): string {
  const rows = orders.map(({ orderId, referenceNumber, stage, revision, needsAttention }) => [
    orderId,
    referenceNumber ?? '',
    stage,
    String(revision),
    needsAttention ? 'stalled' : '',
  ]);
  return [layOut([['order', 'reference', 'stage', 'announced', 'attention'], ...rows]), '', outcome(summary)].join(
    '\n',
  );
}

function outcome(summary: Summary): string {
  const { webhooks, announcements, wrongStages } = summary;
  const byStage = stages.flatMap((stage) => (summary.stages[stage] ? [`${summary.stages[stage]} ${stage}`] : []));
  return [
    `${summary.orders} orders in ${(summary.elapsedMs / 1000).toFixed(1)} s: ${byStage.join(', ')}`,
    `webhooks       ${webhooks.sent} sent, ${webhooks.accepted} accepted, ${webhooks.duplicates} duplicates, ${webhooks.parked} parked`,
    `announcements  ${announcements.expected} expected, ${announcements.received} received, ${announcements.missing} missing, ${announcements.duplicates} twice, ${announcements.outOfOrder} out of order`,
    `warehouse      ${summary.warehouseCalls} calls`,
    ...wrongStages.map((wrong) => `wrong stage    ${wrong}`),
    isWell(summary)
      ? 'Nothing missing, nothing twice, nothing out of order.'
      : 'NOT all is well: see the figures above.',
  ].join('\n');
}
