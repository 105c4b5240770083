import { html, type Markup } from '../../admin/board/html.ts';
import { age, clockIn, duration, number } from '../../admin/board/text.ts';
import { plural } from '../../base/text.ts';
import type { Outlook } from '../../domain/deadlines/deadline.ts';
import { sayQueue } from '../../domain/deadlines/forecast.ts';
import { mainKind } from '../../domain/kinds/kinds.ts';
import type { LeadGroup } from '../../domain/lifecycle/lead-times.ts';
import type { SubjectRow } from './subject/row.ts';

type Due = Pick<SubjectRow, 'dueAt' | 'dueZone' | 'outlook' | 'forecast'>;

const chips = {
  overdue: ['bad', 'overdue by'],
  willMiss: ['bad', 'will miss, due in'],
  atRisk: ['soon', 'at risk, due in'],
  onTime: [null, 'due in'],
} as const satisfies Record<Outlook, readonly [string | null, string]>;

export function dueChip({ dueAt, outlook }: Due, now: number): Markup | false {
  if (dueAt === null || outlook === null) return false;
  const [kind, words] = chips[outlook];
  const text = html`${words} ${age(dueAt, now)}`;
  return kind === null ? text : html`<span class="badge ${kind}">${text}</span>`;
}

export const dueText = (row: Due, now: number): Markup =>
  html`${dueChip(row, now)}${row.outlook === 'willMiss' && row.forecast && html`<br><span class="muted">expected ${clockIn(row.forecast.expectedAt, row.dueZone, now)}: ${sayQueue(row.forecast)}</span>`}`;

/** `41 orders predicted to be late, 38 rightly (half of them more than 2 h 10 min ahead); 3 others late without a warning. A fixed time would have named 220, 40 rightly.` */
export function scorecard({ count, late, unheard, aheadMs, byRule, lateByRule }: LeadGroup['notified']): string {
  const ahead = late > 0 ? ` (half of them more than ${duration(aheadMs)} ahead)` : '';
  const rule = `A fixed time would have named ${number(byRule)}, ${number(lateByRule)} rightly.`;
  return count === 0
    ? `No order was predicted to be late; ${number(unheard)} late without a warning. Forecasts need two weeks of shipped orders. ${rule}`
    : `${plural(count, mainKind)} predicted to be late, ${number(late)} rightly${ahead}; ${number(unheard)} others late without a warning. ${rule}`;
}
