import { sql } from 'kysely';
import { z } from 'zod';
import { type Caller, may } from '../../admin/access.ts';
import { destinationAddress } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { untrusted } from '../../admin/board/text.ts';
import { equals, fieldBy, names } from '../../admin/queries.ts';
import { defineList } from '../../admin/views/list.ts';
import { byText } from '../../admin/views/place.ts';
import { words } from '../../base/text.ts';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { destinationStates, selectDestinations, stateColumn } from '../tables/destinations.ts';
import {
  countAllUnsent,
  type DestinationRow,
  destinationRow,
  isSilent,
  origins,
  percent,
  stateBadge,
  toDestination,
  unsent,
  wanted,
} from './destination-row.ts';

export function actionsOf(row: DestinationRow, caller: Caller): Markup {
  const button = (action: string, name: string) =>
    html`<form method="post" action="${destinationAddress(row)}/${action}"><button>${name}</button></form>`;
  const waits = row.unsent > row.deadLetters && !isSilent(row);
  return html`<div class="actions">
${waits && may(caller, 'act') && button('send-now', 'Send backlog now')}
${may(caller, 'manage') && html`${button('test', 'Send a test')}${pauseSwitch(row, destinationAddress(row))}${row.origin === 'added' && renameForm(row)}`}
</div>`;
}

const renameForm = (row: DestinationRow): Markup => html`<button type="button" popovertarget="rename">Rename…</button>
<form class="filters" id="rename" popover method="post" action="${destinationAddress(row)}/rename"><label>New name <input name="to" maxlength="40" size="20" required></label> <button>Rename</button></form>`;

function pauseSwitch(row: DestinationRow, back: string): Markup {
  const name = html`<span class="aside"> ${row.name}</span>`;
  const address = destinationAddress(row);
  const leads = html`<input type="hidden" name="back" value="${back}">`;
  if (isSilent(row))
    return html`<form method="post" action="${address}/resume">${leads}<button>Resume${name}</button></form>`;
  const id = `pause-${row.tenant}-${row.name}`;
  return html`<button type="button" popovertarget="${id}">Pause…${name}</button>
<form class="filters" id="${id}" popover method="post" action="${address}/pause">${leads}<label>Reason <input name="reason" maxlength="200" size="24" placeholder="Why, for the others" required></label> <button>Pause</button></form>`;
}

export const replayForm = ({ tenant, name }: DestinationRow): Markup => html`<section><h2 id="replay">Replay</h2>
<p class="muted">Sends announcements again, marked as replays: also those that were delivered, and those it missed. Shows a preview first.</p>
<form class="filters" method="post" action="/board/bulk">
<input type="hidden" name="action" value="replay"><input type="hidden" name="tenant" value="${tenant}"><input type="hidden" name="destination" value="${name}">
<label>Created since <input name="since" maxlength="30" size="8" placeholder="2h, 7d" required></label>
<label>Until <input name="until" maxlength="30" size="8" placeholder="now"></label>
<label>Kind <select name="kind"><option value="">any</option>${subjectKinds.map((kind) => html`<option value="${kind}">${words(kind)}</option>`)}</select></label>
<label>Milestone <input name="milestone" maxlength="40" size="10" placeholder="packed"></label>
<label>Customer <input name="customer" maxlength="100" size="8"></label>
<button>Replay…</button>
</form></section>`;

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
    below: html`<p class="more">Success is that of the last six hours. <code>dockline admin destinations</code> adds and changes destinations.</p>`,
  }),
});
