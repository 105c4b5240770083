import { html, type Markup } from './html.ts';

/** Sentences on the page after an action, by the word in its address. */
const notices: Readonly<Record<string, string>> = {
  refreshed: 'The warehouse was asked, and its answer is recorded.',
  refreshing: 'The warehouse is being asked. The answer appears here when it comes.',
  released: 'Its marks are cleared.',
  resent: 'The announcement is sent again.',
  replayed: 'The delivery was read again and is now understood.',
  'not-replayed': 'The delivery was read again. It is still not understood.',
};

/** Shows what was done. It stays until the reader leaves the page. */
export function notice(done: string | undefined): Markup | null {
  const text = done === undefined || !Object.hasOwn(notices, done) ? undefined : notices[done];
  return text === undefined ? null : html`<p class="notice" role="status" id="notice">${text}</p>`;
}
