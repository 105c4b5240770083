import { subjectKey } from '../../../domain/catalogue/subject.ts';
import { listAddress, nameOf, subjectAddress } from '../../board/addresses.ts';
import { html, type Markup } from '../../board/html.ts';
import { briefly } from '../../board/reasons.ts';
import { numeric, table } from '../../board/table.ts';
import { age, capitalized, foreign, number, plural, when, words } from '../../board/text.ts';
import { trackingLink } from '../../board/tracking.ts';
import { levelTitles } from './page.ts';
import type { SubjectRow } from './row.ts';

/** Shows subjects, with their kinds if they are of several. */
export const subjectTable = (
  rows: readonly SubjectRow[],
  { now, title, areMixed }: { readonly now: number; readonly title: string; readonly areMixed: boolean },
): Markup => {
  const hasDue = rows.some(({ dueAt }) => dueAt !== null);
  const kinds = new Set(rows.map(({ kind }) => kind));
  return table({
    label: title,
    columns: [
      'Id',
      'Reference',
      'Customer',
      kinds.has('order') && 'Shipment',
      ...(kinds.has('stock') ? shownLevels.map((it) => numeric(levelTitles[it])) : []),
      'Stage',
      'For',
      hasDue && 'Due',
      'Last event',
      'Attention',
    ],
    rows: rows.map(
      (row) => html`<tr id="row-${subjectKey(row)}">
<th scope="row"><a href="${subjectAddress(row)}">${foreign(areMixed ? nameOf(row) : row.id, 60)}</a></th>
<td class="reference">${row.referenceNumber !== null && foreign(row.referenceNumber, 60)}${row.facts.poNumber !== undefined && html` <span class="muted">${foreign(row.facts.poNumber, 40)}</span>`}</td>
<td>${customerLink(row)}</td>
${kinds.has('order') && html`<td>${shipment(row)}</td>`}
${kinds.has('stock') && shownLevels.map((it) => html`<td class="number">${row.facts.levels?.[it] !== undefined && number(row.facts.levels[it])}</td>`)}
<td><span class="badge">${capitalized(words(row.stage))}</span></td>
<td class="nowrap">${age(row.stageSince, now)}</td>
${hasDue && html`<td class="nowrap">${row.dueAt && when(row.dueAt)}</td>`}
<td class="nowrap">${row.lastEventAt ? html`${age(row.lastEventAt, now)} ago` : 'none'}</td>
<td>${briefly(row, now)}</td>
</tr>`,
    ),
  });
};

/** Amounts of stock that a list shows. */
const shownLevels = ['onHand', 'available', 'allocated', 'onHold'] as const;

/** Names a customer, with a link to all of its records. */
function customerLink({ kind, customerId, facts: { customerName } }: SubjectRow): Markup | false {
  if (customerId === null) return false;
  const address = listAddress('/board/subjects', { kind, customer: customerId });
  return html`<a href="${address}">${foreign(customerName ?? customerId, 40)}</a>`;
}

function shipment({ facts: { carrier, service, trackingNumbers = [] } }: SubjectRow): Markup {
  const [first, ...others] = trackingNumbers;
  const by = [carrier, service].filter((it) => it !== undefined).join(' ');
  return html`${by !== '' && foreign(by, 40)}${first !== undefined && html` ${trackingLink(first, carrier)}`}${others.length > 0 && html` <span class="muted">and ${plural(others.length, 'other')}</span>`}`;
}
