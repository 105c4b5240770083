import { listAddress, nameOf, subjectAddress } from '../../../admin/board/addresses.ts';
import { tickBox } from '../../../admin/board/bulk-form.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import { standing } from '../../../admin/board/stage.ts';
import { nowrap, numeric, table } from '../../../admin/board/table.ts';
import { age, clock, number, until, untrusted } from '../../../admin/board/text.ts';
import { trackingLink } from '../../../admin/board/tracking.ts';
import { plural } from '../../../base/text.ts';
import { subjectKey } from '../../../domain/catalogue/subject.ts';
import { openStagesOf } from '../../../domain/lifecycle/stage.ts';
import { briefly } from '../reasons.ts';
import { levelTitles } from './page.ts';
import type { SubjectRow } from './row.ts';

/** Shows subjects, a line each, with their kinds if they are of several. */
export const subjectTable = (
  rows: readonly SubjectRow[],
  {
    now,
    title,
    areMixed,
    canChoose = false,
  }: { readonly now: number; readonly title: string; readonly areMixed: boolean; readonly canChoose?: boolean },
): Markup => {
  const has = (isTrue: (row: SubjectRow) => boolean) => rows.some(isTrue);
  const kinds = new Set(rows.map(({ kind }) => kind));
  const hasNamed = has(({ referenceNumber }) => referenceNumber !== null);
  return table({
    label: title,
    columns: [
      areMixed ? 'Record' : kinds.has('order') ? 'Order' : 'Record',
      'Customer',
      kinds.has('order') && 'Ship via',
      ...shownLevels.map((it) => kinds.has('stock') && numeric(levelTitles[it])),
      'Stage',
      nowrap('In stage'),
      has(({ dueAt }) => dueAt !== null) && nowrap('Due'),
      'Attention',
      has(({ takenBy }) => takenBy !== null) && 'Taken by',
    ],
    rows: rows.map((row) => ({
      id: subjectKey(row),
      cells: [
        naming(row, { areMixed, hasNamed, canChoose }),
        customerLink(row),
        shipment(row),
        ...shownLevels.map((it) => row.facts.levels?.[it] !== undefined && number(row.facts.levels[it])),
        standing(row),
        age(row.stageSince, now),
        due(row, now),
        row.attention.length > 0 && html`<span class="line">${briefly(row, now)}</span>`,
        row.takenBy !== null && untrusted(row.takenBy, 60),
      ],
    })),
  });
};

/** Names a record as people do, by its reference, with its id. */
function naming(
  row: SubjectRow,
  {
    areMixed,
    hasNamed,
    canChoose,
  }: { readonly areMixed: boolean; readonly hasNamed: boolean; readonly canChoose: boolean },
): Markup {
  const { referenceNumber, facts, id, noteCount } = row;
  const name = areMixed ? nameOf(row) : id;
  return html`<span class="two">${canChoose && tickBox(subjectKey(row), nameOf(row))}<a href="${subjectAddress(row)}">${referenceNumber === null || !hasNamed ? untrusted(name, 60) : untrusted(referenceNumber, 60)}</a>${referenceNumber !== null && html` <span class="${referenceNumber.includes(id) ? 'aside' : 'id'}">${untrusted(name, 60)}</span>`}${facts.poNumber !== undefined && html` <span class="aside">${untrusted(facts.poNumber, 40)}</span>`}${noteCount > 0 && html` <a class="badge" href="${subjectAddress(row)}#notes">${plural(noteCount, 'note')}</a>`}</span>`;
}

/** Shows when an open record is due, in the color of its urgency. */
function due({ dueAt, atRiskAt, kind, stage }: SubjectRow, now: number): Markup | false {
  if (dueAt === null) return false;
  if (!openStagesOf(kind).some((it) => it === stage)) return html`<span class="muted">${clock(dueAt)}</span>`;
  if (dueAt.getTime() <= now) return html`<span class="badge bad">${until(dueAt, now)} ago</span>`;
  const isSoon = atRiskAt !== null && atRiskAt.getTime() <= now;
  return isSoon ? html`<span class="badge soon">in ${until(dueAt, now)}</span>` : html`in ${until(dueAt, now)}`;
}

/** Amounts of stock that a list shows. */
const shownLevels = ['onHand', 'available', 'allocated', 'onHold'] as const;

/** Names a customer, with a link to all of its records. */
function customerLink({ kind, customerId, facts: { customerName } }: SubjectRow): Markup | false {
  if (customerId === null) return false;
  const address = listAddress('/board/subjects', { kind, customer: customerId });
  return html`<span class="line plain"><a href="${address}">${untrusted(customerName ?? customerId, 40)}</a></span>`;
}

function shipment({ facts: { carrier, service, trackingNumbers = [] } }: SubjectRow): Markup | false {
  const [first, ...others] = trackingNumbers;
  const by = [carrier, service].filter((it) => it !== undefined).join(' ');
  if (by === '' && first === undefined) return false;
  return html`<span class="two">${by !== '' && untrusted(by, 40)}${first !== undefined && html` <span class="id">${trackingLink(first, carrier)}</span>`}${others.length > 0 && html` <span class="muted">and ${plural(others.length, 'other')}</span>`}</span>`;
}
