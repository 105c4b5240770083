import { closing } from '../message.ts';
import { defineIncomingWebhook } from './json-post.ts';

/**
 * Links and mentions of Slack (https://docs.slack.dev/messaging/formatting-message-text), and of Mattermost and Rocket.Chat, which notify
 * everyone of a plain `@all`.
 */
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/@(?=(?:all|channel|everyone|here)\b)/gi, '@\u200b');

/** All of it is in `text`: Mattermost and Rocket.Chat show no blocks (https://github.com/mattermost/mattermost/issues/14973). */
export const slack = defineIncomingWebhook(({ title, items, more, url }) => ({
  text: [
    ...(items.length === 1 ? [] : [`*${escaped(title)}*`]),
    ...items.map(({ text, lines, url: page }) =>
      [`*${escaped(text)}*`, ...lines.map(escaped), `<${page}|Open on the board>`].join('\n'),
    ),
    ...closing(more, url).map(escaped),
  ].join('\n\n'),
}));
