import { type Kysely, sql } from 'kysely';
import { countThings } from '../../domain/health/incident.ts';
import {
  categoryOf,
  nameIn,
  type QuarantineCategory,
  type QuarantineReason,
  quarantineCodes,
  sayReason,
} from '../../domain/quarantine.ts';
import { likeliest } from '../../domain/unknown-name.ts';
import { readReason, type StoredReason, someOfEach } from '../../inbox/tables/quarantined.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import { rowsOf } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';
import type { Searches } from '../sources.ts';

/** Kinds of reasons in words. What is ignored is no incident. */
const words: Readonly<Record<Exclude<QuarantineCategory, 'ignored'>, readonly [one: string, several: string]>> = {
  unreadable: ['cannot be read', 'cannot be read'],
  tenant: ['is of an account that is not configured', 'are of an account that is not configured'],
  event: ['has an unknown name', 'have unknown names'],
  subject: ['does not say what it is about', 'do not say what they are about'],
  version: ['is for another version of Dockline', 'are for another version of Dockline'],
  dispatch: ['is refused by Temporal', 'are refused by Temporal'],
  recording: ['cannot be recorded', 'cannot be recorded'],
};

interface Counted {
  readonly reason: QuarantineReason;
  readonly count: number;
  readonly first: number;
}

/** Names in an incident, and reasons that are read. */
const NAMED = 3;
const READ = 500;

function describe(of: readonly [Counted, ...Counted[]]) {
  const [all, unit] = [of.reduce((sum, { count }) => sum + count, 0), 'webhook'] as const;
  const [number, isMore] = [Math.min(all, COUNTED), all > COUNTED];
  const [{ reason }] = of;
  const [one, several] = words[categoryOf(reason.code) as keyof typeof words];
  return {
    title: `${countThings({ count: number, isMore, unit })} ${number === 1 ? one : several}`,
    ended: 'no webhook is in quarantine for this reason',
    ...{ count: number, isMore, unit },
    because: sayReason(reason),
    path: '/board/quarantine',
  };
}

function sayName({ reason }: Pick<Counted, 'reason'>): string {
  const name = nameIn(reason);
  const like = name && likeliest(name);
  return like ? `${sayReason(reason)} looks like ${like.name}` : sayReason(reason);
}

const codes = quarantineCodes.filter((code) => categoryOf(code) !== 'ignored');

async function countReasons(reads: Kysely<Database>): Promise<readonly Counted[]> {
  const { rows } = await sql<StoredReason & { readonly count: number; readonly first: number }>`
    select code, data, count(*) as count, min(id) as first from ${someOfEach(codes, COUNTED + 1)}
    group by code, data order by count(*) desc, code, data limit ${READ}`.execute(reads);
  return rows.map((it) => ({ reason: readReason(it), count: Number(it.count), first: Number(it.first) }));
}

export const ofQuarantine = {
  /** By the kind of their reasons, and those with unknown names by what they are about. It reads an index alone. */
  async quarantine({ reads }) {
    const groups = Map.groupBy(await countReasons(reads), ({ reason }) => {
      const category = categoryOf(reason.code);
      return reason.code === 'unknownName' ? `${category}/${nameIn(reason)?.family ?? 'any'}` : category;
    });
    return await Array.fromAsync(
      [...groups].sort(([a], [b]) => (a < b ? -1 : 1)),
      async ([place, counted]) => {
        const of = counted as [Counted, ...Counted[]];
        const first = Math.min(...of.map((it) => it.first));
        const oldest = rowsOf(reads, 'inbox', { id: first }).select('received_at');
        const found = { ...describe(of), place, since: (await oldest.executeTakeFirst())?.received_at ?? null };
        if (of[0].reason.code !== 'unknownName') return found;
        return { ...found, because: of.slice(0, NAMED).map(sayName).join('; '), path: '/board/event-names' };
      },
    );
  },
} satisfies Searches;
