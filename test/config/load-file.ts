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
