import { closing } from '../message.ts';
import { defineIncomingWebhook } from './json-post.ts';

/** Escapes what Slack reads as links and mentions (https://docs.slack.dev/messaging/formatting-message-text). */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Slack's limit of a section is 3000 characters. */
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

/** Incoming webhook of Slack, or of what takes the same messages, such as Mattermost. */
export const slack = defineIncomingWebhook(({ title, items, more, url }) => ({
  // Shown in notifications, and where blocks are not understood.
  text: escaped(title),
  blocks: [
    ...(items.length === 1 ? [] : [section(`*${escaped(title)}*`)]),
    ...items.map(({ text, lines, url: page }) =>
      section([`*${escaped(text)}*`, ...lines.map(escaped), `<${page}|Open on the board>`].join('\n')),
    ),
    ...closing(more, url).map((line) => section(escaped(line))),
  ],
}));
