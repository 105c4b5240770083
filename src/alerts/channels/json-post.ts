import { z } from 'zod';
import { address, isPlainText } from '../../forms/forms.ts';
import type { Message } from '../message.ts';
import { type ChannelContext, defineChannel, type OpenChannel } from './kind.ts';

/** Forms of a channel that is an address. It contains a secret as a rule. */
export const postForms = {
  url: address.describe(
    'Address of the channel. Internal ones have to be in `ANNOUNCE_ALLOWED_ADDRESSES`, as for destinations; proxies are used (docs/configuration.md).',
  ),
  allowHttp: z
    .enum(['yes', 'no'])
    .default('no')
    .describe('Plain http is refused beyond loopback unless this is `yes`.'),
};

/** Refuses an address to which messages would cross a network in plain text without consent. */
export const postRules = ({ url = '', allowHttp }: { readonly url?: string; readonly allowHttp?: string }) =>
  [
    [
      isPlainText(url, 'http') && allowHttp !== 'yes',
      'url',
      'is plain http beyond loopback, which shows alerts to the network; set allowHttp: yes to accept that',
    ],
  ] as const;

/** Names the host of an address: its path is the secret of most. */
export const hostOf = ({ url }: { readonly url: string }): string => new URL(url).host;

/** Opens a channel that POSTs JSON. */
export function openJsonPost(
  url: string,
  { openPost }: Pick<ChannelContext, 'openPost'>,
  toBody: (message: Message) => object,
  toHeaders: (message: Message, body: Buffer) => Readonly<Record<string, string>> = () => ({}),
): OpenChannel {
  const post = openPost(url);
  return {
    async send(message, stop) {
      const body = Buffer.from(JSON.stringify(toBody(message)));
      return await post.send({ 'content-type': 'application/json', ...toHeaders(message, body) }, body, stop);
    },
    close: async () => await post[Symbol.asyncDispose](),
  };
}

/** Defines a channel that is an incoming webhook of a messenger. */
export const defineIncomingWebhook = (toBody: (message: Message) => object) =>
  defineChannel({
    forms: postForms,
    rules: postRules,
    open: ({ url }, context) => openJsonPost(url, context, toBody),
    place: hostOf,
  });
