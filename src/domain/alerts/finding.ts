import { type ConditionName, factsOf } from './condition.ts';

/** Something that is wrong now. */
export interface Finding {
  readonly condition: ConditionName;
  /** Thing that it is about, in words that tell it from others of the condition: `hub of 9104`; empty for the installation. */
  readonly about: string;
  /** Number of things, of which there may be more. */
  readonly count: number;
  readonly isMore: boolean;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Reason as far as it is known. */
  readonly because: string | null;
  /** Path on the board where it is mended. */
  readonly path: string;
}

/** Says what is wrong, in one sentence without a period. */
export function sayFinding({ condition, about, count, isMore }: Finding): string {
  const text = factsOf(condition).say(about, `${count.toLocaleString('en-US')}${isMore ? ' or more' : ''}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
