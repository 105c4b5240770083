import type { Migration } from 'kysely/migration';
import { bulkIdentities } from './bulk-identities.ts';
import { bulkTokens } from './bulk-tokens.ts';
import { codePointsMigration } from './code-points.ts';
import { customersMigration } from './customers.ts';
import { eventNamesMigration } from './event-names.ts';
import { firstMigration } from './first.ts';
import { identitiesMigration } from './identities.ts';
import { incidentsMigration } from './incidents.ts';
import { leadTimesMigration } from './lead-times.ts';
import { pageLimitsMigration } from './page-limits.ts';
import { rateSlotsMigration } from './rate-slots.ts';
import { retrievalsMigration } from './retrievals.ts';

/**
 * Changes of the schema in their order, each named by the version that it leads to. One that is here is never edited: stores that have
 * it would not get the change.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first': firstMigration,
  '0002-customers': customersMigration,
  '0003-bulk-tokens': bulkTokens,
  '0004-rate-slots': rateSlotsMigration,
  '0005-incidents': incidentsMigration,
  '0006-identities': identitiesMigration,
  '0007-event-names': eventNamesMigration,
  '0008-bulk-identities': bulkIdentities,
  '0009-page-limits': pageLimitsMigration,
  '0010-code-points': codePointsMigration,
  '0011-lead-times': leadTimesMigration,
  '0012-retrievals': retrievalsMigration,
};
