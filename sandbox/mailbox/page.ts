import type { AssetAddresses } from '../../src/admin/board/assets.ts';
import { type Content, html, type Markup } from '../../src/admin/board/html.ts';
import { when } from '../../src/admin/board/text.ts';

/** Mail in plain text. */
export interface Mail {
  readonly subject: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Shows mails in the order given. */
export const mailboxPage = (mails: readonly Mail[], assets: AssetAddresses): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Mailbox · Dockline</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assets['icon.svg']}">
<link rel="stylesheet" href="${assets['board.css']}">
<script type="module" src="${assets['board.js']}"></script>
</head>
<body>
<main>
<h1>Mailbox</h1>
<p>Mails about alerts of this demonstration, the newest first; reload the page for those that came since. With <code>alerts</code> in <code>CONFIG_FILE</code> they go to you instead.</p>
${mails.length === 0 && html`<p>No mail has come yet.</p>`}
${mails.map(mailCard)}
</main>
</body>
</html>
`;

const mailCard = ({ subject, text, receivedAt }: Mail): Markup => html`<article class="card">
<h2>${subject}</h2>
<p class="muted">${when(receivedAt)}</p>
<pre class="body">${linked(text)}</pre>
</article>
`;

/** Makes links of the addresses in a text, as mail programs do. */
const linked = (text: string): readonly Content[] =>
  text
    .split(/(https?:\/\/[^\s<>]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
