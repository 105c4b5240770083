import { subjectKey } from '../../../domain/catalogue/subject.ts';
import { listAddress, nameOf, subjectAddress } from '../../board/addresses.ts';
import { html, type Markup } from '../../board/html.ts';
import { briefly } from '../../board/reasons.ts';
import { numeric, references, table, unbroken } from '../../board/table.ts';
import { age, ago, capitalized, foreign, number, plural, when, words } from '../../board/text.ts';
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
      references('Reference'),
      'Customer',
      kinds.has('order') && 'Shipment',
      ...shownLevels.map((it) => kinds.has('stock') && numeric(levelTitles[it])),
      'Stage',
      unbroken('For'),
      hasDue && unbroken('Due'),
      unbroken('Last event'),
      'Attention',
    ],
    rows: rows.map((row) => ({
      id: subjectKey(row),
      cells: [
        html`<a href="${subjectAddress(row)}">${foreign(areMixed ? nameOf(row) : row.id, 60)}</a>${row.noteCount > 0 && html` <a class="muted" href="${subjectAddress(row)}#notes">${plural(row.noteCount, 'note')}</a>`}`,
        reference(row),
        customerLink(row),
        shipment(row),
        ...shownLevels.map((it) => row.facts.levels?.[it] !== undefined && number(row.facts.levels[it])),
        html`<span class="badge">${capitalized(words(row.stage))}</span>`,
        age(row.stageSince, now),
        row.dueAt && when(row.dueAt),
        row.lastEventAt ? ago(row.lastEventAt, now) : 'none',
        html`${briefly(row, now)}${row.takenBy !== null && html`<span class="muted">taken by ${foreign(row.takenBy, 60)}</span>`}`,
      ],
    })),
  });
};

/** Amounts of stock that a list shows. */
const shownLevels = ['onHand', 'available', 'allocated', 'onHold'] as const;

const reference = ({ referenceNumber, facts: { poNumber } }: SubjectRow): Markup =>
  html`${referenceNumber !== null && foreign(referenceNumber, 60)}${poNumber !== undefined && html` <span class="muted">${foreign(poNumber, 40)}</span>`}`;

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
