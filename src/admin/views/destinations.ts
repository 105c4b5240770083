import { z } from 'zod';
import { destinationAddress } from '../board/addresses.ts';
import { filterForm } from '../board/filter-form.ts';
import { html } from '../board/html.ts';
import type { Page } from '../board/layout.ts';
import { notice } from '../board/notice.ts';
import { listEnd, table, unbroken } from '../board/table.ts';
import { ago, foreign } from '../board/text.ts';
import { placeForm, text } from '../queries.ts';
import {
  compareRefs,
  countAllUnsent,
  type DestinationRow,
  destinationRow,
  destinationStates,
  findDestinations,
  origins,
  stateBadge,
  unsent,
  wanted,
} from './destination-row.ts';
import { defineList, type ShownRows } from './list.ts';
import type { Sources } from './view.ts';

const filters = {
  tenant: text.exactOptional(),
  name: text.exactOptional(),
  state: z.enum(destinationStates).exactOptional(),
  origin: z.enum(origins).exactOptional().describe('only those of the configuration, or those that were added'),
};

type Filters = z.output<z.ZodObject<typeof filters>>;

/** Place of a destination: its name and its account, such as `default.9104`. */
const place = placeForm(/^([a-z0-9-]+)\.([^\0]+)$/s, (name = '', tenant = '') => ({ tenant, name }));

/** Finds those that match. There are few: they are filtered here, since those of the configuration are not in the store. */
const matching = async (sources: Sources, { tenant, name, state, origin }: Filters) =>
  (await findDestinations(sources)).filter(
    (it) =>
      (tenant ?? it.tenant) === it.tenant &&
      (name ?? it.name) === it.name &&
      (state ?? it.state) === it.state &&
      (origin ?? it.origin) === it.origin,
  );

/** Destinations, by account and name. */
export const destinationList = defineList({
  path: '/destinations',
  summary: 'Lists the destinations of all warehouses with what waits for them',
  names: { row: 'Destination', page: 'DestinationPage' },
  filters,
  place,
  row: destinationRow,
  columns: [
    'tenant',
    'name',
    'state',
    'unsent',
    'deadLetters',
    'oldestUnsentAt',
    'because',
    'address',
    'types',
    'customers',
    'kinds',
    'detail',
    'origin',
  ],

  async read(sources, { after, ...filter }, limit) {
    const found = await matching(sources, filter);
    const following = after ? found.filter((it) => compareRefs(it, after) > 0) : found;
    return countAllUnsent(sources, following.slice(0, limit));
  },
  count: async (sources, filter) => ({ count: (await matching(sources, filter)).length, isMore: false }),
  placeOf: ({ tenant, name }) => `${name}.${tenant}`,
  html: listPage,
});

/** Words for the fields of the form. */
const labels = { tenant: 'Account', name: 'Name', state: 'State', origin: 'Changed' } as const;

function listPage(shown: ShownRows<typeof filters, DestinationRow>): Page {
  const { rows, now, done } = shown;
  return {
    title: 'Destinations',
    section: 'receivers',
    content: html`<h1>Destinations</h1>
${notice(done)}
<p class="muted">Who gets the announcements of each warehouse. <code>dockline admin destination</code> adds and changes others.</p>
${filterForm(shown, labels)}
${rows.length === 0 && html`<p class="empty">No destinations match.</p>`}
${
  rows.length > 0 &&
  table({
    label: 'Destinations',
    columns: [
      'Destination',
      'Account',
      'Address',
      'Wants',
      unbroken('State'),
      unbroken('Not acknowledged'),
      unbroken('Oldest'),
    ],
    rows: rows.map((row) => ({
      cells: [
        html`<a href="${destinationAddress(row)}">${row.name}</a>`,
        foreign(row.tenant),
        foreign(row.address),
        wanted(row),
        stateBadge(row),
        unsent(row),
        row.oldestUnsentAt && ago(row.oldestUnsentAt, now),
      ],
    })),
  })
}
${listEnd(shown)}`,
  };
}
