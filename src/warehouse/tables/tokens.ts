import type { StoreDeps } from '../../store/schema.ts';

export type TokenStore = ReturnType<typeof createTokenShelf>;

/** The newest of each credential, sealed. */
export function createTokenShelf({ db, now }: StoreDeps) {
  return {
    async find(credential: string): Promise<{ readonly sealed: Uint8Array; readonly ageMs: number } | undefined> {
      const row = await db
        .selectFrom('tokens')
        .select(['sealed', 'obtained_at'])
        .where('credential', '=', credential)
        .executeTakeFirst();
      return row && { sealed: row.sealed, ageMs: now() - row.obtained_at };
    },

    async put(credential: string, sealed: Uint8Array): Promise<void> {
      const newest = { sealed, obtained_at: now() };
      await db
        .insertInto('tokens')
        .values({ credential, ...newest })
        .onConflict((conflict) => conflict.column('credential').doUpdateSet(newest))
        .execute();
    },
  };
}
