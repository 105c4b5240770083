import { type Config, loadConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/forms/forms.ts';
import { writeTemporary } from './temporary-text.ts';

/** Loads a file of settings with this text. */
export const loadFile = (text: string, env: Environment = {}): Config =>
  loadConfig({ CONFIG_FILE: writeTemporary(text), ...env });

/** Returns the lines of the error, without the heading and the paths of temporary files. */
export function problemsOf(text: string, env: Environment = {}): readonly string[] {
  const path = writeTemporary(text);
  try {
    loadConfig({ CONFIG_FILE: path, ...env });
    return [];
  } catch (error) {
    const [, ...lines] = (error as Error).message.split('\n');
    return lines.map((line) => line.trim().replace(`${path}, `, ''));
  }
}

/** How Dockline reaches the warehouse of a file. */
export const access = {
  baseUrl: 'https://wms.example',
  authUrl: 'https://wms.example',
  clientId: 'client',
  clientSecret: 'hush',
  userLogin: 'dockline',
};

/** Returns a file whose warehouses have these settings beside their access, a key on each line. */
export const withWarehouses = (...own: readonly object[]): string =>
  JSON.stringify({ warehouses: own.map((it) => ({ tenant: '9104', ...access, ...it })) }, null, 1);

/** Loads a file of one warehouse, with settings of its own. */
export const loadWarehouse = (own: object, env: Environment = {}) => loadFile(withWarehouses(own), env).tenants[0];
