import { sql } from 'kysely';
import { z } from 'zod';
import { may } from '../../admin/access.ts';
import { destinationAddress } from '../../admin/board/addresses.ts';
import { html } from '../../admin/board/html.ts';
import { took, untrusted } from '../../admin/board/text.ts';
import { equals, fieldBy } from '../../admin/filter.ts';
import { names } from '../../admin/queries.ts';
import { defineList } from '../../admin/views/list.ts';
import { byText } from '../../admin/views/place.ts';
import { destinationStates, selectDestinations, stateColumn } from '../tables/destinations.ts';
import { pauseSwitch } from './destination-forms.ts';
import {
  countAllUnsent,
  destinationRow,
  origins,
  percent,
  stateBadge,
  toDestination,
  unsent,
  wanted,
} from './destination-row.ts';

const filters = {
  tenant: fieldBy(names.tenant, equals('tenant'), { label: 'Account' }),
  name: fieldBy(names.destination, equals('name')),
  state: fieldBy(z.enum(destinationStates).describe('only in this state'), (state) => sql`${stateColumn} = ${state}`),
  origin: fieldBy(
    z.enum(origins).describe('only those in the configuration, or those that were added'),
    (origin) => (origin === 'configured' ? sql`configured is not null` : sql`configured is null`),
    { label: 'Managed in' },
  ),
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
  columns: {
    tenant: { head: 'Account' },
    name: {
      head: 'Destination',
      cell: (row) =>
        html`<span class="two"><a href="${destinationAddress(row)}">${row.name}</a> <span class="id">${untrusted(row.tenant)} · ${untrusted(row.address, 60)}</span></span>`,
    },
    state: { as: 'nowrap', cell: stateBadge },
    unsent: { head: 'Backlog', as: 'nowrap', cell: unsent },
    deadLetters: {},
    oldestUnsentAt: { head: 'Oldest', as: 'nowrap' },
    because: {},
    address: {},
    types: {},
    customers: {},
    kinds: {},
    detail: {},
    origin: {},
    successRate: {
      head: 'Success',
      as: 'number',
      cell: ({ successRate: rate }) => (rate === null ? html`<span class="muted">none sent</span>` : percent(rate)),
    },
    p95Ms: { head: 'p95', as: 'minor', cell: ({ p95Ms }) => p95Ms !== null && took(p95Ms) },
    events: { as: 'minor', cell: wanted },
    action: {
      as: 'action',
      cell: (row, { caller }) => may(caller, 'manage') && pauseSwitch(row, '/board/destinations'),
    },
  },

  select: ({ reads }) => selectDestinations(reads),
  order: () => ({ by: [byText('tenant'), byText('name')] }),
  toRows: (sources, stored) => countAllUnsent(sources, stored.map(toDestination)),
  page: () => ({
    title: 'Destinations',
    section: 'destinations',
    about: html`<p class="muted">Who gets announcements. <a href="/board/announcements/all">Deliveries</a> · <a href="/board/dead-letters">Dead letters</a></p>`,
    empty: 'No destinations match.',
    below: html`<p class="more">Success and p95 are those of the last six hours. <code>dockline admin destination</code> adds and changes destinations.</p>`,
  }),
});
