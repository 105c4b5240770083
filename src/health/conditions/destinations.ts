import { type Kysely, sql } from 'kysely';
import { destinationState } from '../../destinations/tables/destinations.ts';
import { parseSubjectKey } from '../../domain/catalogue/subject.ts';
import type { Found } from '../../domain/health/incident.ts';
import type { DestinationRef, IdentityRef } from '../../domain/routing.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import { rowsOf } from '../../store/rows.ts';
import type { Database } from '../../store/schema.ts';
import { sumUp } from '../customers.ts';
import { isHeld } from '../hold.ts';
import { READ, type Rejected, readRejected } from '../rejected.ts';
import type { Find } from '../sources.ts';

type State = Awaited<ReturnType<typeof destinationState>>[number];

const placeOf = ({ tenant, id, name }: DestinationRef & IdentityRef) => {
  const path = `/destinations/${encodeURIComponent(tenant)}/${encodeURIComponent(name)}`;
  return { place: `${tenant}/${id}`, destination: { tenant, id, name }, path: `/board${path}`, actions: path };
};

/** Every attempt has failed for a while, and Dockline still sends. */
export const findFailingDestinations: Find = async ({ reads, once, now }) => {
  const rows = await once(destinationState);
  const failing = rows.filter(({ failing_since: since }) => isHeld(since, now));
  return await Array.fromAsync(failing, async (row): Promise<Found> => {
    const { tenant, name, failing_since: since, last_error: because, paused_because: pause } = row;
    const { actions, ...place } = placeOf(row);
    const answer = await lastAnswer(reads, row);
    const receiver = `receiver ${name} of warehouse ${tenant}`;
    return {
      ...place,
      sort: answer,
      title: `Receiver ${name} of warehouse ${tenant}: ${answer} to all announcements`,
      // What a person paused is no incident, and yet does not accept again.
      ...(pause === null
        ? { ended: `${receiver} accepts announcements again` }
        : { isOver: true, ended: `nothing more is sent to ${receiver}: ${pause}` }),
      ...(await countWaiting(reads, row)),
      ...{ unit: 'announcement', since, because },
      action: { name: 'Send now', path: `${actions}/send-now` },
    };
  });
};

/** Status, or that there was no answer. */
async function lastAnswer(reads: Kysely<Database>, { tenant, id: destination }: State): Promise<string> {
  const attempt = await rowsOf(reads, 'attempts', { tenant, destination, outcome: 'failed' })
    .select('status')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return attempt?.status == null ? 'no answer' : String(attempt.status);
}

/** Counts what a destination is still to get, and names the customers of the first of it. */
async function countWaiting(reads: Kysely<Database>, { tenant, id: destination }: State) {
  const waiting = sql`${sql.table('outbox')} where tenant = ${tenant} and destination = ${destination} and sent_at is null
    and dead_lettered_at is null`;
  const { rows: counted } = await sql<{ count: number }>`
    select count(*) as count from (select 1 as one from ${waiting} limit ${COUNTED + 1}) as counted`.execute(reads);
  const { rows } = await sql<{ id: string | null; count: number }>`
    select customer_id as id, count(*) as count from (
      select announcement from ${waiting} order by created_at limit ${READ}) as first
    join ${sql.table('announcements')} on announcements.id = first.announcement
    group by customer_id order by count(*) desc, customer_id limit 5`.execute(reads);
  const count = Number(counted[0]?.count ?? 0);
  const held = await sumUp(
    reads,
    rows.map((row) => ({ ...row, tenant, count: Number(row.count) })),
    false,
  );
  return { count: Math.min(count, COUNTED), isMore: count > COUNTED, customers: held.get(tenant)?.customers ?? [] };
}

export const findStoppedDestinations: Find = async ({ reads, once }) => {
  const rows = await once(destinationState);
  const stopped = rows.filter(({ state }) => state === 'stopped');
  return await Array.fromAsync(stopped, async (row): Promise<Found> => {
    const { tenant, name, paused_at: since, paused_because: because } = row;
    const { actions, ...place } = placeOf(row);
    return {
      ...place,
      title: `Dockline has stopped sending to receiver ${name} of warehouse ${tenant}`,
      ended: `Dockline sends to receiver ${name} of warehouse ${tenant} again`,
      ...(await countWaiting(reads, row)),
      unit: 'announcement',
      since,
      because,
      action: { name: 'Resume', path: `${actions}/resume` },
    };
  });
};

const answerOf = ({ status }: Pick<Rejected, 'status'>): string => (status === null ? 'no answer' : String(status));

export const findPartlyFailingDestinations: Find = async ({ once }) =>
  (await once(readRejected)).flatMap(({ first: [oldest], answers }): Found[] => {
    if (!oldest || answers.length === 0) return [];
    const { tenant, name } = oldest.destination;
    const { actions, ...place } = placeOf(oldest.destination);
    const sort = answers.map(answerOf).sort().join(', ');
    const count = answers.reduce((sum, it) => sum + it.count, 0);
    return [
      {
        ...place,
        sort,
        title: `Receiver ${name} of warehouse ${tenant}: ${sort} to some announcements`,
        ended: `receiver ${name} of warehouse ${tenant} accepts these announcements`,
        count,
        isMore: count >= READ,
        unit: 'announcement',
        since: oldest.since,
        because: oldest.error,
        action: { name: 'Send now', path: `${actions}/send-now` },
      },
    ];
  });

/** Announcements that are rejected while others are accepted. */
export const findFailingAnnouncements: Find = async ({ once }) => {
  const each = await once(readRejected);
  return each
    .filter(({ answers }) => answers.length === 0)
    .flatMap(({ first }) => first)
    .map((rejected): Found => {
      const { kind = '', id = '' } = parseSubjectKey(rejected.key) ?? {};
      const { destination } = rejected;
      const what = `an announcement of ${kind} ${id}`;
      const address = rejected.id.split('/').map(encodeURIComponent).join('/');
      return {
        place: `${rejected.id}@${destination.id}`,
        destination,
        sort: answerOf(rejected),
        title: `Receiver ${destination.name} of warehouse ${destination.tenant} rejects ${what} (${answerOf(rejected)})`,
        ended: `receiver ${destination.name} of warehouse ${destination.tenant} has accepted ${what}`,
        count: 1,
        unit: 'announcement',
        since: rejected.since,
        because: rejected.error,
        path: `/board/announcements/${address}`,
        action: { name: 'Send now', path: `/announcements/${address}/send-now` },
      };
    });
};
