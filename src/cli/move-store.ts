import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatTable } from '../base/text.ts';
import { loadConfig } from '../config/config.ts';
import { copyToPostgres } from '../store/copy.ts';
import { CONFIGURATION_HELP, createCommand } from './command.ts';
import { openOutput } from './output.ts';

interface MoveOptions {
  readonly from?: string;
  readonly json?: boolean;
}

export const command = createCommand(
  'dockline move-store',
  'Copies everything from SQLite into the empty PostgreSQL database of DATABASE_URL, and counts it there. Stop Dockline first. ' +
    'The SQLite file stays as it is; if anything fails, PostgreSQL is left empty.',
)
  .option('--from <file>', 'SQLite file, such as a backup (default: dockline.db in DATA_FOLDER)')
  .addHelpText('after', CONFIGURATION_HELP)
  .action(async ({ from, ...options }: MoveOptions) => {
    const { DATABASE_URL: url, DATA_FOLDER } = loadConfig(process.env);
    if (!url) throw new Error('set DATABASE_URL to the PostgreSQL database that is to take the store');
    const file = from ?? join(DATA_FOLDER, 'dockline.db');
    if (!existsSync(file)) throw new Error(`there is no SQLite store at ${file}; --from names another`);
    const { print, say, progress } = openOutput(options);
    const tables = await copyToPostgres({
      file,
      url,
      onProgress: ({ table, rows, of }) => progress.show(`${table}: ${rows} of ${of} rows`),
    });
    say(formatTable([['table', 'rows'], ...tables.map(({ table, rows }) => [table, String(rows)])]));
    say(`Everything is in PostgreSQL. Start Dockline with DATABASE_URL; ${file} is no longer used.`);
    if (options.json) print(JSON.stringify({ file, tables }));
  });
