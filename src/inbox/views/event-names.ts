import { z } from 'zod';
import { may } from '../../admin/access.ts';
import { listAddress } from '../../admin/board/addresses.ts';
import { html, type Markup } from '../../admin/board/html.ts';
import { table } from '../../admin/board/table.ts';
import { ago, number, untrusted } from '../../admin/board/text.ts';
import { count, defineView, instant, listOf, type Sources } from '../../admin/views/view.ts';
import { catalogue, type Family, families } from '../../domain/catalogue/catalogue.ts';
import { describeFamily, type EventName, IGNORE, LONGEST_NAME, nameIn, nameKey } from '../../domain/quarantine.ts';
import { readEventNames } from '../tables/event-names.ts';
import { readReason } from '../tables/quarantined.ts';
import { countReasons } from './quarantine.ts';

const family = z.enum(families).nullable().describe('What the messages are about; null if they do not say it.');

const unknown = z.object({
  name: z.string(),
  key: z.string().nullable().describe('Name as it is compared; null for one that cannot be accepted.'),
  family,
  data: z.string().describe('Data of the reason for their quarantine, as JSON.'),
  count,
  firstReceivedAt: instant,
});

const acceptedName = z.object({ key: z.string(), family, as: z.string(), at: instant, by: z.string() });

const eventNames = z.object({
  unknown: listOf(unknown).describe('Names of webhooks in quarantine, the most frequent first.'),
  accepted: listOf(acceptedName),
});

async function readNames(sources: Pick<Sources, 'reads'>): Promise<z.output<typeof eventNames>> {
  const reasons = await countReasons(sources, { code: 'unknownName' });
  const accepted = await readEventNames(sources.reads);
  return {
    unknown: reasons.flatMap(({ code, data, count, firstReceivedAt }) => {
      const name = nameIn(readReason({ code, data }));
      return name ? [{ ...describe(name), data, count, firstReceivedAt }] : [];
    }),
    accepted: accepted.map(({ key, meaning, at, by }) => ({
      key,
      family: familyIn(key),
      as: meaning,
      at: new Date(at),
      by,
    })),
  };
}

function describe(it: EventName) {
  const key = nameKey(it);
  // Of a longer one the reason has only the beginning.
  const isWhole = it.name.length < LONGEST_NAME && !/(^|\/)$/.test(key);
  return {
    name: it.name,
    key: isWhole ? key : null,
    family: it.family ?? null,
  };
}

const familyIn = (key: string): Family | null => families.find((one) => key.startsWith(`${one}/`)) ?? null;

export const eventNamesView = defineView({
  call: {
    path: '/event-names',
    id: 'getEventNames',
    summary: 'Lists unknown event names, and those that were accepted or ignored',
    tag: 'Webhooks',
    description:
      'Use it after a warehouse has renamed or added events: the unknown names in quarantine, and the names that somebody has accepted or ignored.',
    role: 'read',
    row: eventNames,
    name: 'EventNames',
    parts: { UnknownEventName: unknown, EventName: acceptedName },
  },
  page: {
    path: '/event-names',
    html: ({ row, caller, now }) => ({
      title: 'Names of events',
      section: 'webhooks',
      content: html`<h1>Names of events</h1>
<p class="muted">Webhooks whose names the catalogue does not have wait in <a href="/board/quarantine">quarantine</a> until somebody says what they mean. WEBHOOK_EVENT_ALIASES goes before what is accepted here.</p>
${row.unknown.length === 0 ? html`<p class="empty">None: every name is known, accepted or ignored.</p>` : unknownTable(row.unknown, now, may(caller, 'manage'))}
${row.accepted.length > 0 && acceptedTable(row.accepted, now, may(caller, 'manage'))}`,
    }),
  },
  params: z.object({}),
  read: readNames,
});

const unknownTable = (rows: z.output<typeof eventNames>['unknown'], now: number, mayAct: boolean): Markup =>
  table({
    label: 'Unknown names',
    rows,
    columns: {
      Name: ({ name, data }) =>
        html`<a href="${listAddress('/board/quarantine', { code: 'unknownName', data })}">${untrusted(name, LONGEST_NAME)}</a>`,
      About: { as: 'nowrap', cell: ({ family }) => about(family) },
      Webhooks: { as: 'number', cell: ({ count }) => number(count) },
      First: { as: 'nowrap', cell: ({ firstReceivedAt }) => ago(firstReceivedAt, now) },
      Action: mayAct && {
        as: 'action',
        cell: (it) => (it.key === null ? 'only in WEBHOOK_EVENT_ALIASES' : choices(it.key, it)),
      },
    },
  });

const about = (family: Family | null): string => (family === null ? 'not said' : describeFamily(family));

const pathOf = (key: string, action: 'accept' | 'forget'): string => {
  const [family, name] = key.includes('/') ? key.split('/') : ['any', key];
  return `/board/event-names/${family}/${name}/${action}`;
};

function choices(key: string, { family, name }: z.output<typeof unknown>): Markup {
  const events = catalogue.filter(({ subject }) => family === null || subject === family);
  const aside = html`<span class="aside"> ${untrusted(name)}</span>`;
  const path = pathOf(key, 'accept');
  return html`<form class="actions" method="post" action="${path}"><select name="as" aria-label="Event">${events.map((it) => html`<option>${it.name}</option>`)}</select><button>Accept${aside}</button></form>
<form class="actions" method="post" action="${path}"><button name="as" value="${IGNORE}">Ignore${aside}</button></form>`;
}

const acceptedTable = (rows: z.output<typeof eventNames>['accepted'], now: number, mayAct: boolean): Markup =>
  html`<h2 id="accepted">Accepted and ignored</h2>
<p class="muted">Undo affects new webhooks only: what was announced stays announced, and what was ignored is in quarantine again.</p>
${table({
  label: 'Accepted and ignored names',
  rows,
  columns: {
    Name: ({ key }) => key.replace(/^.*\//, ''),
    About: ({ family }) => about(family),
    Means: ({ as }) => (as === IGNORE ? 'ignored' : as),
    Since: { as: 'nowrap', cell: ({ at }) => ago(at, now) },
    By: ({ by }) => untrusted(by, 60),
    Action: mayAct && {
      as: 'action',
      cell: ({ key }) =>
        html`<form method="post" action="${pathOf(key, 'forget')}"><button>Undo<span class="aside"> ${key}</span></button></form>`,
    },
  },
})}`;
