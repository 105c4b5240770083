import { closing } from '../message.ts';
import { defineIncomingWebhook } from './json-post.ts';

const escaped = (text: string): string => text.replaceAll(/[\\*_[\]`~#]/g, '\\$&');

const block = (text: string, more: object = {}) => ({ type: 'TextBlock', text: escaped(text), wrap: true, ...more });

const button = (title: string, url: string) => ({
  type: 'ActionSet',
  actions: [{ type: 'Action.OpenUrl', title, url }],
});

/** A workflow of Power Automate posts an Adaptive Card to Teams. */
export const teams = defineIncomingWebhook(({ title, items, more, url }) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        type: 'AdaptiveCard',
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        version: '1.4',
        body: [
          ...(items.length === 1 ? [] : [block(title, { weight: 'Bolder', size: 'Medium' })]),
          ...items.flatMap(({ text, lines, url: page }) => [
            block(text, { weight: 'Bolder', separator: true }),
            ...lines.map((line) => block(line, { spacing: 'Small' })),
            button('Open on the board', page),
          ]),
          ...(more > 0 ? closing(more, url).map((line) => block(line)) : []),
        ],
        actions: [{ type: 'Action.OpenUrl', title: 'All alerts', url }],
      },
    },
  ],
}));
