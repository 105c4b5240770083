import type { RunSubject } from './run-subject.ts';

/** Returns the timers of a run, in milliseconds, with their summaries. */
export async function timersOf(run: RunSubject): Promise<readonly { readonly ms: number; readonly summary: string }[]> {
  return (await run.history()).flatMap(({ timerStartedEventAttributes: timer, userMetadata }) => {
    if (!timer) return [];
    const ms = Number(timer.startToFireTimeout?.seconds) * 1000 + Number(timer.startToFireTimeout?.nanos) / 1e6;
    return [{ ms, summary: String(JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString())) }];
  });
}
