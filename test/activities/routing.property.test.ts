import fc from 'fast-check';
import { expect, it } from 'vitest';
import { record } from '../../activities/record.ts';
import { openStore } from '../../src/app/store.ts';
import type { SubjectRef } from '../../src/domain/catalogue/subject.ts';
import { type DestinationFilter, wants } from '../../src/domain/routing.ts';
import { configure } from '../store/configured.ts';
import { runs } from '../thoroughness.ts';
import { deliver, depsOn } from './deps.ts';

const customers = ['418', '419'] as const;

const anyFilter: fc.Arbitrary<DestinationFilter> = fc.record({
  kinds: fc.constantFrom(undefined, ['hold'], ['order']),
  types: fc.constantFrom(undefined, ['hold.placedOnHold'], ['hold.*'], ['order.packed', '*.releasedFromHold']),
  customers: fc.constantFrom(undefined, ['418'], ['419'], [...customers]),
});

/** Destinations of each tenant by name, and events: their tenant, and the customer that they name, if any. */
const anyCourse = fc.record({
  destinations: fc.array(fc.array(anyFilter, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 2 }),
  events: fc.array(fc.tuple(fc.nat(1), fc.constantFrom(null, ...customers)), { minLength: 1, maxLength: 12 }),
});

const subjectOf = (tenant: number): SubjectRef => ({ tenant: String(tenant), kind: 'hold', id: '880' });

it('a destination gets what its filter wants, once its customer is known, in order, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(anyCourse, async ({ destinations, events }) => {
      await using store = Object.assign(await openStore({ file: ':memory:' }), {
        async [Symbol.asyncDispose]() {
          await store.close();
        },
      });
      const filtersOf = (tenant: string) => destinations[Number(tenant)] ?? [];
      for (const tenant of ['0', '1']) await configure(store, Object.fromEntries(filtersOf(tenant).entries()), tenant);
      const deps = depsOn(store);
      for (const [n, [tenant, customerId]] of events.entries()) {
        const onHold = events.slice(0, n).filter(([other]) => other === tenant).length % 2 === 0;
        const shown = { onHold, ...(customerId !== null && { customerId }) };
        const name = onHold ? 'InventoryPlaceOnHold' : 'InventoryReleaseFromHold';
        const subject = subjectOf(tenant);
        const eventIds = await deliver(store, subject, { id: `${tenant}:${n}`, name, time: n, shown });
        await record(deps, { subject, known: null, eventIds });
      }
      const announcements = await store.db.selectFrom('announcements').selectAll().orderBy('revision').execute();
      for (const tenant of ['0', '1']) {
        const own = announcements.filter((announcement) => announcement.tenant === tenant);
        const named = events.filter(([other]) => String(other) === tenant).map(([, customerId]) => customerId);
        // What no event has named yet becomes known with the next that does.
        const known = own.map(
          (_, n) => named.slice(0, n + 1).findLast(Boolean) ?? named.slice(n).find(Boolean) ?? null,
        );
        expect(own.map((announcement) => announcement.customer_id)).toEqual(known);
        for (const [n, filter] of filtersOf(tenant).entries()) {
          const wanted = own.filter((announcement, index) => {
            const milestone = announcement.id.endsWith('placedOnHold') ? 'placedOnHold' : 'releasedFromHold';
            return wants(filter, { kind: 'hold', milestone, customerId: known[index] ?? null });
          });
          const rows = await store.db
            .selectFrom('outbox')
            .select(['announcement', 'revision', 'previous'])
            .where('tenant', '=', tenant)
            .where('destination', '=', String(n))
            .orderBy('revision')
            .execute();
          expect(rows).toEqual(
            wanted.map(({ id, revision }, index) => ({
              announcement: id,
              revision,
              previous: wanted[index - 1]?.revision ?? null,
            })),
          );
        }
      }
    }),
    { numRuns: runs(150) },
  );
});
