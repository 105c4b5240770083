import { signingSecrets } from '../../forms/forms.ts';
import type { Item, Message } from '../message.ts';
import { hostOf, openJsonPost, postForms, postRules } from './json-post.ts';
import { defineChannel } from './kind.ts';

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

/** Signed by Standard Webhooks. A retried message keeps its id. */
export const webhook = defineChannel({
  forms: {
    ...postForms,
    secret: signingSecrets.describe('What signs its JSON, by Standard Webhooks (docs/receiving.md).'),
  },
  rules: postRules,
  open({ url, secret }, context) {
    const sign = context.createSigner(secret);
    return openJsonPost(url, context, toBody, ({ id }, body) => {
      const timestamp = Math.floor(Date.now() / 1000);
      return {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign({ id, timestamp, body }),
      };
    });
  },
  place: hostOf,
});
