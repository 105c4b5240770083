import { address, consent, plainTextRule, signingSecrets } from '../../forms/forms.ts';
import { createPost, type Reach } from '../../http/post.ts';
import { createSigner, signedHeaders } from '../../http/signature.ts';
import { closing, type Item, type Message } from '../message.ts';
import { type Channel, defineChannel } from './kind.ts';

const postForms = {
  url: address.describe(
    'Address of the channel. Internal ones have to be in `ANNOUNCE_ALLOWED_ADDRESSES`, as for destinations; proxies are used (docs/configuration.md).',
  ),
  allowHttp: consent('Plain http is refused beyond loopback unless this is `yes`.'),
};

const postRules = ({ url = '', allowHttp }: { readonly url?: string; readonly allowHttp?: string }) => [
  plainTextRule(url, 'http', allowHttp, 'alerts'),
];

/** Characters. */
const ANSWER = 300;

function openJsonPost(
  url: string,
  reach: Reach,
  toBody: (message: Message) => object,
  toHeaders: (message: Message, body: Buffer) => Readonly<Record<string, string>> = () => ({}),
): Channel {
  const { name, post, close } = createPost({ ...reach, url });
  return {
    async send(message, stop = new AbortController().signal) {
      const body = Buffer.from(JSON.stringify(toBody(message)));
      const headers = { 'content-type': 'application/json', ...toHeaders(message, body) };
      const limits = { signal: stop, timeout: AbortSignal.timeout(reach.timeoutMs) };
      const { status, exchange } = await post({ headers, body }, limits);
      const answer = Buffer.from(exchange.answer ?? '')
        .toString()
        .replaceAll(/\s+/g, ' ')
        .trim();
      const said = `answered ${status}${answer && `: ${answer.slice(0, ANSWER)}`}`;
      if (status >= 200 && status <= 299) return said;
      throw new Error(`${name} ${said}`);
    },
    close,
  };
}

const defineIncomingWebhook = (toBody: (message: Message) => object) =>
  defineChannel({
    forms: postForms,
    rules: postRules,
    open: ({ url }, reach) => openJsonPost(url, reach, toBody),
  });

/** Links and mentions of Slack (https://docs.slack.dev/messaging/formatting-message-text), and `@all` of Mattermost and Rocket.Chat. */
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

const withoutMarkdown = (text: string): string => text.replaceAll(/[\\*_[\]`~#]/g, '\\$&');

const block = (text: string, more: object = {}) => ({
  type: 'TextBlock',
  text: withoutMarkdown(text),
  wrap: true,
  ...more,
});

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

const toAlert = ({ change, finding: { path: _, since, ...finding }, text, url }: Item) => ({
  change,
  ...finding,
  since: new Date(since).toISOString(),
  text,
  url,
});

const toBody = ({ id, at, title, items, more, url }: Message) => ({
  type: 'dockline.alerts',
  id,
  time: new Date(at).toISOString(),
  title,
  alerts: items.map(toAlert),
  more,
  url,
});

export const webhook = defineChannel({
  forms: {
    ...postForms,
    secret: signingSecrets.describe('What signs its JSON, by Standard Webhooks (docs/receiving.md).'),
  },
  rules: postRules,
  open({ url, secret }, reach) {
    const sign = createSigner(secret);
    return openJsonPost(url, reach, toBody, (message, body) =>
      signedHeaders(message, body, { sign, timestamp: Math.floor(Date.now() / 1000) }),
    );
  },
});
