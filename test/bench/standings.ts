import type { Integration, Pattern, Results } from './results.ts';
import type { Measured } from './statistics.ts';

/** How one contender did in one comparison. */
export interface Standing {
  readonly contender: Integration | 'bare';
  readonly measured: Measured;
  /** To the contender that all are compared with; null where that is unknown. */
  readonly ratio: number | null;
}

/** What contenders are called. */
export const nameOf: Readonly<Record<Standing['contender'], string>> = {
  bare: 'bare Fastify',
  textbook: 'textbook',
  sqlite: 'Dockline on SQLite',
  postgres: 'Dockline on PostgreSQL',
};

/** Who took part end to end with a pattern, in events a second, compared with the textbook. */
export function standingsOf({ endToEnd }: Results, pattern: Pattern): readonly Standing[] {
  if (!endToEnd) return [];
  const { rates, ratio16, ratio64, burst } = endToEnd;
  const { textbook, sqlite, postgres } = rates;
  const measured = { textbook: textbook?.[pattern], sqlite: sqlite?.[pattern], postgres: postgres?.[pattern] };
  return compare(measured, { '16': ratio16, '64': ratio64, burst }[pattern]);
}

/** One webhook on an idle system until its announcement, in milliseconds, compared with the textbook. */
export const quietStandingsOf = ({ quiet }: Results): readonly Standing[] =>
  quiet ? compare(quiet.ms, quiet.ratio) : [];

/** The webhook alone, in requests a second, compared with bare Fastify. */
export function intakeStandingsOf({ intake }: Results): readonly Standing[] {
  if (!intake) return [];
  const { ratio, ratioPostgres, requestsPerSecond } = intake;
  const { bare, sqlite, postgres } = requestsPerSecond;
  return [
    { contender: 'bare', measured: bare, ratio: 1 },
    { contender: 'sqlite', measured: sqlite, ratio: known(ratio) },
    ...(postgres ? [{ contender: 'postgres', measured: postgres, ratio: ratioPostgres } as const] : []),
  ];
}

type Compared = { readonly [I in Integration]?: Measured | undefined };

/** The ratio of SQLite is given: goals judge it, and the same by another way would contradict them by a rounding. */
function compare(compared: Compared, ofSqlite: number): readonly Standing[] {
  const base = compared.textbook?.median;
  return (['textbook', 'sqlite', 'postgres'] as const).flatMap((contender) => {
    const measured = compared[contender];
    if (!measured) return [];
    const ratio = contender === 'sqlite' ? ofSqlite : measured.median / (base ?? Number.NaN);
    return [{ contender, measured, ratio: known(ratio) }];
  });
}

/** To nothing, or to what never ran, there is no ratio. */
const known = (ratio: number): number | null => (Number.isFinite(ratio) ? ratio : null);
