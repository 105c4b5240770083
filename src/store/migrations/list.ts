import type { Migration } from 'kysely/migration';
import { firstMigration } from './first.ts';

/** By version. A released one is never edited: stores that have it would not get the change. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': firstMigration,
};
