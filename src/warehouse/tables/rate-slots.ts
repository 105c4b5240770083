import { sql } from 'kysely';
import type { createProcesses } from '../../store/processes.ts';
import type { SharedDeps } from '../../store/schema.ts';

export type SharedSlots = ReturnType<ReturnType<typeof createRateSlots>>;

/** A row for every call that the rate allows at once. */
export function createRateSlots({
  db,
  clock,
  processes,
}: SharedDeps & { readonly processes: Pick<ReturnType<typeof createProcesses>, 'count'> }) {
  const slots = sql.table('rate_slots');
  return (warehouse: string) => {
    const ofWarehouse = (count: number) => sql`warehouse = ${warehouse} and slot < ${count}`;

    /** A statement that waited for a row would take it late, and a slot that is free only after it was set back is free now. */
    const take = (count: number, forMs: number) => sql<{ slot: number | null; wait_ms: number | null }>`
      with taken as (
        update ${slots} set free_at = ${clock()} + ${forMs} where warehouse = ${warehouse} and slot = (
          select slot from ${slots} where ${ofWarehouse(count)}
            and (free_at <= ${clock()} or free_at > ${clock()} + ${2 * forMs})
          order by slot limit 1 for update skip locked)
        returning slot)
      select (select slot from taken) as slot,
        (select min(free_at) - ${clock()} from ${slots} where ${ofWarehouse(count)}) as wait_ms`;

    const addMissing = (count: number) => sql`
      insert into ${slots} (warehouse, slot, free_at) select ${warehouse}, slot, 0 from generate_series(0, ${count - 1}) as slot
      on conflict do nothing`;

    /** A raised rate lacks rows, too. */
    let known = 0;

    return {
      /** Takes a free slot for a time at most; else returns the time until one may be free. */
      async take(count: number, forMs: number): Promise<{ readonly slot: number } | { readonly waitMs: number }> {
        if (count > known) await addMissing(count).execute(db);
        known = count;
        const { rows } = await take(count, Math.ceil(forMs)).execute(db);
        const { slot = null, wait_ms: waitMs = null } = rows[0] ?? {};
        return slot === null ? { waitMs: Math.max(1, waitMs ?? 0) } : { slot };
      },
      async free(slot: number, afterMs: number): Promise<void> {
        await sql`update ${slots} set free_at = ${clock()} + ${Math.ceil(afterMs)} where warehouse = ${warehouse} and slot = ${slot}`.execute(
          db,
        );
      },
      processes: processes.count,
    };
  };
}
