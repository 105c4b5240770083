import type { z } from 'zod';
import type { attemptRow } from '../../admin/views/attempts.ts';
import { clean } from '../output.ts';
import { table } from './layout.ts';

/** Attempt as the API answers it. */
export type Attempt = z.input<typeof attemptRow>;

/** Formats the attempts to send an announcement, each with the headers that were sent and the beginning of the answer. */
export const describeAttempts = (attempts: readonly Attempt[]): string =>
  attempts.length === 0 ? 'No attempt is kept.' : attempts.map(describeAttempt).join('\n\n');

/** Formats an attempt, with everything that is known of it. */
export function describeAttempt({ destination, number, at, ms, outcome, status, ...it }: Attempt): string {
  const headers = Object.entries(it.requestHeaders ?? {}).map(([name, value]) => `${name}: ${value}`);
  const parts = [
    [[destination, `#${number}`, at, outcome, status, `${ms} ms`].filter((part) => part !== null).join(' ')],
    indented([it.error ?? '']),
    indented(headers),
    indented(answerOf(it).split('\n')),
  ];
  return parts.flat().join('\n');
}

/** Formats a list of attempts, each in a line. */
export const listAttempts = (attempts: readonly Attempt[]): string =>
  table(
    attempts.map(({ announcement, number, at, ms, outcome, status, error }) => ({
      ended: at,
      announcement,
      attempt: number,
      outcome,
      status,
      ms,
      error,
    })),
  );

const answerOf = ({ answer, encoding }: Pick<Attempt, 'answer' | 'encoding'>): string =>
  Buffer.from(answer ?? '', encoding).toString();

const indented = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.trim() !== '').map((line) => `  ${clean(line)}`);
