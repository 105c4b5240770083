import { html, type Markup } from './html.ts';
import { icon } from './icons.ts';
import { number } from './text.ts';

/** Entries of the navigation, with their addresses. A page says to which one it belongs. */
const sections = {
  overview: ['/board', 'Overview'],
  orders: ['/board/subjects', 'Orders'],
  inventory: ['/board/subjects?kind=receipt', 'Inventory'],
  receivers: ['/board/destinations', 'Receivers'],
  webhooks: ['/board/webhooks', 'Webhooks'],
  alerts: ['/board/alerts', 'Alerts'],
  lead: ['/board/lead-times', 'Lead times'],
  audit: ['/board/audit', 'Audit'],
  settings: ['/board/system', 'Settings'],
  help: ['/board/docs', 'Help'],
} as const;

/** Entry of the navigation. */
export type Section = keyof typeof sections;

/** Numbers of things that need a person, by the entry where they are. */
export type Badges = { readonly [S in Section]?: number };

/** Entries that a phone shows in its bar; the others are behind the last. */
const FIRST = 4;

const names = Object.keys(sections) as Section[];

/** Entries that begin a group. */
const beginnings: readonly Section[] = ['receivers', 'lead'];

/** Shows where one can go, with what needs a person there. */
export function navigation(current: Section | undefined, badges: Badges): Markup {
  const entry = (name: Section) => {
    const [address, title] = sections[name];
    const count = badges[name] ?? 0;
    return html`<li${beginnings.includes(name) && html` class="gap"`}><a href="${address}"${name === current && html` aria-current="page"`}>${icon(name)}${title}${count > 0 && html` <span class="count bad" title="${number(count)} need a person">${count > 99 ? '99+' : count}</span>`}</a></li>`;
  };
  return html`<nav class="rail" id="rail" aria-label="Board"><ul>${names.slice(0, FIRST).map(entry)}</ul>
<details id="more"><summary>${icon('more')}More</summary><ul>${names.slice(FIRST).map(entry)}</ul></details></nav>`;
}
