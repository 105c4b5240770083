import type { Alerts } from './tables/alerts.ts';

/** Result of a test message. */
export interface ChannelTest {
  readonly channel: string;
  readonly isDelivered: boolean;
  /** Answer of the channel, or why there was none, in its own words. */
  readonly detail: string;
  readonly ms: number;
}

/** Actions of people on alerts. */
export type AlertControl = ReturnType<typeof createAlertControl>;

/** Creates what people do about alerts; `channels` are those that are configured. */
export const createAlertControl = (
  { silence, unsilence }: Pick<Alerts, 'silence' | 'unsilence'>,
  channels: { readonly names: readonly string[]; readonly test: (channel: string) => Promise<ChannelTest> } | undefined,
) => ({
  silence,
  unsilence,
  channels: channels?.names ?? [],
  /** Sends a channel a message that says that it is a test. */
  test: async (channel: string): Promise<ChannelTest> =>
    (await channels?.test(channel)) ?? { channel, isDelivered: false, detail: 'No channel is configured.', ms: 0 },
});
