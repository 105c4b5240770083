import { type Caller, roles } from '../access.ts';
import type { AssetAddresses } from './assets.ts';
import { foldIfNarrow } from './fold.ts';
import { html, type Markup } from './html.ts';
import { foreign, withoutDirection } from './text.ts';

/** Content of a page and its place in the board. */
export interface Page {
  readonly title: string;
  /** Address of the entry of the navigation that the page belongs to. */
  readonly section?: string;
  readonly content: Markup;
}

/** Circumstances of a page. */
export interface Surroundings {
  readonly assets: AssetAddresses;
  /** Token with which the reader has signed in, and can sign out. */
  readonly signedInAs: Caller | undefined;
  /** The reader sees the board and not only its door. */
  readonly isAdmitted: boolean;
  /** Text of the search field. */
  readonly search?: string;
}

const sections = [
  ['/board', 'Now'],
  ['/board/subjects', 'Orders'],
  ['/board/webhooks', 'Webhooks'],
  ['/board/announcements/all', 'Announcements'],
  ['/board/alerts', 'Alerts'],
  ['/board/system', 'System'],
  ['/board/audit', 'Audit'],
  ['/board/docs', 'Help'],
] as const;

/** Makes a whole document of a page. */
export function layout({ title, section, content }: Page, around: Surroundings): Markup {
  const { assets, isAdmitted } = around;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${withoutDirection(title)} · Dockline</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assets['icon.svg']}">
<link rel="stylesheet" href="${assets['board.css']}">
${isAdmitted && html`<script defer src="${assets['idiomorph.js']}"></script>`}
<script type="module" src="${assets['board.js']}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/board">Dockline</a>
${isAdmitted && menu(section, around)}
</header>
<main id="main" tabindex="-1">
${content}
</main>
</body>
</html>
`;
}

const links = (section: string | undefined): Markup => html`<nav aria-label="Board"><ul class="links">
${sections.map(
  ([address, name]) =>
    html`<li><a href="${address}"${address === section && html` aria-current="page"`}>${name}</a></li>`,
)}
</ul></nav>`;

const menu = (section: string | undefined, { search = '', signedInAs }: Surroundings): Markup => html`
${foldIfNarrow('Menu', links(section))}
<form class="search" role="search" action="/board/search">
<label for="q">Reference, id, customer or event</label>
<input id="q" name="q" type="search" value="${search}" maxlength="300" placeholder="Search" title="Press / to search" autocomplete="off" spellcheck="false" required>
<button>Find</button>
</form>
<div class="tools">
<button id="live" type="button" hidden>Pause</button>
<span id="live-state" class="state" role="status"></span>
</div>
${signedInAs !== undefined && account(signedInAs)}`;

/** Says as whom the reader has signed in, and what the token may do. */
const account = ({ name, roles: held, limits }: Caller): Markup => html`
<form class="account" method="post" action="/board/sign-out">
<p class="who" title="Signed in as ${name}">${foreign(name, 40)} <span class="muted">${held.length === roles.length ? 'all roles' : held.join(', ')}${limits !== undefined && ', limited'}</span></p>
<button class="quiet">Sign out</button>
</form>`;
