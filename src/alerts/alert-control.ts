import type { ConditionName } from '../domain/health/condition.ts';

/** Result of a test message. */
export interface ChannelTest {
  readonly channel: string;
  readonly isDelivered: boolean;
  /** Answer of the channel, or why there was none, in its own words. */
  readonly detail: string;
  readonly ms: number;
}

/** Actions of people on alerts. */
export interface AlertControl {
  /** Tells nobody of a condition until a time in milliseconds since the epoch. */
  silence(condition: ConditionName, until: number, by: string): Promise<void>;
  /** Ends the silence of a condition; reports whether there was one. */
  unsilence(condition: ConditionName): Promise<boolean>;
  /** Names of the channels. */
  readonly channels: readonly string[];
  /** Sends a channel a message that says that it is a test. */
  test(channel: string): Promise<ChannelTest>;
}
