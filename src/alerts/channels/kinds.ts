import type { z } from 'zod';
import { email } from './email.ts';
import { slack, teams, webhook } from './json-post.ts';
import type { ChannelKind } from './kind.ts';

export const channelKinds = { slack, teams, email, webhook } as const;

export type ChannelKindName = keyof typeof channelKinds;

export type ChannelSettings = {
  [Name in ChannelKindName]: { readonly kind: Name } & z.output<z.ZodObject<(typeof channelKinds)[Name]['forms']>>;
}[ChannelKindName];

/** The compiler cannot see that the settings are of the same kind. */
export const channelKindOf = (name: ChannelKindName) => channelKinds[name] as unknown as ChannelKind<z.ZodRawShape>;
