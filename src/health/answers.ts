import type { Logger } from '../base/logger.ts';
import { createLoop } from '../base/loop.ts';
import type { PathName } from '../domain/catalogue/operation.ts';
import { DocklineError } from '../domain/errors.ts';
import type { Answers } from '../warehouse/tables/answers.ts';

const WRITE_MS = 1000;

interface AnswerDeps {
  readonly answers: { add(heard: readonly Answers[]): Promise<void> };
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Like answers are one row, written together. */
export function createAnswerNotes({ answers, now, logger }: AnswerDeps) {
  let heard = new Map<string, Answers>();

  async function write(): Promise<void> {
    if (heard.size === 0) return;
    const written = heard;
    heard = new Map();
    try {
      await answers.add([...written.values()]);
    } catch (err) {
      logger.warn({ err }, 'cannot note how the warehouse answers');
    }
  }

  const loop = createLoop(async () => {
    await write();
    return WRITE_MS;
  });
  return {
    /** A canceled GET says nothing. */
    note(tenant: string, operation: PathName, error?: unknown): void {
      if (error !== undefined && !(error instanceof DocklineError)) return;
      const outcome = error === undefined ? 'ok' : String(error.status ?? 'none');
      const key = [tenant, operation, outcome].join('\n');
      const at = now();
      const row = { tenant, operation, outcome, code: error?.code ?? null, firstAt: heard.get(key)?.firstAt ?? at };
      heard.set(key, { ...row, lastAt: at });
    },
    write,
    start: () => loop.start(),
    async close(): Promise<void> {
      await loop.close();
      await write();
    },
  };
}
