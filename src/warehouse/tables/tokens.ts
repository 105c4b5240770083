import { putRows, rowsOf } from '../../store/rows.ts';
import type { StoreDeps } from '../../store/schema.ts';

export type TokenStore = ReturnType<typeof createTokenShelf>;

/** The newest of each credential, sealed. */
export function createTokenShelf({ db, now }: StoreDeps) {
  return {
    async find(credential: string): Promise<{ readonly sealed: Uint8Array; readonly ageMs: number } | undefined> {
      const row = await rowsOf(db, 'tokens', { credential }).select(['sealed', 'obtained_at']).executeTakeFirst();
      return row && { sealed: row.sealed, ageMs: now() - row.obtained_at };
    },

    async put(credential: string, sealed: Uint8Array): Promise<void> {
      await putRows(db, 'tokens', { credential, sealed, obtained_at: now() }).execute();
    },
  };
}
