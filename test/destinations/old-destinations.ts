import type { Store } from '../../src/app/store.ts';
import { placeOf } from '../../src/destinations/managed-destinations.ts';
import { createSealing } from '../../src/destinations/sealed.ts';
import { codecKeys } from '../../src/temporal/codec/settings.ts';
import { destinationKeys } from '../admin/open-admin.ts';

/** Seals the secrets of the only destination that was added under its name, as earlier versions did; returns what is sealed. */
export async function sealUnderName({ db }: Pick<Store, 'db'>): Promise<Buffer> {
  const row = await db.selectFrom('destinations').selectAll().where('sealed', 'is not', null).executeTakeFirstOrThrow();
  const sealing = createSealing(codecKeys.parse(destinationKeys));
  const text = sealing.open(row.sealed ?? Buffer.of(), placeOf(row)) ?? '';
  const sealed = sealing.seal(text, placeOf({ ...row, id: row.name }));
  await db.updateTable('destinations').set({ sealed }).where('id', '=', row.id).execute();
  return sealed;
}
