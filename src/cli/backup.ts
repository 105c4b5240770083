import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../config/config.ts';
import { copySqliteFile } from '../store/engines/sqlite.ts';
import { CONFIGURATION_HELP, createCommand } from './command.ts';
import { openOutput } from './output.ts';

export const command = createCommand(
  'dockline backup',
  'Copies the SQLite store to a new file, whether Dockline runs or not.',
)
  .argument('<file>', 'file to create')
  .addHelpText('after', CONFIGURATION_HELP)
  .action(async (file: string, options: { readonly json?: boolean }) => {
    const { DATABASE_URL, DATA_FOLDER } = loadConfig(process.env);
    if (DATABASE_URL) throw new Error('the store is in PostgreSQL: back it up with pg_dump, or as your provider does');
    const store = join(DATA_FOLDER, 'dockline.db');
    if (!existsSync(store)) throw new Error(`there is no SQLite store at ${store}`);
    if (existsSync(file)) throw new Error(`${file} exists; a backup replaces nothing`);
    // A backup names people, as the store does.
    process.umask(0o077);
    await copySqliteFile(store, file);
    const { size } = await stat(file);
    const { say, print } = openOutput(options);
    say(`${file} has everything up to now (${size} bytes).`);
    if (options.json) print(JSON.stringify({ file, bytes: size }));
  });
