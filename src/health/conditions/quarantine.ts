import { type Kysely, sql } from 'kysely';
import { countThings, type Found } from '../../domain/health/incident.ts';
import type { QuarantineCategory } from '../../domain/quarantine.ts';
import { likeliest, readUnknown } from '../../domain/unknown-name.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import type { Database } from '../../store/schema.ts';
import { quarantineCategory } from '../../store/tables/quarantined.ts';
import type { Find } from '../sources.ts';

/** Kinds of reasons in words. What is ignored is no incident. */
const words: Readonly<Record<Exclude<QuarantineCategory, 'ignored'>, readonly [one: string, several: string]>> = {
  unreadable: ['cannot be read', 'cannot be read'],
  tenant: ['is of an account that is not configured', 'are of an account that is not configured'],
  event: ['has a name that nobody knows', 'have names that nobody knows'],
  subject: ['does not say what it is about', 'do not say what they are about'],
  version: ['is for another version of Dockline', 'are for another version of Dockline'],
  dispatch: ['is refused by Temporal', 'are refused by Temporal'],
  recording: ['cannot be recorded', 'cannot be recorded'],
  other: ['was put aside by another version of Dockline', 'were put aside by another version of Dockline'],
};

interface Counted {
  readonly category: keyof typeof words;
  readonly count: number;
  readonly reason: string;
  readonly first: number;
}

/** Names that an incident mentions, and that are read. */
const NAMED = 3;
const READ = 200;

/** Finds the deliveries in quarantine by the kind of their reasons, and those with unknown names by what they are about. It reads an index alone, by the alphabet. */
export const findQuarantined: Find = async ({ reads }) => {
  const all = await count(reads, sql`category`);
  const isNamed = all.some(({ category }) => category === 'event');
  const reasons = isNamed ? await count(reads, sql`category, reason`, sql`and category = 'event'`) : [];
  const named = reasons.map((it) => ({ ...it, name: readUnknown(it.reason) })).filter(({ name }) => name);
  const nameless = all.flatMap((it) => {
    const rest = it.category === 'event' ? it.count - sum(named) : it.count;
    return rest > 0 ? [describe(it.category, it.category, [{ ...it, count: rest }])] : [];
  });
  const unknown = [...Map.groupBy(named, ({ name }) => name?.family ?? 'any')].map(([family, of]) => ({
    ...describe('event', `event/${family}`, of),
    because: of.slice(0, NAMED).map(sayName).join('; '),
    path: '/board/event-names',
  }));
  return await Array.fromAsync([...unknown, ...nameless], async ({ first, ...found }): Promise<Found> => {
    const oldest = reads.selectFrom('inbox').select('received_at').where('id', '=', first);
    return { ...found, since: (await oldest.executeTakeFirst())?.received_at ?? null };
  });
};

const sum = (counted: readonly Pick<Counted, 'count'>[]): number => counted.reduce((all, { count }) => all + count, 0);

function describe(category: Counted['category'], place: string, of: readonly Counted[]) {
  const [all, unit] = [sum(of), 'webhook'] as const;
  const [number, isMore] = [Math.min(all, COUNTED), all > COUNTED];
  const [one, several] = words[category];
  return {
    place,
    title: `${countThings({ count: number, isMore, unit })} ${number === 1 ? one : several}`,
    ended: 'no webhook is in quarantine for this reason',
    ...{ count: number, isMore, unit },
    because: of[0]?.reason ?? null,
    path: '/board/quarantine',
    first: Math.min(...of.map(({ first }) => first)),
  };
}

/** Says which event a name looks like. */
function sayName({ reason }: Pick<Counted, 'reason'>): string {
  const name = readUnknown(reason);
  const like = name && likeliest(name);
  return like ? `${reason} looks like ${like.name}` : reason;
}

async function count(reads: Kysely<Database>, group: ReturnType<typeof sql>, more = sql``) {
  const { rows } = await sql<Counted>`
    select category, count(*) as count, min(reason) as reason, min(id) as first from (
      select ${quarantineCategory} as category, quarantine_reason as reason, id from ${sql.table('inbox')}
      where quarantine_reason is not null order by quarantine_reason limit ${COUNTED + 1}) as counted
    where category <> 'ignored' ${more} group by ${group} order by count(*) desc, category limit ${READ}`.execute(
    reads,
  );
  return rows.map((it) => ({ ...it, count: Number(it.count), first: Number(it.first) }));
}
