import { mkdtemp, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { plural } from '../../base/text.ts';
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../domain/errors.ts';
import { certificateAdvice } from '../../http/agent.ts';
import { COUNTED } from '../../store/bounded-count.ts';
import type { OpenTransaction } from '../../store/engines/postgres.ts';
import { findExisting } from '../health.ts';
import { type Finding, failed, ok, type Reporter, skipped, warning } from './check.ts';
import type { StoreState, Unwanted } from './inspection.ts';

export async function checkStore(
  { check }: Reporter,
  { DATABASE_URL: url, DATA_FOLDER }: Pick<Config, 'DATABASE_URL' | 'DATA_FOLDER'>,
  inspected: Promise<StoreState>,
): Promise<void> {
  await check(url ? 'PostgreSQL' : 'SQLite', url ? withoutSecrets(url) : join(DATA_FOLDER, 'dockline.db'), () =>
    inspected.then(judge, (error) =>
      failed(messageOf(error), url ? adviseOnPostgres(messageOf(error)) : 'Check DATA_FOLDER, and who owns its files.'),
    ),
  );
  await check('data folder', DATA_FOLDER, async () => {
    const folder = findExisting(resolve(DATA_FOLDER));
    if (await isWritable(folder)) return ok('is writable');
    return failed(`${folder} is not writable for this user`, 'Check DATA_FOLDER, and who owns it.');
  });
}

export function judge(store: StoreState): Finding {
  if (store.state === 'absent') return ok('will be created at the start');
  if (store.state === 'inUse')
    return skipped('another process has it open, such as a running Dockline: not written to');
  const { version, pending, fault, oldestTransaction, unwanted } = store;
  if (fault) return failed(fault.reason, fault.advice);
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

/** No transaction of Dockline takes this long. */
const LONG_MS = 600_000;

const describeUnwanted = ({ tenant, name, count }: Unwanted): string =>
  `${count === COUNTED ? 'at least ' : ''}${plural(count, 'announcement')} for ${name} of ${tenant}`;

const describe = ({ pid, application, user }: OpenTransaction): string =>
  `of the user ${user} (pid ${pid}${application && `, ${application}`})`;

/** Tries it: permissions do not tell a read-only or virtual file system. */
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

const adviceOn: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /does not match certificate's altnames/,
    'DATABASE_URL must name the server by a name in its certificate; sslmode=no-verify encrypts without checking who answers.',
  ],
  [
    /certificate (has expired|is not yet valid)/,
    "Renew the server's certificate, and check the clocks of both machines.",
  ],
  [
    /server does not support SSL/,
    'Turn on ssl in postgresql.conf, or write sslmode=disable in DATABASE_URL if the network is yours.',
  ],
  [/no encryption/, 'The server accepts encrypted connections only: append sslmode=verify-full to DATABASE_URL.'],
  [/, open '|PEM/, 'Check the files that sslrootcert, sslcert and sslkey in DATABASE_URL name.'],
];

const TRUST =
  'append sslmode=verify-full&sslrootcert=/path/to/authority.pem to DATABASE_URL, or sslmode=no-verify to encrypt without checking who answers.';

function adviseOnPostgres(message: string): string {
  const [, advice = certificateAdvice(message, TRUST)] = adviceOn.find(([pattern]) => pattern.test(message)) ?? [];
  return advice ?? 'Check DATABASE_URL, the rights of its user, and the settings of the server.';
}
