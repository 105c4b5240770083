import { cut } from '../text.ts';
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

/** Finding as a search has it. A beginning that it cannot know is null: the finding then counts from when it was noticed. */
export type Found = Omit<Finding, 'since'> & { readonly since: number | null };

/** Says what is wrong, in one sentence without a period. */
export function sayFinding(finding: Finding): string {
  const { condition, about, count, isMore } = finding;
  const reason = reasonIn(finding);
  const number = `${count.toLocaleString('en-US')}${isMore ? ' or more' : ''}`;
  const text = factsOf(condition).say(about, number, reason === null ? '' : ` (${reason})`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Characters of a reason. */
const REASON = 300;

/** Returns the reason in one line of limited length, without a period; null if none is known. */
export function reasonIn({ because }: Pick<Finding, 'because'>): string | null {
  if (because === null) return null;
  const line = because.replaceAll(/\s+/g, ' ').replace(/\.$/, '');
  return line.length > REASON ? `${cut(line, REASON)}…` : line;
}
