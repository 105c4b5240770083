import type { TestProject } from 'vitest/node';
import { findServerBinary } from '../../../sandbox/temporal-server/server-binary.ts';
import { findCacheFolder } from '../../../src/forms/files.ts';
import { buildGoPrograms } from '../go-program.ts';
import { build } from './engine.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Image under test. */
    readonly image: string;
  }
}

/** Gets the programs that the tests use, and builds the image. */
export async function setup({ provide }: TestProject): Promise<void> {
  const log = (line: string) => process.stderr.write(`${line}\n`);
  await buildGoPrograms();
  provide('temporalBinary', await findServerBinary({ cacheFolder: findCacheFolder(), log }));
  log('Building the image.');
  provide('image', build());
}
