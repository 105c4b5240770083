import { z } from 'zod';
import { list, text } from '../../forms/forms.ts';

/** Values of `sslmode` in the address of a database; the driver takes any other for verify-full. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

function hasKnownSslMode(url: string): boolean {
  const mode = URL.parse(url)?.searchParams.get('sslmode') ?? null;
  return mode === null || sslModes.includes(mode);
}

/** Variables of the file of settings, and of a process's data and its log. */
export const storage = {
  CONFIG_FILE: list
    .prefault('')
    .describe(
      `A YAML file with the settings that do not fit into a line: several warehouses, deadlines, alerts. dockline.example.yaml shows all of them. Its values may name variables: \${WAREHOUSE_SECRET}. Several files are read as one. With warehouses in it, none of the variables from WAREHOUSE_TENANT to WAREHOUSE_TPL is used.`,
    ),
  DATA_FOLDER: text
    .default('.dockline')
    .describe('The folder in which the embedded Temporal server and SQLite keep their data.'),
  DATABASE_URL: z
    .url({
      protocol: /^postgres(ql)?$/,
      error: 'must be a postgres:// address; leave it unset for SQLite in DATA_FOLDER',
    })
    .refine(hasKnownSslMode, `may have as sslmode ${sslModes.join(', ')}`)
    .optional()
    .describe(
      'A PostgreSQL database, which several processes can share: postgres://user:password@host/name. Unset: SQLite in the data folder.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('warn')
    .describe('Level of the log: fatal, error, warn, info, debug or trace.'),
};
