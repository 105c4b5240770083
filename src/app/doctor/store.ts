import { existsSync } from 'node:fs';
import { mkdtemp, rmdir, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { plural } from '../../base/text.ts';
import type { Config } from '../../config/config.ts';
import type { TenantSettings } from '../../config/tenants/tenant.ts';
import { messageOf } from '../../domain/errors.ts';
import { LOW_BYTES } from '../../health/conditions/machine.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import type { OpenTransaction } from '../../store/oldest-transaction.ts';
import { type Finding, failed, ok, type Reporter, skipped, warning } from './check.ts';
import { inspectStore, type StoreState, type Unwanted } from './inspection.ts';
import { adviseOnPostgres } from './postgres-advice.ts';

/** Checks the database; changes nothing in it. */
export async function checkStore(
  { check }: Reporter,
  { DATABASE_URL: url, DATA_FOLDER, tenants }: Pick<Config, 'DATABASE_URL' | 'DATA_FOLDER' | 'tenants'>,
): Promise<void> {
  const file = join(DATA_FOLDER, 'dockline.db');
  const name = url ? 'PostgreSQL' : 'SQLite';
  await check(name, url ? withoutSecrets(url) : file, async () => {
    try {
      return judge(await inspectStore(url ? { url } : { file }, tenants), tenants);
    } catch (error) {
      const advice = url ? adviseOnPostgres(messageOf(error)) : 'Check DATA_FOLDER, and who owns its files.';
      return failed(messageOf(error), advice);
    }
  });
}

/** Judges the state of a store that these tenants use. */
export function judge(store: StoreState, tenants: readonly Pick<TenantSettings, 'id' | 'endpoint'>[] = []): Finding {
  if (store.state === 'absent') return ok('will be created at the start');
  if (store.state === 'inUse')
    return skipped('another process has it open, such as a running Dockline: not written to');
  const { version, pending, fault, oldestTransaction, misnamed, unwanted } = store;
  if (fault) return failed(fault.reason, fault.advice);
  const contradicted = misnamed.flatMap(({ endpoint, tenant }) => {
    const id = tenants.find((it) => it.endpoint === endpoint)?.id;
    return id === undefined || id === tenant ? [] : [`the newest webhooks name tenant ${tenant}, not ${id}`];
  });
  if (contradicted.length > 0)
    return failed(
      `${contradicted.join('; ')}: they are quarantined`,
      'Set WAREHOUSE_TENANT, or the tenant in CONFIG_FILE, to the tplId in its webhooks; the next start reads them again.',
    );
  if (oldestTransaction && oldestTransaction.ms > LONG_MS)
    return warning(
      `a transaction ${describe(oldestTransaction)} has been open for ${Math.round(oldestTransaction.ms / 60_000)} min`,
      'End it (select pg_terminate_backend(pid)): while it is open, nothing that was deleted since is vacuumed, and every queue in the database becomes slower.',
    );
  if (unwanted.length > 0)
    return warning(
      `the next start takes out what waits and is no longer wanted: ${unwanted.map(describeUnwanted).join(', ')}`,
      'If it is still to be sent, change customers, kinds and types of the destination back before the start.',
    );
  const next = pending.length > 0 ? `, will be migrated at the start: ${pending.join(', ')}` : ', is writable';
  return ok(`has version ${version} of the schema${next}`);
}

/** Time that no transaction of Dockline takes, in milliseconds. */
const LONG_MS = 600_000;

const describeUnwanted = ({ tenant, name, count }: Unwanted): string =>
  `${count === COUNTED ? 'at least ' : ''}${plural(count, 'announcement')} for ${name} of ${tenant}`;

const describe = ({ pid, application, user }: OpenTransaction): string =>
  `of the user ${user} (pid ${pid}${application && `, ${application}`})`;

/** Checks the free space for the data folder, and that it can be written to. */
export async function checkDisk({ check }: Reporter, { DATA_FOLDER }: Config): Promise<void> {
  await check('data folder', DATA_FOLDER, async () => {
    const folder = findExisting(resolve(DATA_FOLDER));
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const advice = 'Free or add space: a full disk stops webhooks from being accepted.';
    if (!(await isWritable(folder)))
      return failed(`${folder} is not writable for this user`, 'Check DATA_FOLDER, and who owns it.');
    const found = `${(free / 2 ** 30).toFixed(1)} GiB free`;
    return free < LOW_BYTES ? failed(found, advice) : ok(found);
  });
}

/** Returns the folder, or the nearest above it that exists: the start creates the rest. */
const findExisting = (folder: string): string =>
  existsSync(folder) || folder === dirname(folder) ? folder : findExisting(dirname(folder));

/** Tries it: the permissions say nothing of a read-only or a virtual file system. */
const isWritable = (folder: string): Promise<boolean> =>
  mkdtemp(join(folder, '.dockline-')).then(
    async (made) => {
      await rmdir(made);
      return true;
    },
    () => false,
  );

function withoutSecrets(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}
