import { z } from 'zod';
import { text } from '../../forms/forms.ts';

/** The driver takes any other `sslmode` for verify-full. */
const sslModes = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'];

function hasKnownSslMode(url: string): boolean {
  const mode = URL.parse(url)?.searchParams.get('sslmode') ?? null;
  return mode === null || sslModes.includes(mode);
}

/** In `.env` a # may begin a comment, so that only half of an address arrives. */
const databaseProblem = ({ input }: { readonly input: unknown }): string =>
  String(input).includes('#')
    ? 'contains #, which would end the address: write it as %23 in the password'
    : 'must be an address such as postgres://user:password@host/name, with special characters of the password percent-encoded (%23 for #, which also begins a comment in .env); leave it unset for SQLite in DATA_FOLDER';

export const storage = {
  CONFIG_FILE: z
    .string()
    .default('')
    .describe(
      `A YAML file with the settings that do not fit into a line: several warehouses, deadlines, alerts. dockline.example.yaml shows all of them. Its values may name variables: \${WAREHOUSE_SECRET}. With warehouses in it, the variables that describe one are unset.`,
    ),
  DATA_FOLDER: text
    .default('.dockline')
    .describe('The folder in which the embedded Temporal server and SQLite keep their data.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: databaseProblem })
    .refine((url) => !url.includes('#'), { error: databaseProblem })
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
