import type { ConditionName } from '../domain/health/condition.ts';
import type { ChannelSettings } from './channels/kinds.ts';

/** Channel with what it wants. */
export type AlertChannel = ChannelSettings & {
  readonly name: string;
  /** Empty for all. */
  readonly conditions: readonly ConditionName[];
  /** Warehouse accounts that it hears of; empty for all. */
  readonly tenants: readonly string[];
  /** Customers of them that it hears of, and of nothing else; empty for all. */
  readonly customers: readonly string[];
};

export interface AlertSettings {
  /** Address at which people reach the board. Default: that of the administrative API. */
  readonly boardUrl?: string | undefined;
  readonly holdSeconds: number;
  readonly clearSeconds: number;
  readonly failingMinutes: number;
  readonly awayMinutes: number;
  readonly channels: readonly AlertChannel[];
}
