import type { z } from 'zod';
import { email } from './email.ts';
import type { ChannelContext, ChannelKind, OpenChannel } from './kind.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { webhook } from './webhook.ts';

/** By its name in the configuration. */
export const channelKinds = { slack, teams, email, webhook } as const;

export type ChannelKindName = keyof typeof channelKinds;

/** Settings of a channel: the name of its kind, and those of that kind. */
export type ChannelSettings = {
  [Name in ChannelKindName]: { readonly kind: Name } & z.output<z.ZodObject<(typeof channelKinds)[Name]['forms']>>;
}[ChannelKindName];

/** Returns the kind of that name. The compiler cannot see that the settings which it then gets are of the same kind. */
export const channelKindOf = (name: ChannelKindName) => channelKinds[name] as unknown as ChannelKind<z.ZodRawShape>;

export const openChannel = (settings: ChannelSettings, context: ChannelContext): OpenChannel =>
  channelKindOf(settings.kind).open(settings, context);
