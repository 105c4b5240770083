import { type Caller, roles } from '../access.ts';
import type { Try } from '../guide.ts';
import type { AssetAddresses } from './assets.ts';
import { guideDrawer, triedOf } from './guide.ts';
import { html, type Markup } from './html.ts';
import { icon, mark } from './icons.ts';
import { type Badges, navigation, type Section } from './navigation.ts';
import { type Notice, notice, problemNotice } from './notice.ts';
import { untrusted, withoutDirection } from './text.ts';

export interface Page {
  readonly title: string;
  readonly section?: Section;
  readonly content: Markup;
  /** Of the last action, from the audit log; shown without a notice. */
  readonly result?: Markup | null;
}

export interface PageContext {
  readonly assets: AssetAddresses;
  readonly signedInAs: Caller | undefined;
  readonly operator: string | undefined;
  /** False on the sign-in page. */
  readonly isAdmitted: boolean;
  /** So that nobody mistakes a test for production. */
  readonly environment: string;
  readonly badges?: Badges | undefined;
  /** Nothing there is for the reader. */
  readonly hidden?: readonly Section[];
  /** Only in a demonstration. */
  readonly guide?: readonly Try[] | undefined;
  readonly search?: string;
  readonly problem?: string;
  /** Entity tag of a page that changes, so that its script need not fetch it once more. */
  readonly version?: string | undefined;
  /** Of the action that led here. */
  readonly done?: Notice | undefined;
}

export type Surroundings = Pick<PageContext, 'badges' | 'guide' | 'hidden' | 'done'>;

export function layout({ title, section, content, result }: Page, around: PageContext): Markup {
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
${around.problem !== undefined && problemNotice(around.problem)}
${notice(around.done) ?? result}
${content}
</main>
${isAdmitted && html`${around.guide && guideDrawer(around.guide)}${panel}`}
</body>
</html>
`;
}

/** Beside a list: what the page's script takes of the page of a row. */
const panel = html`<aside class="drawer stack" id="panel" popover tabindex="-1" aria-label="Details"><div class="head"><div class="actions"><button class="quiet" type="button" popovertarget="panel">Close</button></div></div><div class="stack"></div><a>Open the whole page</a></aside>`;

const tools = ({ search = '', signedInAs, operator, environment, guide }: PageContext): Markup => html`
<form class="search" role="search" action="/board/search">
${icon('search')}
<label for="q">Reference, id, customer or event</label>
<input id="q" name="q" type="search" value="${search}" maxlength="300" placeholder="Reference, tracking, customer, SKU…" title="Press / to search" autocomplete="off" spellcheck="false" required>
<kbd aria-hidden="true">/</kbd>
<button class="aside">Find</button>
</form>
<div class="tools">
${guide && html`<button class="chip" type="button" popovertarget="guide"><span class="where">Things to try:</span> ${triedOf(guide)}</button>`}
<span class="chip where" title="This installation">${environment}</span>
${operator !== undefined && html`<a class="chip where" href="/board/name" title="Change your name">${untrusted(operator, 40)}</a>`}
<button class="quiet" id="live" type="button" hidden title="Pause or resume the updates of this page"><span id="live-state" role="status"></span></button>
</div>
${signedInAs !== undefined && account(signedInAs)}`;

const account = ({ name, roles: held, limits }: Caller): Markup => html`
<form class="account" method="post" action="/board/sign-out">
<p class="who" title="Signed in as ${name}">${untrusted(name, 40)} <span class="muted">${held.length === roles.length ? 'all roles' : held.join(', ')}${limits !== undefined && ', limited'}</span></p>
<button class="quiet">Sign out</button>
</form>`;
