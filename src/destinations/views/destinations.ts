import { sql } from 'kysely';
import { z } from 'zod';
import { may } from '../../admin/access.ts';
import { destinationAddress } from '../../admin/board/addresses.ts';
import { filterForm } from '../../admin/board/filter-form.ts';
import { html } from '../../admin/board/html.ts';
import type { Page } from '../../admin/board/layout.ts';
import { actionColumn, listEnd, minor, nowrap, numeric, table } from '../../admin/board/table.ts';
import { ago, took, untrusted } from '../../admin/board/text.ts';
import { filterBy } from '../../admin/filter.ts';
import { names } from '../../admin/queries.ts';
import { defineList, type ShownRows } from '../../admin/views/list.ts';
import { byText } from '../../admin/views/place.ts';
import { destinationStates, selectDestinations, stateColumn } from '../tables/destinations.ts';
import { pauseSwitch } from './destination-forms.ts';
import {
  countAllUnsent,
  type DestinationRow,
  destinationRow,
  origins,
  percent,
  stateBadge,
  toDestination,
  unsent,
  wanted,
} from './destination-row.ts';

const filters = {
  tenant: filterBy(names.tenant, { label: 'Account', where: (tenant) => sql`tenant = ${tenant}` }),
  name: filterBy(names.destination, { label: 'Name', where: (name) => sql`name = ${name}` }),
  state: filterBy(z.enum(destinationStates).describe('only in this state'), {
    label: 'State',
    where: (state) => sql`${stateColumn} = ${state}`,
  }),
  origin: filterBy(z.enum(origins).describe('only those in the configuration, or those that were added'), {
    label: 'Managed in',
    where: (origin) => (origin === 'configured' ? sql`configured is not null` : sql`configured is null`),
  }),
};

export const destinationList = defineList({
  path: '/destinations',
  summary: 'Lists destinations with their state and backlog',
  tag: 'Destinations',
  description:
    'Who gets announcements of which warehouse account, with the state of each and its backlog. Addresses are shown without user and password.',
  names: { row: 'Destination', page: 'DestinationPage' },
  filters,
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

  select: ({ reads }) => selectDestinations(reads),
  order: () => ({ by: [byText('tenant'), byText('name')] }),
  toRows: (sources, stored) => countAllUnsent(sources, stored.map(toDestination)),
  html: listPage,
});

function listPage(shown: ShownRows<typeof filters, DestinationRow>): Page {
  const { rows, now, caller } = shown;
  return {
    title: 'Destinations',
    section: 'destinations',
    content: html`<div class="head"><h1>Destinations</h1><p class="links"><a href="/board/announcements/all">Deliveries</a> · <a href="/board/dead-letters">Dead letters</a></p></div>
${filterForm(shown)}
${rows.length === 0 && html`<p class="empty">No destinations match.</p>`}
${
  rows.length > 0 &&
  table({
    label: 'Destinations',
    columns: [
      'Destination',
      minor('Events'),
      nowrap('State'),
      numeric('Success'),
      minor('p95'),
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
<p class="more">Success and p95 are those of the last six hours. <code>dockline admin destination</code> adds and changes destinations.</p>`,
  };
}
