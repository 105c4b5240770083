import { messageOf } from '../../domain/errors.ts';

/** `warning` leaves something out, `failed` keeps Dockline from its work, `skipped` says nothing. */
export type Verdict = 'ok' | 'warning' | 'failed' | 'skipped';

export type Finding = readonly [verdict: Verdict, found: string, advice?: string | undefined];

export interface Check {
  /** Such as `warehouse 9104`. */
  readonly area: string;
  readonly name: string;
  readonly verdict: Verdict;
  readonly found: string;
  readonly advice: string | null;
}

export type Checking = (name: string, find: () => Promise<Finding>) => Promise<Check>;

/** An error is a failure. */
export const checksOf =
  (area: string): Checking =>
  async (name, find) => {
    const [verdict, found, advice = null] = await find().catch((error): Finding => ['failed', messageOf(error)]);
    return { area, name, verdict, found, advice };
  };
