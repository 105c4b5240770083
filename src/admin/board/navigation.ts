import { html, type Markup } from './html.ts';
import { icon } from './icons.ts';
import { number } from './text.ts';

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

export type Section = keyof typeof sections;

/** Things that need a person. */
export type Badges = { readonly [S in Section]?: number };

const names = Object.keys(sections) as Section[];

const beginnings: readonly Section[] = ['destinations', 'lead'];

export function navigation(
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
