import { listAddress, nameOf, subjectAddress } from '../../../admin/board/addresses.ts';
import { html, type Markup } from '../../../admin/board/html.ts';
import { stageName, standing } from '../../../admin/board/stage.ts';
import { clock, trackingLink, untrusted } from '../../../admin/board/text.ts';
import type { ListColumns } from '../../../admin/views/columns.ts';
import { plural, titled } from '../../../base/text.ts';
import { isRow, kindOf, type SubjectKind } from '../../../domain/catalogue/subject.ts';
import { dueWords } from '../filters.ts';
import { attentionText, briefly, dueText } from '../reasons.ts';
import { levelTitles } from './page.ts';
import type { SubjectRow } from './row.ts';

interface Filtered {
  readonly kind?: SubjectKind;
}

interface Around {
  readonly now: number;
  readonly filters: Filtered;
}

const isOfRouted = ({ kind }: Filtered): boolean => kind === undefined || kindOf(kind).isRouted === true;

const isOfStock = ({ kind }: Filtered): boolean => kind === undefined || isRow(kind);

export const subjectColumns: ListColumns<SubjectRow, Around> = {
  kind: {},
  id: { head: 'Record', title: ({ filters: { kind = 'record' } }) => titled(kind), cell: naming },
  tenant: { head: 'Account' },
  customer: { cell: customerLink, text: ({ facts }) => facts.customerName },
  shipVia: {
    as: 'minor',
    cell: shipment,
    text: ({ facts: { carrier, service } }) => [carrier, service].filter(Boolean).join(' '),
    isOf: isOfRouted,
  },
  ...Object.fromEntries(
    Object.entries(levelTitles).map(([name, head]) => [
      name,
      {
        ...(name !== 'totalReceived' && { as: 'number' }),
        head,
        text: ({ facts }: SubjectRow) => facts.levels?.[name as keyof typeof levelTitles],
        isOf: isOfStock,
      } as const,
    ]),
  ),
  stage: {
    cell: standing,
    text: ({ revision, stage, kind }) => (revision === 0 ? 'Received' : stageName(stage, kind)),
  },
  stageSince: { head: 'In stage since', as: 'minor' },
  attention: {
    cell: (row, { now }) => row.attention.length > 0 && briefly(row, now),
    text: attentionText,
  },
  takenBy: { as: 'minor' },
  dueAt: {
    head: 'Due',
    cell: (row, { now }) =>
      row.outlook === null ? row.dueAt && html`<span class="muted">${clock(row.dueAt)}</span>` : dueText(row, now),
  },
  referenceNumber: { head: 'Reference' },
  customerId: {},
  lastEventAt: { head: 'Last event' },
  facilityId: {},
  poNumber: { head: 'PO number', text: ({ facts }) => facts.poNumber, isOf: isOfRouted },
  externalId: { text: ({ facts }) => facts.externalId, isOf: isOfRouted },
  tracking: { text: ({ facts }) => facts.trackingNumbers, isOf: isOfRouted },
  skus: { head: 'SKUs', text: ({ facts }) => facts.skus, isOf: isOfRouted },
  outlook: { text: ({ outlook }) => outlook && dueWords[outlook] },
  dueBecause: { head: 'Why' },
  expected: { text: ({ forecast }) => forecast?.expectedAt },
  expectedWhy: { text: ({ forecast }) => forecast?.because },
  ...{ retrieving: false, announcing: false, refused: false, facts: false, forecast: false },
};

function naming(row: SubjectRow, { filters }: Around): Markup {
  const { referenceNumber, facts, id } = row;
  const name = filters.kind === undefined ? nameOf(row) : id;
  return html`<span class="two"><a href="${subjectAddress(row)}">${untrusted(referenceNumber ?? name, 60)}</a>${referenceNumber !== null && html` <span class="${referenceNumber.includes(id) ? 'aside' : 'id'}">${untrusted(name, 60)}</span>`}${facts.poNumber !== undefined && html` <span class="aside">${untrusted(facts.poNumber, 40)}</span>`}</span>`;
}

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
