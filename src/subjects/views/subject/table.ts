import { listAddress, nameOf, subjectAddress } from '../../../admin/board/addresses.ts';
import { tickBox } from '../../../admin/board/bulk-form.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import { stageName, standing } from '../../../admin/board/stage.ts';
import { minor, numeric, table } from '../../../admin/board/table.ts';
import { age, clock, number, untrusted } from '../../../admin/board/text.ts';
import { trackingLink } from '../../../admin/board/tracking.ts';
import { plural } from '../../../base/text.ts';
import { isRow, kindOf, subjectKey } from '../../../domain/catalogue/subject.ts';
import { mainKind } from '../../../domain/kinds/kinds.ts';
import { dueText } from '../due.ts';
import { dueWords } from '../filters.ts';
import { attentionText, briefly } from '../reasons.ts';
import { levelTitles } from './page.ts';
import type { SubjectRow } from './row.ts';

/** Shows kinds if there are several. */
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
      !areMixed && kinds.has(mainKind) ? 'Order' : 'Record',
      'Customer',
      has(({ kind }) => kindOf(kind).isRouted === true) && minor('Ship via'),
      ...shownLevels.map((it) => has(({ kind }) => isRow(kind)) && numeric(levelTitles[it])),
      'Stage',
      minor('In stage'),
      has(({ dueAt }) => dueAt !== null) && 'Due',
      'Attention',
      has(({ takenBy }) => takenBy !== null) && minor('Taken by'),
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
        row.outlook === null ? row.dueAt && html`<span class="muted">${clock(row.dueAt)}</span>` : dueText(row, now),
        row.attention.length > 0 && briefly(row, now),
        row.takenBy !== null && html`<span class="line" title="${row.takenBy}">${untrusted(row.takenBy, 60)}</span>`,
      ],
    })),
  });
};

/** By reference, as people do, with its id. */
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

const shownLevels = ['onHand', 'available', 'allocated', 'onHold'] as const;

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

/** For a file, with whole texts. */
export const subjectCells = ({ kind }: { readonly kind?: SubjectRow['kind'] | undefined }) => ({
  Record: ({ referenceNumber, id }: SubjectRow) => referenceNumber ?? id,
  Kind: (it: SubjectRow) => it.kind,
  Id: (it: SubjectRow) => it.id,
  Account: (it: SubjectRow) => it.tenant,
  Customer: ({ facts: { customerName } }: SubjectRow) => customerName,
  'Customer id': (it: SubjectRow) => it.customerId,
  'Facility id': (it: SubjectRow) => it.facilityId,
  ...Object.fromEntries(
    (kind === undefined || isRow(kind) ? Object.entries(levelTitles) : []).map(([name, title]) => [
      title,
      ({ facts: { levels } }: SubjectRow) => levels?.[name as keyof typeof levelTitles],
    ]),
  ),
  ...((kind === undefined || kindOf(kind).isRouted) && {
    'PO number': ({ facts: { poNumber } }: SubjectRow) => poNumber,
    'External id': ({ facts: { externalId } }: SubjectRow) => externalId,
    'Ship via': ({ facts: { carrier, service } }: SubjectRow) => [carrier, service].filter(Boolean).join(' '),
    Tracking: ({ facts: { trackingNumbers } }: SubjectRow) => trackingNumbers,
    SKUs: ({ facts: { skus } }: SubjectRow) => skus,
  }),
  Stage: (it: SubjectRow) => (it.revision === 0 ? 'Received' : stageName(it.stage, it.kind)),
  'In stage since': (it: SubjectRow) => it.stageSince,
  Due: (it: SubjectRow) => it.dueAt,
  Outlook: ({ outlook }: SubjectRow) => outlook && dueWords[outlook],
  Why: (it: SubjectRow) => it.dueBecause,
  Expected: ({ forecast }: SubjectRow) => forecast?.expectedAt,
  'Expected why': ({ forecast }: SubjectRow) => forecast?.because,
  Attention: attentionText,
  'Taken by': (it: SubjectRow) => it.takenBy,
  'Last event': (it: SubjectRow) => it.lastEventAt,
});
