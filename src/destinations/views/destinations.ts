import { z } from 'zod';
import { may } from '../../admin/access.ts';
import { destinationAddress } from '../../admin/board/addresses.ts';
import { filterForm } from '../../admin/board/filter-form.ts';
import { html } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { notice } from '../../admin/board/notice.ts';
import { actionColumn, listEnd, nowrap, numeric, table } from '../../admin/board/table.ts';
import { ago, took, untrusted } from '../../admin/board/text.ts';
import { filterBy, type Given } from '../../admin/filter.ts';
import { names, placeForm } from '../../admin/queries.ts';
import { defineList, type ShownRows } from '../../admin/views/list.ts';
import type { Sources } from '../../admin/views/view.ts';
import { pauseSwitch } from './destination-forms.ts';
import {
  compareRefs,
  countAllUnsent,
  type DestinationRow,
  destinationRow,
  destinationStates,
  findDestinations,
  origins,
  percent,
  stateBadge,
  unsent,
  wanted,
} from './destination-row.ts';

const filters = {
  tenant: filterBy(names.tenant, { label: 'Account' }),
  name: filterBy(names.destination, { label: 'Name' }),
  state: filterBy(z.enum(destinationStates).describe('only in this state'), { label: 'State' }),
  origin: filterBy(z.enum(origins).describe('only those in the configuration, or those that were added'), {
    label: 'Managed in',
  }),
};

/** Place of a destination: its name and its account. */
const place = placeForm(/^([a-z0-9-]+)\.([^\0]+)$/s, 'default.9104', (name = '', tenant = '') => ({ tenant, name }));

/** Finds those that match. There are few: they are filtered here, since those of the configuration are not in the store. */
const matching = async (sources: Sources, { tenant, name, state, origin }: Given<typeof filters>) =>
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
  summary: 'Lists destinations with their state and backlog',
  tag: 'Receivers',
  description:
    'Who gets announcements of which warehouse account, with the state of each and its backlog. Addresses are shown without user and password.',
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

function listPage(shown: ShownRows<typeof filters, DestinationRow>): Page {
  const { rows, now, done, caller } = shown;
  return {
    title: 'Receivers',
    section: 'receivers',
    content: html`<div class="head"><h1>Receivers</h1><p class="links"><a href="/board/announcements/all">Deliveries</a> · <a href="/board/dead-letters">Dead letters</a></p></div>
${notice(done)}
${filterForm(shown)}
${rows.length === 0 && html`<p class="empty">No receivers match.</p>`}
${
  rows.length > 0 &&
  table({
    label: 'Receivers',
    columns: [
      'Receiver',
      'Events',
      nowrap('State'),
      numeric('Success'),
      numeric('p95'),
      nowrap('Backlog'),
      nowrap('Oldest'),
      may(caller, 'manage') && actionColumn,
    ],
    rows: rows.map((row) => ({
      cells: [
        html`<span class="two"><a href="${destinationAddress(row)}">${row.name}</a> <span class="id">${untrusted(row.tenant)} · ${untrusted(row.address, 60)}</span></span>`,
        wanted(row),
        stateBadge(row),
        row.successRate === null ? html`<span class="muted">none sent</span>` : percent(row.successRate),
        row.p95Ms !== null && took(row.p95Ms),
        unsent(row),
        row.oldestUnsentAt && ago(row.oldestUnsentAt, now),
        pauseSwitch(row, '/board/destinations'),
      ],
    })),
  })
}
${listEnd(shown)}
<p class="more">Success and p95 are those of the last six hours. <code>dockline admin destination</code> adds and changes receivers.</p>`,
  };
}
