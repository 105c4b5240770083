import { html, type Markup, trusted } from './html.ts';

/** In a square of 18 units. */
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

/** Hidden from screen readers: the text beside it names it. */
export const icon = (name: keyof typeof paths): Markup =>
  html`<svg class="glyph" viewBox="0 0 18 18" aria-hidden="true"><path d="${paths[name]}"/></svg>`;

export const mark: Markup = trusted(
  '<svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#0b6e77"/><path d="M7 22h18M9 22v-8h6v8m2 0V9h6v13" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round"/></svg>',
);
