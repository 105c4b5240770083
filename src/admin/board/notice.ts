import { html, type Markup } from './html.ts';

/** Sentences on the page after an action, by the word in its address. */
const notices: Readonly<Record<string, string>> = {
  'refresh-done': 'The warehouse was asked, and its answer is recorded.',
  'refresh-asked': 'The warehouse was asked and has not answered yet. The answer appears here when it comes.',
  'refresh-failed': 'The warehouse was asked and failed, for the reason below. It is asked again by itself.',
  released: 'Its marks are cleared.',
  'release-undone': 'Its marks are back, except for those that have ended meanwhile.',
  noted: 'The note is added.',
  'note-removed': 'The note is removed.',
  taken: 'You have taken it.',
  'given-back': 'Nobody has taken it any more.',
  resent: 'The announcement is sent again.',
  'sent-now': 'The announcement is being sent now.',
  'all-sent-now': 'What has waited for it is being sent now, in order.',
  tested: 'The test announcement was accepted.',
  'test-failed': 'The test announcement was not accepted; the audit log has the answer.',
  paused: 'Nothing more is sent to it. What comes meanwhile waits.',
  resumed: 'What has waited for it is sent, in order.',
  silenced: 'Nobody is told of it until then.',
  unsilenced: 'It is told again.',
  'name-accepted': 'The name is accepted. What waited for it is being recorded.',
  'name-ignored': 'Webhooks of this name are ignored.',
  'name-forgotten': 'The name has no meaning any more.',
  replayed: 'The delivery was read again and is now understood.',
  'not-replayed': 'The delivery was read again. It is still not understood.',
};

/** Shows what was done. It stays until the reader leaves the page. */
export function notice(done: string | undefined): Markup | null {
  const text = done === undefined || !Object.hasOwn(notices, done) ? undefined : notices[done];
  const isBad = done === 'refresh-failed' || done === 'not-replayed' || done === 'test-failed';
  return text === undefined
    ? null
    : html`<p class="${isBad ? 'problem' : 'notice'}" role="status" id="notice">${text}</p>`;
}
