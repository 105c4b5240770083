import type { TokenShelf } from '../../warehouse/client/shared-token.ts';
import type { StoreDeps } from '../schema.ts';

/** Creates the shelf of the warehouses' tokens, of which it keeps the newest of each credential, sealed. */
export function createTokenShelf({ db, now }: StoreDeps): TokenShelf {
  return {
    async find(credential) {
      const row = await db
        .selectFrom('tokens')
        .select(['sealed', 'obtained_at'])
        .where('credential', '=', credential)
        .executeTakeFirst();
      return row && { sealed: row.sealed, ageMs: now() - row.obtained_at };
    },

    async put(credential, sealed) {
      const newest = { sealed, obtained_at: now() };
      await db
        .insertInto('tokens')
        .values({ credential, ...newest })
        .onConflict((conflict) => conflict.column('credential').doUpdateSet(newest))
        .execute();
    },
  };
}
