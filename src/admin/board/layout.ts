import type { FastifyInstance } from 'fastify';
import { type Caller, roles } from '../access.ts';
import type { AssetAddresses } from './assets.ts';
import { html, type Markup, trusted } from './html.ts';
import { number, untrusted, withoutDirection } from './text.ts';

/** Addition of a demonstration to the board. */
export interface Guide {
  /** Its content is an element with the id `guide`, which a button with the label opens. */
  drawer(temporalUrl: string | undefined): { readonly label: string; readonly content: Markup };
  addRoutes(app: FastifyInstance, onChange: () => void): void;
}

export interface Notice {
  readonly text: string;
  readonly isBad: boolean;
}

const notice = (done: Notice | undefined): Markup | null =>
  done === undefined
    ? null
    : html`<p class="${done.isBad ? 'problem' : 'notice'}" role="status" id="notice">${done.text}</p>`;

const paths = {
  overview: 'M2.5 9.5 9 3l6.5 6.5M4.5 8v7h9V8',
  orders: 'M3 5.5 9 2.5l6 3v7l-6 3-6-3zM3 5.5l6 3 6-3M9 8.5v7',
  inventory: 'M2.5 15.5v-9L9 2.5l6.5 4v9M5.5 15.5v-6h7v6M5.5 12.5h7',
  destinations: 'M2.5 9h9M8.5 5.5 12 9l-3.5 3.5M15.5 3v12',
  webhooks: 'M15.5 9h-9M9.5 5.5 6 9l3.5 3.5M2.5 3v12',
  alerts: 'M4.5 12.5V8a4.5 4.5 0 0 1 9 0v4.5l1.5 1H3zM7.5 15.5h3',
  lead: 'M9 3.5a6 6 0 1 0 6 6M9 6v3.5l2.5 1.5M12 2.5h3.5V6',
  audit: 'M4.5 2.5h9v13h-9zM7 6h4M7 9h4M7 12h2.5',
  settings: 'M3 5h6M13 5h2M3 13h2M9 13h6M9 5a2 2 0 1 0 4 0 2 2 0 0 0-4 0zM5 13a2 2 0 1 0 4 0 2 2 0 0 0-4 0z',
  help: 'M9 15.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM7.2 7.2a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.7-.8 1.2M9 12.2v.1',
  search: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM12 12l3.5 3.5',
} as const;

export const icon = (name: keyof typeof paths): Markup =>
  html`<svg class="glyph" viewBox="0 0 18 18" aria-hidden="true"><path d="${paths[name]}"/></svg>`;

const mark: Markup = trusted(
  '<svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b6e77"/><path d="M7 22h18M9 22v-8h6v8m2 0V9h6v13" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round"/></svg>',
);

export interface Page {
  readonly title: string;
  readonly section?: Section;
  readonly content: Markup;
}

export interface PageContext {
  readonly assets: AssetAddresses;
  readonly signedInAs: Caller | undefined;
  readonly operator: string | undefined;
  readonly isAdmitted: boolean;
  readonly environment: string;
  readonly badges?: Badges | undefined;
  readonly hidden?: readonly Section[];
  readonly guide?: ReturnType<Guide['drawer']> | undefined;
  readonly search?: string;
  /** Entity tag of a page that changes, so that its script need not fetch it once more. */
  readonly version?: string | undefined;
  readonly done?: Notice | undefined;
}

export type Surroundings = Pick<PageContext, 'badges' | 'guide' | 'hidden' | 'done'>;

export function layout({ title, section, content }: Page, around: PageContext): Markup {
  const { assets, isAdmitted } = around;
  return html`<!doctype html>
<html lang="en"${around.version !== undefined && html` data-version="${around.version}"`}>
<head>
<meta charset="utf-8">
<title>${(around.badges?.alerts ?? 0) > 0 && `(${around.badges?.alerts}) `}${withoutDirection(title)} · Dockline</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assets['icon.svg']}">
<link rel="preload" as="font" type="font/woff2" crossorigin href="${assets['inter.woff2']}">
<link rel="stylesheet" href="${assets['board.css']}">
${isAdmitted && html`<script defer src="${assets['idiomorph.js']}"></script>`}
<script type="module" src="${assets['board.js']}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/board">${mark}Dockline</a>
${isAdmitted && tools(around)}
</header>
${isAdmitted && navigation(section, around)}
<main id="main" tabindex="-1">
${notice(around.done)}
${content}
</main>
${isAdmitted && around.guide?.content}
</body>
</html>
`;
}

const tools = ({ search = '', signedInAs, operator, environment, guide }: PageContext): Markup => html`
<form class="search" role="search" action="/board/search">
${icon('search')}
<label for="q">Reference, id, customer or event</label>
<input id="q" name="q" type="search" value="${search}" maxlength="300" placeholder="Reference, tracking, customer, SKU…" title="Press / to search" autocomplete="off" spellcheck="false" required>
<kbd aria-hidden="true">/</kbd>
<button class="aside">Find</button>
</form>
<div class="tools">
${guide && html`<button class="chip" type="button" popovertarget="guide"><span class="where">Things to try:</span> ${guide.label}</button>`}
<span class="chip where" title="This installation">${environment}</span>
${operator !== undefined && html`<a class="chip where" href="/board/name" title="Change your name">${untrusted(operator, 40)}</a>`}
<button class="chip" id="live" type="button" hidden title="Pause or resume the updates of this page"><span id="live-state" role="status"></span></button>
</div>
${signedInAs !== undefined && account(signedInAs)}`;

const account = ({ name, roles: held, limits }: Caller): Markup => html`
<form class="account" method="post" action="/board/sign-out">
<p class="who" title="Signed in as ${name}">${untrusted(name, 40)} <span class="muted">${held.length === roles.length ? 'all roles' : held.join(', ')}${limits !== undefined && ', limited'}</span></p>
<button class="quiet">Sign out</button>
</form>`;

const sections = {
  overview: ['/board', 'Overview'],
  orders: ['/board/subjects', 'Orders'],
  inventory: ['/board/subjects?kind=receipt', 'Inventory'],
  destinations: ['/board/destinations', 'Destinations'],
  webhooks: ['/board/webhooks', 'Webhooks'],
  alerts: ['/board/alerts', 'Alerts'],
  lead: ['/board/lead-times', 'Lead times'],
  audit: ['/board/audit', 'Audit'],
  settings: ['/board/system', 'Settings'],
  help: ['/board/docs', 'Help'],
} as const;

type Section = keyof typeof sections;

type Badges = { readonly [S in Section]?: number };

const names = Object.keys(sections) as Section[];

const beginnings: readonly Section[] = ['destinations', 'lead'];

function navigation(
  current: Section | undefined,
  { badges = {}, hidden = [] }: { readonly badges?: Badges | undefined; readonly hidden?: readonly Section[] },
): Markup {
  const entry = (name: Section) => {
    const [address, title] = sections[name];
    const count = badges[name] ?? 0;
    return html`<li${beginnings.includes(name) && html` class="gap"`}><a href="${address}"${name === current && html` aria-current="page"`}>${icon(name)}${title}${count > 0 && html` <span class="count bad" title="${number(count)} need a person">${count > 99 ? '99+' : count}</span>`}</a></li>`;
  };
  return html`<nav class="rail" id="rail" aria-label="Board"><ul>${names.filter((name) => !hidden.includes(name)).map(entry)}</ul></nav>`;
}
