import { sql } from 'kysely';
import { countThings, type Found } from '../../domain/health/incident.ts';
import { type QuarantineCategory, quarantineBeginnings } from '../../domain/quarantine.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import type { Find } from '../sources.ts';

const category = sql`case ${sql.join(
  Object.entries(quarantineBeginnings).flatMap(([name, beginnings]) =>
    beginnings.map((text) => sql`when substr(quarantine_reason, 1, ${sql.lit(text.length)}) = ${text} then ${name}`),
  ),
  sql` `,
)} else 'other' end`;

/** Kinds of reasons in words. */
const words: Readonly<Record<QuarantineCategory, string>> = {
  unreadable: 'cannot be read',
  tenant: 'are of an account that is not configured',
  event: 'have names that the catalogue does not have',
  subject: 'do not say what they are about',
  version: 'are for another version of Dockline',
  dispatch: 'are refused by Temporal',
  recording: 'cannot be recorded',
  other: 'were put aside by another version of Dockline',
};

/** Finds the deliveries in quarantine by the kind of their reasons. It reads an index alone, by the alphabet. */
export const findQuarantined: Find = async ({ reads }) => {
  const inbox = sql.table('inbox');
  const { rows } = await sql<{ category: QuarantineCategory; count: number; reason: string }>`
    select category, count(*) as count, min(reason) as reason from (
      select ${category} as category, quarantine_reason as reason from ${inbox} where quarantine_reason is not null
      order by quarantine_reason limit ${COUNTED + 1}) as counted
    group by category order by category`.execute(reads);
  return await Array.fromAsync(rows, async ({ category: place, count: counted, reason }): Promise<Found> => {
    const count = Math.min(Number(counted), COUNTED);
    const [isMore, unit] = [Number(counted) > COUNTED, 'webhook'] as const;
    const oldest = await reads
      .selectFrom('inbox')
      .select('received_at')
      .where('quarantine_reason', 'is not', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return {
      place,
      title: `${countThings({ count, isMore, unit })} ${words[place]}`,
      ended: 'no webhook is in quarantine for this reason',
      ...{ count, isMore, unit },
      since: oldest?.received_at ?? null,
      because: reason,
      path: `/board/quarantine`,
    };
  });
};
