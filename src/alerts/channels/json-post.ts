import { z } from 'zod';
import { address, isPlainText } from '../../forms/forms.ts';
import type { Message } from '../message.ts';
import { type ChannelContext, defineChannel, type OpenChannel } from './kind.ts';

/** The address contains a secret as a rule. */
export const postForms = {
  url: address.describe(
    'Address of the channel. Internal ones have to be in `ANNOUNCE_ALLOWED_ADDRESSES`, as for destinations; proxies are used (docs/configuration.md).',
  ),
  allowHttp: z
    .enum(['yes', 'no'])
    .default('no')
    .describe('Plain http is refused beyond loopback unless this is `yes`.'),
};

/** Plain text over a network needs consent. */
export const postRules = ({ url = '', allowHttp }: { readonly url?: string; readonly allowHttp?: string }) =>
  [
    [
      isPlainText(url, 'http') && allowHttp !== 'yes',
      'url',
      'is plain http beyond loopback, which shows alerts to the network; set allowHttp: yes to accept that',
    ],
  ] as const;

/** The path is the secret of most addresses. */
export const hostOf = ({ url }: { readonly url: string }): string => new URL(url).host;

/** Characters. */
const ANSWER = 300;

/** An answer of 2xx confirms a message. */
export function openJsonPost(
  url: string,
  { createPost, timeoutMs }: Pick<ChannelContext, 'createPost' | 'timeoutMs'>,
  toBody: (message: Message) => object,
  toHeaders: (message: Message, body: Buffer) => Readonly<Record<string, string>> = () => ({}),
): OpenChannel {
  const { name, post, close } = createPost({ url, timeoutMs });
  return {
    async send(message, stop = new AbortController().signal) {
      const body = Buffer.from(JSON.stringify(toBody(message)));
      const headers = { 'content-type': 'application/json', ...toHeaders(message, body) };
      const limits = { signal: stop, timeout: AbortSignal.timeout(timeoutMs) };
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

export const defineIncomingWebhook = (toBody: (message: Message) => object) =>
  defineChannel({
    forms: postForms,
    rules: postRules,
    open: ({ url }, context) => openJsonPost(url, context, toBody),
    place: hostOf,
  });
