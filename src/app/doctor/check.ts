import { once } from 'node:events';
import { messageOf } from '../../domain/errors.ts';

/** `warning` leaves something out, `failed` keeps Dockline from its work, `skipped` says nothing. */
export type Verdict = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  readonly verdict: Verdict;
  readonly found: string;
  readonly advice?: string | undefined;
}

export interface CheckResult extends Omit<Finding, 'advice'> {
  readonly advice: string | null;
  readonly area: string;
  /** Null for what tenants share. */
  readonly tenant: string | null;
  readonly name: string;
  readonly tried: string;
  readonly ms: number;
}

export type Attempt<T> = Finding & { readonly value?: T | undefined };

export interface Reporter {
  /** Ends in time; an error is a failure. */
  check<T>(name: string, tried: string, attempt: (signal: AbortSignal) => Promise<Attempt<T>>): Promise<T | undefined>;
  skip(name: string, tried: string, why: string): void;
}

interface ExaminerOptions {
  readonly area: string;
  readonly tenant: string | null;
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
}

export async function examine(
  { area, tenant, timeoutMs, stop }: ExaminerOptions,
  make: (reporter: Reporter) => Promise<void> | void,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const note = (at: number, name: string, tried: string, { advice, ...finding }: Finding, ms: number) => {
    results[at] = { area, tenant, name, tried, ...finding, advice: advice ?? null, ms };
  };
  await make({
    async check(name, tried, attempt) {
      const at = results.length;
      note(at, name, tried, skipped('was not finished'), 0);
      const startedAt = performance.now();
      const { value, ...finding } = await within(timeoutMs, stop, attempt);
      note(at, name, tried, finding, Math.round(performance.now() - startedAt));
      return value;
    },
    skip: (name, tried, why) => note(results.length, name, tried, skipped(why), 0),
  });
  return results;
}

async function within<T>(
  timeoutMs: number,
  stop: AbortSignal,
  attempt: (signal: AbortSignal) => Promise<Attempt<T>>,
): Promise<Attempt<T>> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  const late = once(signal, 'abort').then(() =>
    stop.aborted
      ? skipped('was stopped')
      : failed(
          `no result within ${timeoutMs / 1000} s`,
          'Check that the address is right and that this machine may connect to it.',
        ),
  );
  return await Promise.race([
    attempt(signal).catch((error) => (signal.aborted ? late : failed(messageOf(error)))),
    late,
  ]);
}

export const ok = <T = never>(found: string, value?: T): Attempt<T> => ({ verdict: 'ok', found, value });

export const warning = (found: string, advice?: string): Finding => ({ verdict: 'warning', found, advice });

export const failed = (found: string, advice?: string): Finding => ({ verdict: 'failed', found, advice });

export const skipped = (found: string): Finding => ({ verdict: 'skipped', found });
