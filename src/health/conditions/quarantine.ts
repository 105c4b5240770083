import { type Kysely, sql } from 'kysely';
import { countThings, type Found } from '../../domain/health/incident.ts';
import { categoryOf, type QuarantineCategory } from '../../domain/quarantine.ts';
import { isUnknown, likeliest, readUnknown } from '../../domain/unknown-name.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import type { Find } from '../sources.ts';

/** Kinds of reasons in words. What is ignored is no incident. */
const words: Readonly<Record<Exclude<QuarantineCategory, 'ignored'>, readonly [one: string, several: string]>> = {
  unreadable: ['cannot be read', 'cannot be read'],
  tenant: ['is of an account that is not configured', 'are of an account that is not configured'],
  event: ['has an unknown name', 'have unknown names'],
  subject: ['does not say what it is about', 'do not say what they are about'],
  version: ['is for another version of Dockline', 'are for another version of Dockline'],
  dispatch: ['is refused by Temporal', 'are refused by Temporal'],
  recording: ['cannot be recorded', 'cannot be recorded'],
  other: ['was put aside by another version of Dockline', 'were put aside by another version of Dockline'],
};

interface Counted {
  readonly reason: string;
  readonly count: number;
  /** Id of the oldest. */
  readonly first: number;
}

/** Names that an incident mentions, and reasons that are read. */
const NAMED = 3;
const READ = 500;

/**
 * Finds the deliveries in quarantine by the kind of their reasons, and those with unknown names by what they are about. It reads an index
 * alone, by the alphabet.
 */
export const findQuarantined: Find = async ({ reads }) => {
  const groups = Map.groupBy(await countReasons(reads), ({ reason }) => {
    const family = isUnknown(reason) ? (readUnknown(reason)?.family ?? 'any') : undefined;
    return family === undefined ? categoryOf(reason) : `event/${family}`;
  });
  groups.delete('ignored');
  return await Array.fromAsync(
    [...groups].sort(([a], [b]) => (a < b ? -1 : 1)),
    async ([place, of]): Promise<Found> => {
      const [category = 'other', family] = place.split('/') as [keyof typeof words, string?];
      const first = Math.min(...of.map((it) => it.first));
      const oldest = reads.selectFrom('inbox').select('received_at').where('id', '=', first);
      const found = { ...describe(category, of), place, since: (await oldest.executeTakeFirst())?.received_at ?? null };
      if (family === undefined) return found;
      return { ...found, because: of.slice(0, NAMED).map(sayName).join('; '), path: '/board/event-names' };
    },
  );
};

function describe(category: keyof typeof words, of: readonly Counted[]) {
  const [all, unit] = [of.reduce((sum, { count }) => sum + count, 0), 'webhook'] as const;
  const [number, isMore] = [Math.min(all, COUNTED), all > COUNTED];
  const [one, several] = words[category];
  return {
    title: `${countThings({ count: number, isMore, unit })} ${number === 1 ? one : several}`,
    ended: 'no webhook is in quarantine for this reason',
    ...{ count: number, isMore, unit },
    because: of[0]?.reason ?? null,
    path: '/board/quarantine',
  };
}

/** Says which event a name looks like. */
function sayName({ reason }: Pick<Counted, 'reason'>): string {
  const name = readUnknown(reason);
  const like = name && likeliest(name);
  return like ? `${reason} looks like ${like.name}` : reason;
}

/** Counts deliveries by their reasons, the most frequent first. */
async function countReasons(reads: Kysely<Database>): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    select reason, count(*) as count, min(id) as first from (
      select quarantine_reason as reason, id from ${sql.table('inbox')} where quarantine_reason is not null
      order by quarantine_reason limit ${COUNTED + 1}) as counted
    group by reason order by count(*) desc, reason limit ${READ}`.execute(reads);
  return rows.map((it) => ({ ...it, count: Number(it.count), first: Number(it.first) }));
}
